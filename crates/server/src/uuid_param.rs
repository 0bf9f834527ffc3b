//! Ids as clients may write them: hyphenated, plain, braced or as a URN, in any case, but of version 4 or 5 only
//!.

use uuid::Uuid;

/// Why a text is not an id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum UuidFault {
    /// Not a UUID at all.
    Spelling,
    /// A UUID of another version; the official Python client refuses these in answers.
    Version,
}

impl UuidFault {
    /// The class and the words that the 422 answer shows.
    pub(crate) fn describe(self) -> (&'static str, &'static str) {
        match self {
            Self::Spelling => ("uuid_parsing", "Input should be a valid UUID"),
            Self::Version => ("uuid_version", "UUID version 4 or 5 expected"),
        }
    }
}

/// The id that the text names.
pub(crate) fn parse(text: &str) -> Result<Uuid, UuidFault> {
    let id = Uuid::try_parse(text).map_err(|_| UuidFault::Spelling)?;
    if matches!(id.get_version_num(), 4 | 5) {
        Ok(id)
    } else {
        Err(UuidFault::Version)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const V4: &str = "67e55044-10b1-426f-9247-bb680e5fe0c8";

    #[test]
    fn all_spellings_are_one_id() {
        let plain = V4.replace('-', "");
        for text in [
            V4.to_owned(),
            V4.to_uppercase(),
            plain.clone(),
            plain.to_uppercase(),
            format!("{{{V4}}}"),
            format!("urn:uuid:{V4}"),
        ] {
            assert_eq!(
                parse(&text).map(|id| id.to_string()),
                Ok(V4.to_owned()),
                "{text}"
            );
        }
    }

    #[test]
    fn other_versions_and_names_are_refused() {
        assert_eq!(parse("bob"), Err(UuidFault::Spelling));
        assert_eq!(parse(""), Err(UuidFault::Spelling));
        for text in [
            "018f3c1e-8a4b-7c2d-9e1f-0123456789ab",
            "a6a7c9f0-1dd2-11b2-8000-000000000000",
            "00000000-0000-0000-0000-000000000000",
        ] {
            assert_eq!(parse(text), Err(UuidFault::Version), "{text}");
        }
    }

    proptest! {
        #[test]
        fn never_panics(text in any::<String>()) {
            let _ = parse(&text);
        }
    }
}
