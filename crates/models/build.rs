//! Compiles the vocabularies of the built-in models into maps that are read in place.
//!
//! A vocabulary as a hash map costs tens of megabytes per process and parsing its JSON costs start-up time. A finite
//! state transducer is a tenth of that, lies in the binary, and only the pages that are used are loaded.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

use base64::Engine as _;
use serde_json::Value;

type Outcome<T> = Result<T, Box<dyn Error>>;
/// Byte strings with a number each.
type Entries = Vec<(Vec<u8>, u64)>;

fn main() -> Outcome<()> {
    let models = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?).join("../../models");
    let out = PathBuf::from(env::var("OUT_DIR")?);
    println!("cargo::rerun-if-changed=build.rs");

    let pieces = word_pieces(&input(&models, "static-minilm-256-int8/tokenizer.json")?)?;
    compile(pieces, &out.join("static-minilm-256.pieces.fst"))?;

    let ranks = byte_ranks(&input(&models, "o200k/o200k_base.tiktoken")?)?;
    compile(ranks, &out.join("o200k.ranks.fst"))?;

    if env::var_os("CARGO_FEATURE_LOCAL_EMBEDDER").is_some() {
        let (pieces, scores) = unigram(&input(&models, "e5-small-enzh-tokenizer.json")?)?;
        compile(pieces, &out.join("e5-small-enzh.pieces.fst"))?;
        fs::write(out.join("e5-small-enzh.scores.f32"), scores)?;
    }
    Ok(())
}

fn input(models: &Path, name: &str) -> Outcome<Vec<u8>> {
    let path = models.join(name);
    println!("cargo::rerun-if-changed={}", path.display());
    fs::read(&path).map_err(|error| format!("{}: {error}", path.display()).into())
}

fn compile(mut entries: Entries, to: &Path) -> Outcome<()> {
    entries.sort_unstable();
    let mut map = fst::MapBuilder::memory();
    for (key, value) in entries {
        map.insert(key, value)?;
    }
    Ok(fs::write(to, map.into_inner()?)?)
}

/// Pieces and ids of a WordPiece vocabulary. Marks such as `[CLS]` are left out: text cannot spell them.
fn word_pieces(json: &[u8]) -> Outcome<Entries> {
    let tokenizer: Value = serde_json::from_slice(json)?;
    let vocabulary = tokenizer
        .pointer("/model/vocab")
        .and_then(Value::as_object)
        .ok_or("no /model/vocab")?;
    let mut entries = Vec::with_capacity(vocabulary.len());
    for (piece, id) in vocabulary {
        let mark = piece.len() > 2 && piece.starts_with('[') && piece.ends_with(']');
        if !mark {
            entries.push((
                piece.clone().into_bytes(),
                id.as_u64().ok_or("an id is no number")?,
            ));
        }
    }
    Ok(entries)
}

/// Pieces and ids of a Unigram vocabulary, and the scores by id as little-endian f32. The first four pieces are marks
/// that text cannot spell.
fn unigram(json: &[u8]) -> Outcome<(Entries, Vec<u8>)> {
    let tokenizer: Value = serde_json::from_slice(json)?;
    let vocabulary = tokenizer
        .pointer("/model/vocab")
        .and_then(Value::as_array)
        .ok_or("no /model/vocab")?;
    let mut entries = Vec::with_capacity(vocabulary.len());
    let mut scores = Vec::with_capacity(vocabulary.len() * 4);
    for (id, pair) in vocabulary.iter().enumerate() {
        let piece = pair
            .get(0)
            .and_then(Value::as_str)
            .ok_or("a piece is no text")?;
        let score = pair
            .get(1)
            .and_then(Value::as_f64)
            .ok_or("a score is no number")? as f32;
        scores.extend_from_slice(&score.to_le_bytes());
        if id >= 4 {
            entries.push((piece.as_bytes().to_vec(), id as u64));
        }
    }
    Ok((entries, scores))
}

/// Byte strings and ranks of a tiktoken file: one `base64 rank` per line.
fn byte_ranks(file: &[u8]) -> Outcome<Entries> {
    let mut entries = Vec::new();
    for line in std::str::from_utf8(file)?.lines() {
        let (bytes, rank) = line.split_once(' ').ok_or("a line without a rank")?;
        entries.push((
            base64::engine::general_purpose::STANDARD.decode(bytes)?,
            rank.parse()?,
        ));
    }
    Ok(entries)
}
