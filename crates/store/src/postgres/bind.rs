//! How values are bound: each with its type, so that a statement never has to be described first.
//!
//! PostgreSQL's text has no NUL. It is kept as two characters, and so is the first of the two itself. The order of
//! texts by bytes stays what it was.

use std::borrow::Cow;
use std::error::Error;

use mneme_core::id::{BufferId, JobId, MemoryId, ProjectId, SourceId, UserId};
use mneme_core::time::Timestamp;
use sha2::{Digest, Sha256};
use tokio_postgres::types::private::BytesMut;
use tokio_postgres::types::{IsNull, ToSql, Type, to_sql_checked};
use uuid::Uuid;

/// Terms beyond this many bytes are kept as their hash: an entry of an index has room for 2,704 bytes.
const TERM_BYTES_MAX: usize = 1_000;

/// A value with its type.
#[derive(Debug)]
pub(super) enum Param<'a> {
    Text(Option<Cow<'a, str>>),
    Int(Option<i64>),
    Real(f64),
    Id(Option<Uuid>),
    Bytes(Option<&'a [u8]>),
    Texts(Vec<Option<Cow<'a, str>>>),
    Ints(Vec<i64>),
    Ids(Vec<Uuid>),
    Blobs(Vec<Vec<u8>>),
    /// The components of a vector.
    Reals(Option<&'a [f32]>),
}

impl Param<'_> {
    /// The type that the statement is told.
    pub(super) fn kind(&self) -> Type {
        match self {
            Self::Text(_) => Type::TEXT,
            Self::Int(_) => Type::INT8,
            Self::Real(_) => Type::FLOAT8,
            Self::Id(_) => Type::UUID,
            Self::Bytes(_) => Type::BYTEA,
            Self::Texts(_) => Type::TEXT_ARRAY,
            Self::Ints(_) => Type::INT8_ARRAY,
            Self::Ids(_) => Type::UUID_ARRAY,
            Self::Blobs(_) => Type::BYTEA_ARRAY,
            Self::Reals(_) => Type::FLOAT4_ARRAY,
        }
    }
}

impl ToSql for Param<'_> {
    fn to_sql(
        &self,
        ty: &Type,
        out: &mut BytesMut,
    ) -> Result<IsNull, Box<dyn Error + Sync + Send>> {
        match self {
            Self::Text(value) => value.to_sql(ty, out),
            Self::Int(value) => value.to_sql(ty, out),
            Self::Real(value) => value.to_sql(ty, out),
            Self::Id(value) => value.to_sql(ty, out),
            Self::Bytes(value) => value.to_sql(ty, out),
            Self::Texts(values) => values.to_sql(ty, out),
            Self::Ints(values) => values.to_sql(ty, out),
            Self::Ids(values) => values.to_sql(ty, out),
            Self::Blobs(values) => values.to_sql(ty, out),
            Self::Reals(value) => value.to_sql(ty, out),
        }
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}

/// Binds values in the order of their numbers.
macro_rules! params {
    ($($value:expr),* $(,)?) => { &[$($crate::postgres::bind::Param::from($value)),*] };
}

pub(super) use params;

/// A text without NUL.
pub(super) fn encode(text: &str) -> Cow<'_, str> {
    if text.contains(['\0', '\u{1}']) {
        Cow::Owned(
            text.replace('\u{1}', "\u{1}\u{2}")
                .replace('\0', "\u{1}\u{1}"),
        )
    } else {
        Cow::Borrowed(text)
    }
}

/// The text that was encoded.
pub(super) fn decode(text: String) -> String {
    if !text.contains('\u{1}') {
        return text;
    }
    let mut plain = String::with_capacity(text.len());
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\u{1}' => plain.push(if letters.next() == Some('\u{1}') {
                '\0'
            } else {
                '\u{1}'
            }),
            other => plain.push(other),
        }
    }
    plain
}

