//! Reads the answer of an embeddings endpoint.

use serde::Deserialize;

#[derive(Deserialize)]
struct Answer {
    data: Vec<Item>,
}

#[derive(Deserialize)]
struct Item {
    #[serde(default)]
    index: Option<usize>,
    embedding: Vec<f32>,
}

/// An answer that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum BadAnswer {
    /// Not the protocol's form.
    Form,
    /// Another number of vectors than texts, or places that do not name each text once.
    Count(usize),
}

/// `count` vectors in the order of the texts, by their `index` where the provider gives one.
pub(crate) fn read(bytes: &[u8], count: usize) -> Result<Vec<Vec<f32>>, BadAnswer> {
    let answer: Answer = serde_json::from_slice(bytes).map_err(|_| BadAnswer::Form)?;
    let got = answer.data.len();
    if got != count {
        return Err(BadAnswer::Count(got));
    }
    // A single vector can only belong to the single text, and without places only the order is left.
    if count == 1 || answer.data.iter().all(|item| item.index.is_none()) {
        return Ok(answer.data.into_iter().map(|item| item.embedding).collect());
    }
    let mut placed: Vec<Option<Vec<f32>>> = vec![None; count];
    for item in answer.data {
        let place = item
            .index
            .and_then(|index| placed.get_mut(index))
            .filter(|place| place.is_none());
        *place.ok_or(BadAnswer::Count(got))? = Some(item.embedding);
    }
    placed
        .into_iter()
        .collect::<Option<Vec<_>>>()
        .ok_or(BadAnswer::Count(got))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(items: &[(Option<usize>, f32)]) -> Vec<u8> {
        let data: Vec<_> = items
            .iter()
            .map(|(index, value)| serde_json::json!({"index": index, "embedding": [value]}))
            .collect();
        serde_json::json!({"data": data}).to_string().into_bytes()
    }

    #[test]
    fn places_are_honoured() {
        let vectors = read(
            &answer(&[(Some(2), 2.0), (Some(0), 0.0), (Some(1), 1.0)]),
            3,
        )
        .expect("good");
        assert_eq!(vectors, [[0.0], [1.0], [2.0]]);
        let vectors = read(&answer(&[(None, 2.0), (None, 0.0)]), 2).expect("good");
        assert_eq!(vectors, [[2.0], [0.0]]);
        assert_eq!(read(&answer(&[(Some(7), 2.0)]), 1).expect("good"), [[2.0]]);
    }

    #[test]
    fn doubtful_places_are_refused() {
        for items in [
            &[(Some(0), 1.0), (Some(0), 2.0)][..],
            &[(Some(0), 1.0), (Some(9), 2.0)],
            &[(Some(0), 1.0), (None, 2.0)],
            &[(Some(0), 1.0)],
        ] {
            assert_eq!(
                read(&answer(items), 2),
                Err(BadAnswer::Count(items.len())),
                "{items:?}"
            );
        }
    }

    #[test]
    fn other_forms_are_refused() {
        for body in [
            "",
            "[]",
            "{}",
            r#"{"data":[{"embedding":[null]}]}"#,
            r#"{"data":[{"embedding":"AAAA"}]}"#,
        ] {
            assert_eq!(read(body.as_bytes(), 1), Err(BadAnswer::Form), "{body}");
        }
    }
}
