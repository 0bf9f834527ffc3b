//! Private keys in PEM: everything from `-----BEGIN … PRIVATE KEY-----` to its end.

use super::{Found, Kind, chars};

const BEGIN: &str = "-----BEGIN ";
const END: &str = "-----END ";
/// Longest name with its dashes, bytes (`OPENSSH PRIVATE KEY`, `PGP PRIVATE KEY BLOCK`).
const NAME_BYTES_MAX: usize = 64;
/// Shortest line of a torn block that counts as part of the key, bytes.
const LINE_BYTES_MIN: usize = 16;

pub(super) fn find(text: &str, found: &mut Vec<Found>) {
    let mut ends = text.match_indices(END).map(|(at, _)| at).peekable();
    let mut begins = text.match_indices(BEGIN).map(|(at, _)| at).peekable();
    while let Some(start) = begins.next() {
        let Some(body) = name_end(text, start + BEGIN.len()) else {
            continue;
        };
        while ends.next_if(|at| *at < body).is_some() {}
        let whole = ends
            .peek()
            .filter(|end| begins.peek().is_none_or(|next| *end < next))
            .map(|end| name_end(text, end + END.len()).unwrap_or(end + END.len()));
        let end = whole.unwrap_or_else(|| torn_end(text, body));
        found.push(Found::new(start, end, Kind::PrivateKey));
    }
}

/// The place after `… PRIVATE KEY…-----`, when that is what stands there.
fn name_end(text: &str, from: usize) -> Option<usize> {
    let head = chars::head(text, from, NAME_BYTES_MAX);
    let dashes = head.find("-----")?;
    head.get(..dashes)?
        .contains("PRIVATE KEY")
        .then_some(from + dashes + 5)
}

/// Where a block without an end stops: after the last line that can only be part of the key. The text after a cut
/// or torn block must not be swallowed.
fn torn_end(text: &str, body: usize) -> usize {
    let mut end = body;
    let mut at = body;
    for line in text.get(body..).unwrap_or_default().split_inclusive('\n') {
        let start = at;
        at += line.len();
        // In a quoted text the line breaks are written out as `\n`.
        let bare = line.trim().trim_end_matches(['"', '\'', ',']);
        let key = bare.split("\\n").all(|part| {
            part.bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte))
        });
        let first = start == body;
        if !key || (bare.len() < LINE_BYTES_MIN && !(first && bare.is_empty())) {
            break;
        }
        if !bare.is_empty() {
            let indent = line.len() - line.trim_start().len();
            end = start + indent + bare.len();
        }
    }
    end
}
