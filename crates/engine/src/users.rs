//! Users: made, read, changed, forgotten.

use mneme_core::id::{UserId, UserKey};
use mneme_core::ports::{EraseReceipt, User};
use serde_json::Value;

use crate::{Engine, EngineError, EngineResult, ErrorKind};

impl Engine {
    /// A fresh user id.
    #[must_use]
    pub fn new_user_id(&self) -> UserId {
        UserId(self.next_id())
    }

    /// Makes a user.
    ///
    /// # Errors
    /// [`ErrorKind::Exists`] when the project has that user already.
    pub async fn create_user(
        &self,
        owner: &UserKey,
        name: Option<String>,
        fields: Option<Value>,
    ) -> EngineResult<()> {
        let now = self.now();
        let user = User {
            owner: owner.clone(),
            name,
            fields,
            created_at: now,
            updated_at: now,
        };
        if self.store().create_user(&user).await? {
            return Ok(());
        }
        Err(EngineError::new(
            ErrorKind::Exists,
            format!("User {} already exists", owner.user),
        ))
    }

    /// The user, made first where it is not there.
    ///
    /// # Errors
    /// The store's failure.
    pub async fn ensure_user(&self, owner: &UserKey, name: Option<String>) -> EngineResult<()> {
        match self.create_user(owner, name, None).await {
            Err(error) if error.kind == ErrorKind::Exists => Ok(()),
            other => other,
        }
    }

    /// The user, or `None`.
    ///
    /// # Errors
    /// The store's failure.
    pub async fn user(&self, owner: &UserKey) -> EngineResult<Option<User>> {
        Ok(self.store().user(owner).await?)
    }

    /// Replaces the fields; `false` when there is no such user.
    ///
    /// # Errors
    /// The store's failure.
    pub async fn set_user_fields(
        &self,
        owner: &UserKey,
        fields: Option<Value>,
    ) -> EngineResult<bool> {
        Ok(self
            .store()
            .set_user_fields(owner, fields, self.now())
            .await?)
    }

    /// Forgets the user totally: every row in every table. `None` when there is no such user.
    ///
    /// # Errors
    /// The store's failure.
    pub async fn erase_user(&self, owner: &UserKey) -> EngineResult<Option<EraseReceipt>> {
        let receipt = self.store().erase_user(owner).await?;
        // Whoever waits for one of the user's jobs learns that it is gone.
        self.inner.waiting.tell_all();
        Ok(receipt)
    }
}
