//! `/blobs`: storing and reading what was said.

use axum::http::HeaderMap;
use mneme_core::id::{SourceId, SubScope, UserKey};
use mneme_core::limits::IDEMPOTENCY_KEY_CHARS_MAX;
use mneme_core::ports::Page;
use mneme_core::source::SourceKind;
use mneme_core::time::Timestamp;
use mneme_engine::api::Inserted;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::wire::{BlobView, ChatModal, IdsReply, InsertReply};
use super::{blob_shape, settled};
use crate::body::apart;
use crate::call::{Call, Fields, rows};
use crate::datetime;
use crate::envelope::{Answer, Envelope};
use crate::error::Failure;
use crate::validation::Flaw;

/// The body of an insert but for the content itself, which can be large and is read apart.
#[derive(Debug, Deserialize)]
struct Header {
    blob_type: SourceKind,
    fields: Option<Map<String, Value>>,
    #[serde(default, deserialize_with = "datetime::maybe")]
    created_at: Option<Timestamp>,
}

/// An insert as it was asked for.
#[derive(Debug)]
struct Order {
    owner: UserKey,
    wait: bool,
    header: Header,
    data: Map<String, Value>,
    bytes: usize,
}

fn order(fields: &mut Fields) -> Option<Order> {
    let owner = fields.user();
    let wait = fields.flag("wait_process", false);
    let bytes = fields.body_bytes();
    let mut body = fields.body_object()?;
    let data = match body.remove("blob_data") {
        Some(Value::Object(data)) => Some(data),
        Some(_) => fields.refuse(Flaw::at(
            "body",
            "blob_data",
            "dict_type",
            "Input should be a valid dictionary",
            None,
        )),
        None => fields.refuse(Flaw::missing("body", "blob_data")),
    };
    let header = fields.shaped(body);
    Some(Order {
        owner: owner?,
        wait: wait?,
        header: header?,
        data: data?,
        bytes,
    })
}

/// `POST /blobs/insert/{user_id}`. With `wait_process` the answer comes after the batch that this blob filled up.
pub(super) async fn insert(mut call: Call) -> Answer<InsertReply> {
    let Order {
        owner,
        wait,
        header,
        data,
        bytes,
    } = call.read(order)?;
    let key = idempotency_key(&call.headers)?;
    let kind = header.blob_type;
    let shaped = apart(bytes, move || blob_shape::shape(kind, data))
        .await?
        .map_err(|reason| Failure::invalid(format!("Unable to parse blob: {reason}")))?;
    let fields = header.fields.or(shaped.fields).map(Value::Object);
    let said_at = header.created_at.or(shaped.said_at);
    let inserted = call
        .engine
        .insert(
            &owner,
            kind,
            shaped.body,
            fields,
            said_at,
            SubScope::default(),
            key,
        )
        .await?;
    let chat_results = if wait {
        processed(&call, &owner, &inserted).await?
    } else {
        Vec::new()
    };
    Ok(Envelope::of(InsertReply {
        id: inserted.source.0,
        chat_results,
    }))
}

/// Waits for the batch that an insert started. The blob is stored whatever becomes of it, and a failure says so, lest
/// callers send it again.
async fn processed(
    call: &Call,
    owner: &UserKey,
    inserted: &Inserted,
) -> Result<Vec<ChatModal>, Failure> {
    let Some(job) = inserted.job else {
        return Ok(Vec::new());
    };
    let outcome = call.engine.wait(owner, job).await.and_then(settled);
    outcome.map_err(|mut error| {
        error.message = format!(
            "Blob {} is stored, but processing failed: {}",
            inserted.source, error.message
        );
        error.into()
    })
}

/// The caller's name for this write, if there is one.
fn idempotency_key(headers: &HeaderMap) -> Result<Option<String>, Failure> {
    let Some(value) = headers.get("idempotency-key") else {
        return Ok(None);
    };
    match value.to_str().map(str::trim) {
        Ok("") => Ok(None),
        Ok(key) if key.len() <= IDEMPOTENCY_KEY_CHARS_MAX => Ok(Some(key.to_owned())),
        _ => Err(Failure::invalid(format!(
            "Idempotency-Key must be at most {IDEMPOTENCY_KEY_CHARS_MAX} ASCII characters"
        ))),
    }
}

fn owner_and_blob(fields: &mut Fields) -> Option<(UserKey, SourceId)> {
    let owner = fields.user();
    let blob = fields.path_uuid("blob_id");
    Some((owner?, SourceId(blob?)))
}

/// `GET /blobs/{user_id}/{blob_id}`.
pub(super) async fn show(mut call: Call) -> Answer<BlobView> {
    let (owner, id) = call.read(owner_and_blob)?;
    match call.engine.source(&owner, id).await? {
        Some(source) => Ok(Envelope::of(source.into())),
        None => Err(Failure::not_found(format!(
            "Blob with id {id} of user {} not found",
            owner.user
        ))),
    }
}

/// `DELETE /blobs/{user_id}/{blob_id}`: fine as well when there is none.
pub(super) async fn delete(mut call: Call) -> Answer<()> {
    let (owner, id) = call.read(owner_and_blob)?;
    call.engine.delete_source(&owner, id).await?;
    Ok(Envelope::empty())
}

/// `GET /users/blobs/{user_id}/{blob_type}`: ids, oldest first.
pub(super) async fn list(mut call: Call) -> Answer<IdsReply> {
    let (owner, kind, page, page_size) = call.read(|fields| {
        let owner = fields.user();
        let kind = fields.path_kind("blob_type");
        let page = fields.int("page", 0);
        let page_size = fields.int("page_size", 10);
        Some((owner?, kind?, page?, page_size?))
    })?;
    let limit = rows("page_size", page_size)?;
    let page = usize::try_from(page).map_err(|_| Failure::invalid("page must not be negative"))?;
    let ids = call
        .engine
        .source_ids(
            &owner,
            kind,
            Page {
                offset: page.saturating_mul(limit),
                limit,
            },
        )
        .await?;
    Ok(Envelope::of(IdsReply {
        ids: ids.into_iter().map(|id| id.0).collect(),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(value: &[u8]) -> Result<Option<String>, Failure> {
        let value = axum::http::HeaderValue::from_bytes(value).unwrap();
        idempotency_key(
            &[(
                axum::http::HeaderName::from_static("idempotency-key"),
                value,
            )]
            .into_iter()
            .collect(),
        )
    }

    #[test]
    fn idempotency_keys() {
        assert_eq!(idempotency_key(&HeaderMap::new()), Ok(None));
        assert_eq!(key(b" "), Ok(None));
        assert_eq!(key(b" k1 "), Ok(Some("k1".to_owned())));
        assert_eq!(
            key(&b"k".repeat(255)).map(|key| key.map(|key| key.len())),
            Ok(Some(255))
        );
        assert!(key(&b"k".repeat(256)).is_err());
        assert!(key(b"\xe9").is_err());
    }
}
