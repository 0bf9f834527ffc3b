//! `/users/buffer`: what waits to be distilled, and the push that starts it.

use mneme_core::ports::BufferState;
use mneme_engine::ErrorKind;

use super::settled;
use super::wire::{ChatModal, IdsReply};
use crate::call::Call;
use crate::envelope::{Answer, Envelope};

/// `POST /users/buffer/{user_id}/{buffer_type}`: a list when it is done (empty when nothing waited), `null` when it
/// goes on in the background. Kinds that are kept as they are have nothing to wait for.
pub(super) async fn flush(mut call: Call) -> Answer<Vec<ChatModal>> {
    let (owner, kind, wait) = call.read(|fields| {
        let owner = fields.user();
        let kind = fields.path_kind("buffer_type");
        let wait = fields.flag("wait_process", false);
        Some((owner?, kind?, wait?))
    })?;
    if !kind.is_distilled() {
        return Ok(if wait {
            Envelope::of(Vec::new())
        } else {
            Envelope::empty()
        });
    }
    let job = match call.engine.flush(&owner, kind).await {
        Err(error) if error.kind == ErrorKind::NotFound => None,
        other => other?,
    };
    match job {
        None => Ok(Envelope::of(Vec::new())),
        Some(_) if !wait => Ok(Envelope::empty()),
        Some(job) => Ok(Envelope::of(
            call.engine.wait(&owner, job).await.and_then(settled)?,
        )),
    }
}

/// The states under the server's names and under the Go SDK's.
const STATES: [(&str, BufferState); 6] = [
    ("idle", BufferState::Idle),
    ("processing", BufferState::Processing),
    ("failed", BufferState::Failed),
    ("done", BufferState::Done),
    ("pending", BufferState::Idle),
    ("completed", BufferState::Done),
];

fn state(name: &str) -> Option<BufferState> {
    STATES
        .iter()
        .find(|(text, _)| *text == name)
        .map(|(_, state)| *state)
}

/// `GET /users/buffer/capacity/{user_id}/{buffer_type}`: the ids of the buffer's rows, not of the blobs.
pub(super) async fn capacity(mut call: Call) -> Answer<IdsReply> {
    let (owner, kind, state) = call.read(|fields| {
        let owner = fields.user();
        let kind = fields.path_kind("buffer_type");
        let state = fields.choice(
            "status",
            "processing",
            state,
            &BufferState::ALL.map(BufferState::as_str),
        );
        Some((owner?, kind?, state?))
    })?;
    let ids = call.engine.buffered(&owner, kind, state).await?;
    Ok(Envelope::of(IdsReply {
        ids: ids.into_iter().map(|id| id.0).collect(),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_have_two_names() {
        for known in BufferState::ALL {
            assert_eq!(state(known.as_str()), Some(known));
        }
        assert_eq!(
            (
                state("pending"),
                state("completed"),
                state("Idle"),
                state("")
            ),
            (Some(BufferState::Idle), Some(BufferState::Done), None, None)
        );
    }
}
