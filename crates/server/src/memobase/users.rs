//! `/users`: making, reading, changing and erasing users.

use mneme_core::id::{UserId, UserKey};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};
use uuid::Uuid;

use super::no_user;
use super::wire::{IdReply, UserView};
use crate::call::{Call, Fields};
use crate::envelope::{Answer, Envelope};
use crate::uuid_param;

#[derive(Debug, Deserialize)]
struct NewUser {
    data: Option<Map<String, Value>>,
    #[serde(default, deserialize_with = "maybe_uuid")]
    id: Option<Uuid>,
}

fn maybe_uuid<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Uuid>, D::Error> {
    let text = Option::<String>::deserialize(deserializer)?;
    text.map(|text| {
        uuid_param::parse(&text).map_err(|fault| serde::de::Error::custom(fault.describe().1))
    })
    .transpose()
}

/// `POST /users`: a new user, under the caller's id or a fresh one.
pub(super) async fn create(mut call: Call) -> Answer<IdReply> {
    let new = call.read(Fields::body::<NewUser>)?;
    let user = new.id.map_or_else(|| call.engine.new_user_id(), UserId);
    let owner = UserKey {
        project: call.project.clone(),
        user,
    };
    call.engine
        .create_user(&owner, None, new.data.map(Value::Object))
        .await?;
    Ok(Envelope::of(IdReply { id: user.0 }))
}

/// `GET /users/{user_id}`.
pub(super) async fn show(mut call: Call) -> Answer<UserView> {
    let owner = call.user()?;
    let user = call
        .engine
        .user(&owner)
        .await?
        .ok_or_else(|| no_user(owner.user))?;
    Ok(Envelope::of(user.into()))
}

/// `PUT /users/{user_id}`: the whole body becomes the user's data.
pub(super) async fn update(mut call: Call) -> Answer<IdReply> {
    let (owner, fields) = call.read(|fields| {
        let owner = fields.user();
        let body = fields.body_object();
        Some((owner?, body?))
    })?;
    match call
        .engine
        .set_user_fields(&owner, Some(Value::Object(fields)))
        .await?
    {
        true => Ok(Envelope::of(IdReply { id: owner.user.0 })),
        false => Err(no_user(owner.user)),
    }
}

/// `DELETE /users/{user_id}`: with everything that is known about them.
pub(super) async fn erase(mut call: Call) -> Answer<()> {
    let owner = call.user()?;
    match call.engine.erase_user(&owner).await? {
        Some(_) => Ok(Envelope::empty()),
        None => Err(no_user(owner.user)),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::validation::read_typed;

    #[test]
    fn bodies_of_the_sdks() {
        let id = "67e55044-10b1-426f-9247-bb680e5fe0c8";
        let new: NewUser = read_typed(json!({"data": null, "id": id.to_uppercase()})).unwrap();
        assert_eq!(
            (new.data, new.id.map(|id| id.to_string())),
            (None, Some(id.to_owned()))
        );
        let new: NewUser = read_typed(json!({"data": {"a": 1}, "more": 2})).unwrap();
        assert_eq!((new.data.map(|data| data.len()), new.id), (Some(1), None));
        for wrong in [
            json!({"id": "bob"}),
            json!({"id": 5}),
            json!({"data": []}),
            json!({"id": "018f3c1e-8a4b-7c2d-9e1f-0123456789ab"}),
        ] {
            assert!(read_typed::<NewUser>(wrong.clone()).is_err(), "{wrong}");
        }
    }
}
