//! `/users/profile`: the slots of the profile.

use mneme_core::id::{MemoryId, UserKey};
use mneme_core::memory::{Kind, Slot};
use mneme_engine::api::{Attributes, ProfileQuery};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

use super::selection::Selection;
use super::wire::{IdReply, ProfilesReply};
use crate::call::{Call, Fields};
use crate::envelope::{Answer, Envelope};
use crate::error::Failure;

/// `GET /users/profile/{user_id}`.
pub(super) async fn list(mut call: Call) -> Answer<ProfilesReply> {
    let (owner, selection, topk, max_token_size) = call.read(|fields| {
        let owner = fields.user();
        let topk = fields.maybe_int("topk");
        let max_token_size = fields.maybe_int("max_token_size");
        let selection = Selection::read(fields);
        Some((owner?, selection?, topk?, max_token_size?))
    })?;
    let query = ProfileQuery {
        topk,
        max_token_size,
        ..selection.into_query("Invalid JSON requests")?
    };
    let memories = call.engine.profile(&owner, &query).await?;
    Ok(Envelope::of(ProfilesReply {
        profiles: memories.into_iter().map(Into::into).collect(),
    }))
}

/// Both keys have to be there.
#[derive(Debug, Deserialize)]
struct ProfileBody {
    content: String,
    #[serde(deserialize_with = "nullable")]
    attributes: Option<Map<String, Value>>,
}

fn nullable<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Map<String, Value>>, D::Error> {
    Option::deserialize(deserializer)
}

/// `POST /users/profile/{user_id}`.
pub(super) async fn add(mut call: Call) -> Answer<IdReply> {
    let (owner, body) = call.read(|fields| {
        let owner = fields.user();
        let body = fields.body::<ProfileBody>();
        Some((owner?, body?))
    })?;
    let (slot, attributes) = slot_of(body.attributes.unwrap_or_default())?;
    let id = call
        .engine
        .add_slot(&owner, slot, body.content, attributes)
        .await?;
    Ok(Envelope::of(IdReply { id: id.0 }))
}

/// `PUT /users/profile/{user_id}/{profile_id}`: new words and, unless `null`, new attributes.
pub(super) async fn update(mut call: Call) -> Answer<()> {
    let (owner, id, body) = call.read(|fields| {
        let named = owner_and_profile(fields);
        let body = fields.body::<ProfileBody>();
        let (owner, id) = named?;
        Some((owner, id, body?))
    })?;
    let change = body.attributes.map(slot_of).transpose()?;
    match call
        .engine
        .edit_slot(&owner, id, body.content, change)
        .await?
    {
        true => Ok(Envelope::empty()),
        false => Err(no_profile(&owner, id)),
    }
}

/// `DELETE /users/profile/{user_id}/{profile_id}`.
pub(super) async fn delete(mut call: Call) -> Answer<()> {
    let (owner, id) = call.read(owner_and_profile)?;
    match call.engine.forget(&owner, Kind::Profile, id).await? {
        true => Ok(Envelope::empty()),
        false => Err(no_profile(&owner, id)),
    }
}

fn owner_and_profile(fields: &mut Fields) -> Option<(UserKey, MemoryId)> {
    let owner = fields.user();
    let profile = fields.path_uuid("profile_id");
    Some((owner?, MemoryId(profile?)))
}

fn no_profile(owner: &UserKey, id: MemoryId) -> Failure {
    Failure::not_found(format!("Profile {id} not found for user {}", owner.user))
}

/// The slot that wire attributes name, and what else is in them.
fn slot_of(mut attributes: Map<String, Value>) -> Result<(Slot, Attributes), Failure> {
    let mut heading = |key: &str| match attributes.remove(key) {
        Some(Value::String(text)) => Ok(text),
        _ => Err(Failure::Refused {
            errno: 520,
            message: format!("CODE 520; ERROR Invalid profile attributes: {key} must be a string"),
        }),
    };
    let (topic, sub_topic) = (heading("topic")?, heading("sub_topic")?);
    Ok((Slot::new(topic, sub_topic), attributes))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::validation::read_typed;

    fn slot(attributes: &Value) -> Result<(Slot, Attributes), Failure> {
        slot_of(attributes.as_object().cloned().unwrap_or_default())
    }

    #[test]
    fn attributes_name_a_slot() {
        let (named, rest) =
            slot(&json!({"topic": "Basic Info", "sub_topic": "", "update_hits": 1})).unwrap();
        assert_eq!(named, Slot::new("Basic Info", ""));
        assert_eq!(Value::Object(rest), json!({"update_hits": 1}));
    }

    #[test]
    fn attributes_without_a_slot_are_refused() {
        for wrong in [
            json!({}),
            json!({"topic": "a"}),
            json!({"topic": "a", "sub_topic": null}),
            json!({"topic": 1, "sub_topic": "b"}),
        ] {
            let Err(Failure::Refused { errno, message }) = slot(&wrong) else {
                panic!("refused")
            };
            assert_eq!(errno, 520);
            assert!(
                message.starts_with("CODE 520; ERROR Invalid profile attributes: "),
                "{message}"
            );
        }
    }

    #[test]
    fn both_keys_have_to_be_there() {
        assert!(read_typed::<ProfileBody>(json!({"content": "c", "attributes": null})).is_ok());
        for wrong in [
            json!({"content": "c"}),
            json!({"attributes": {}}),
            json!({"content": 1, "attributes": {}}),
            json!({"content": "c", "attributes": []}),
        ] {
            assert!(read_typed::<ProfileBody>(wrong.clone()).is_err(), "{wrong}");
        }
    }
}