/// A term as it is kept and looked up; the same for equal terms, another for others.
pub(super) fn term(term: &str) -> Cow<'_, str> {
    if term.len() <= TERM_BYTES_MAX {
        return encode(term);
    }
    let hash = Sha256::digest(term.as_bytes());
    let digits: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
    // No encoded term begins so.
    Cow::Owned(format!("\u{1}\u{3}{digits}"))
}

impl<'a> From<&'a str> for Param<'a> {
    fn from(value: &'a str) -> Self {
        Self::Text(Some(encode(value)))
    }
}

impl<'a> From<&'a String> for Param<'a> {
    fn from(value: &'a String) -> Self {
        Self::from(value.as_str())
    }
}

impl From<String> for Param<'_> {
    fn from(value: String) -> Self {
        Self::Text(Some(Cow::Owned(encode(&value).into_owned())))
    }
}

impl<'a> From<&'a Option<String>> for Param<'a> {
    fn from(value: &'a Option<String>) -> Self {
        Self::Text(value.as_deref().map(encode))
    }
}

impl<'a> From<Option<&'a str>> for Param<'a> {
    fn from(value: Option<&'a str>) -> Self {
        Self::Text(value.map(encode))
    }
}

impl From<Option<String>> for Param<'_> {
    fn from(value: Option<String>) -> Self {
        Self::Text(value.map(|text| Cow::Owned(encode(&text).into_owned())))
    }
}

impl<'a> From<&'a ProjectId> for Param<'a> {
    fn from(value: &'a ProjectId) -> Self {
        Self::from(&value.0)
    }
}

macro_rules! ids {
    ($($id:ident),*) => {$(
        impl From<$id> for Param<'_> {
            fn from(value: $id) -> Self {
                Self::Id(Some(value.0))
            }
        }
        impl From<Option<$id>> for Param<'_> {
            fn from(value: Option<$id>) -> Self {
                Self::Id(value.map(|id| id.0))
            }
        }
    )*};
}

ids!(BufferId, JobId, MemoryId, SourceId, UserId);

impl From<i64> for Param<'_> {
    fn from(value: i64) -> Self {
        Self::Int(Some(value))
    }
}

impl From<u32> for Param<'_> {
    fn from(value: u32) -> Self {
        Self::Int(Some(i64::from(value)))
    }
}

impl From<Option<u32>> for Param<'_> {
    fn from(value: Option<u32>) -> Self {
        Self::Int(value.map(i64::from))
    }
}

impl From<Timestamp> for Param<'_> {
    fn from(value: Timestamp) -> Self {
        Self::Int(Some(value.0))
    }
}

impl From<Option<Timestamp>> for Param<'_> {
    fn from(value: Option<Timestamp>) -> Self {
        Self::Int(value.map(|at| at.0))
    }
}

impl From<f64> for Param<'_> {
    fn from(value: f64) -> Self {
        Self::Real(value)
    }
}

impl<'a> From<&'a [u8]> for Param<'a> {
    fn from(value: &'a [u8]) -> Self {
        Self::Bytes(Some(value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn texts_come_back_without_ever_holding_nul(text in "[\0\u{1}\u{2}\u{3}a-c\u{4e2d}]{0,12}") {
            let kept = encode(&text).into_owned();
            prop_assert!(!kept.contains('\0'));
            prop_assert_eq!(decode(kept), text);
        }

        #[test]
        fn the_order_of_texts_is_kept(left in "[\0\u{1}\u{2}\u{3}a]{0,6}", right in "[\0\u{1}\u{2}\u{3}a]{0,6}") {
            prop_assert_eq!(encode(&left).cmp(&encode(&right)), left.cmp(&right));
        }
    }

    #[test]
    fn long_terms_stay_apart_and_short() {
        let (one, other) = ("a".repeat(5_000), "a".repeat(5_001));
        assert_ne!(term(&one), term(&other));
        assert_eq!(term(&one), term(&one.clone()));
        assert!(term(&one).len() < 100);
        assert_eq!(term("caf\u{e9}"), "caf\u{e9}");
    }
}
