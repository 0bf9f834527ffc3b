//! The three calls to a language model: entry notes, extraction, merge; and tags beside them where the project has any.

use std::collections::HashMap;

use mneme_core::buffer;
use mneme_core::config::ProfileConfig;
use mneme_core::consolidate;
use mneme_core::distil::prompts::{self, Prompt};
use mneme_core::distil::reader::{self, ReadFact, Unreadable};
use mneme_core::distil::{DatedTurn, Defect, Distilled, EventTag, Fact, Note, Verdict};
use mneme_core::job::FailureKind;
use mneme_core::limits::MEMORY_BYTES_MAX;
use mneme_core::memory::{Memory, Slot};
use mneme_core::ports::{Llm, LlmReply, LlmRequest};
use mneme_core::source::SourceKind;
use mneme_core::time::Timestamp;
use mneme_core::usage::{CallKind, Usage};

use super::notes::{last_anchor, lines_of, origins, summary_notes};
use super::rules::Current;
use super::{Failure, failure, model_failure};
use crate::Engine;
use crate::project::Settings;

/// Low, so that answers keep their form.
const TEMPERATURE: f32 = 0.2;

/// What the first two calls made of a window.
#[derive(Debug, Clone)]
pub(super) struct ReadWindow {
    notes: String,
    lines: Vec<Note>,
    facts: Vec<Fact>,
    tags: Option<Vec<EventTag>>,
    defects: Vec<Defect>,
}

impl ReadWindow {
    pub(super) fn without_facts(self) -> Distilled {
        Distilled {
            notes: self.notes,
            lines: self.lines,
            facts: Vec::new(),
            tags: self.tags,
            defects: self.defects,
        }
    }
}

/// Facts as read, and what could not be read.
type ReadFacts = (Vec<ReadFact>, Vec<Defect>);

fn setting(settings: &Settings) -> prompts::Setting<'_> {
    prompts::Setting {
        language: settings.language,
        topics: &settings.topics,
        strict: settings.strict,
        event_theme: settings.event_theme.as_deref(),
        tags: &settings.tags,
    }
}

/// Calls 1 and 2. A summary is its own notes.
pub(super) async fn read(
    engine: &Engine,
    llm: &dyn Llm,
    settings: &Settings,
    known: &[Memory],
    kind: SourceKind,
    window: &[DatedTurn],
    usage: &mut Vec<Usage>,
) -> Result<ReadWindow, Failure> {
    let setting = setting(settings);
    let known = in_force(known, settings);
    let (notes, lines) = if kind == SourceKind::Summary {
        summary_notes(window)
    } else {
        let prompt = prompts::entry_notes(setting, &known, window);
        let notes = ask(
            engine,
            llm,
            CallKind::EntryNotes,
            &prompt,
            usage,
            reader::notes,
        )
        .await?;
        let lines = lines_of(&notes, window);
        (notes.text, lines)
    };
    let mut read = ReadWindow {
        notes,
        lines,
        facts: Vec::new(),
        tags: (!settings.tags.is_empty()).then(Vec::new),
        defects: Vec::new(),
    };
    if read.notes.is_empty() {
        return Ok(read);
    }
    let (extracted, tagged) =
        facts_and_tags(engine, llm, settings, &known, &read.notes, usage).await;
    let (facts, defects) = extracted?;
    read.defects.extend(defects);
    match tagged {
        Some(Ok(found)) => read.tags = Some(found),
        // Tags are an extra: an event without them is better than no event.
        Some(Err(failed)) => read.defects.push(Defect {
            stage: "tag".to_owned(),
            message: failed.error.message,
        }),
        None => {}
    }
    read.facts = join_facts(facts, window, settings, &mut read.defects);
    Ok(read)
}

/// What is known in the slots that may be used.
fn in_force(known: &[Memory], settings: &Settings) -> Vec<Memory> {
    let allowed = |memory: &&Memory| {
        let slot = memory.slot.as_ref();
        !settings.strict || slot.is_some_and(|slot| ProfileConfig::allows(&settings.topics, slot))
    };
    known.iter().filter(allowed).cloned().collect()
}

/// Call 2 and, where the project has tags, the call for them beside it.
async fn facts_and_tags(
    engine: &Engine,
    llm: &dyn Llm,
    settings: &Settings,
    known: &[Memory],
    notes: &str,
    usage: &mut Vec<Usage>,
) -> (
    Result<ReadFacts, Failure>,
    Option<Result<Vec<EventTag>, Failure>>,
) {
    let (setting, tags) = (setting(settings), settings.tags.as_slice());
    let mut tag_usage = Vec::new();
    let extract = prompts::extract(setting, known, notes);
    let tag = prompts::tag(setting, notes);
    let extracting = ask(
        engine,
        llm,
        CallKind::Extract,
        &extract,
        usage,
        reader::facts,
    );
    let tagging = async {
        if tags.is_empty() {
            return None;
        }
        Some(
            ask(
                engine,
                llm,
                CallKind::Extract,
                &tag,
                &mut tag_usage,
                |answer| reader::tags(answer, tags),
            )
            .await,
        )
    };
    let answers = tokio::join!(extracting, tagging);
    usage.append(&mut tag_usage);
    answers
}

/// Call 3: verdicts on the facts, against what the slots hold.
pub(super) async fn judge(
    engine: &Engine,
    llm: &dyn Llm,
    settings: &Settings,
    read: &ReadWindow,
    current: &Current,
    usage: &mut Vec<Usage>,
) -> Result<Distilled, Failure> {
    let mut defects = read.defects.clone();
    let (judged, direct): (Vec<&Fact>, Vec<&Fact>) = read
        .facts
        .iter()
        .partition(|fact| must_be_judged(fact, settings, current));
    let mut facts: Vec<(Fact, Verdict)> = direct
        .into_iter()
        .map(|fact| (fact.clone(), Verdict::Append))
        .collect();
    if !judged.is_empty() {
        let records: Vec<(&Fact, Option<&str>)> = judged
            .iter()
            .map(|fact| (*fact, current.get(&fact.slot)))
            .collect();
        let prompt = prompts::merge(setting(settings), &records);
        let (verdicts, merge_defects) =
            ask(engine, llm, CallKind::Merge, &prompt, usage, |answer| {
                reader::verdicts(answer, records.len())
            })
            .await?;
        defects.extend(merge_defects);
        for (index, (fact, content)) in records.into_iter().enumerate() {
            let verdict = verdicts
                .get(&index)
                .cloned()
                .unwrap_or_else(|| fallback(fact, content));
            facts.push((fact.clone(), verdict));
        }
    }
    Ok(Distilled {
        notes: read.notes.clone(),
        lines: read.lines.clone(),
        facts,
        tags: read.tags.clone(),
        defects,
    })
}

fn must_be_judged(fact: &Fact, settings: &Settings, current: &Current) -> bool {
    let validated = ProfileConfig::sub_topic(&settings.topics, &fact.slot)
        .is_some_and(|spec| spec.validate_value);
    settings.validate || validated || current.get(&fact.slot).is_some()
}

/// A record without a usable verdict is kept rather than lost.
fn fallback(fact: &Fact, content: Option<&str>) -> Verdict {
    match content {
        Some(content) if consolidate::holds(content, &fact.value) => Verdict::Abort,
        _ => Verdict::Append,
    }
}

/// Asks and reads. Asks once more, and only once, when the answer was cut off (then with more room) or could not be
/// read. An answer that is not whole even then is a failure: nobody knows what is missing from it.
async fn ask<T>(
    engine: &Engine,
    llm: &dyn Llm,
    call: CallKind,
    prompt: &Prompt,
    usage: &mut Vec<Usage>,
    parse: impl Fn(&str) -> Result<T, Unreadable>,
) -> Result<T, Failure> {
    let stage = call.as_str();
    let room = engine.options().answer_tokens_max;
    let reply = complete(engine, llm, (stage, call), prompt, room, usage).await?;
    let (again, room) = if reply.cut_off {
        tracing::info!(stage, "the answer was cut off; asking again with more room");
        (prompt.clone(), room.saturating_mul(4))
    } else {
        match parse(&reply.text) {
            Ok(read) => return Ok(read),
            Err(unreadable) => {
                tracing::info!(stage, reason = %unreadable, "asking again");
                (prompts::again(prompt), room)
            }
        }
    };
    let reply = complete(engine, llm, (stage, CallKind::Repair), &again, room, usage).await?;
    if reply.cut_off {
        let message = "the model's answer was cut off at its length limit";
        return Err(failure(stage, FailureKind::Parse, message));
    }
    parse(&reply.text)
        .map_err(|unreadable| failure(stage, FailureKind::Parse, unreadable.to_string()))
}

/// One call, booked. The stage is what a failure is about, also when the call is a repair of that stage.
async fn complete(
    engine: &Engine,
    llm: &dyn Llm,
    (stage, call): (&str, CallKind),
    prompt: &Prompt,
    room: u32,
    usage: &mut Vec<Usage>,
) -> Result<LlmReply, Failure> {
    let request = LlmRequest {
        system: prompt.system.clone(),
        user: prompt.user.clone(),
        answer_tokens_max: room,
        temperature: TEMPERATURE,
    };
    let reply = llm
        .complete(&request)
        .await
        .map_err(|error| model_failure(stage, &error))?;
    let (prompt_tokens, completion_tokens) = match reply.tokens {
        Some(counted) => counted,
        None => {
            let counts = engine
                .inner
                .parts
                .tokens
                .count(vec![request.system, request.user, reply.text.clone()])
                .await;
            let count = |index: usize| counts.get(index).copied().map_or(0, u64::from);
            (count(0) + count(1), count(2))
        }
    };
    usage.push(Usage {
        call,
        calls: 1,
        prompt_tokens,
        completion_tokens,
    });
    Ok(reply)
}

/// Facts of one slot are one fact; strict mode drops what no slot is configured for.
fn join_facts(
    read: Vec<(Slot, String)>,
    window: &[DatedTurn],
    settings: &Settings,
    defects: &mut Vec<Defect>,
) -> Vec<Fact> {
    let said_at = last_anchor(window).map_or(Timestamp(0), |anchor| anchor.at);
    let origins = origins(window);
    let mut facts: Vec<Fact> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    for (slot, value) in read {
        if settings.strict && !ProfileConfig::allows(&settings.topics, &slot) {
            continue;
        }
        let place = *places.entry(slot.key()).or_insert(facts.len());
        match facts.get_mut(place) {
            Some(fact) if consolidate::holds(&fact.value, &value) => {}
            Some(fact) => {
                fact.value.push_str("; ");
                fact.value.push_str(&value);
            }
            None => facts.push(Fact {
                slot,
                value,
                said_at,
                origins: origins.clone(),
            }),
        }
    }
    for fact in &mut facts {
        // The whole text stays in the event's gists.
        if let [first, _, ..] = buffer::split_text(&fact.value, MEMORY_BYTES_MAX)[..] {
            fact.value = first.trim().to_owned();
            let message = "a value is longer than a slot may be; the rest of it is in the event";
            defects.push(Defect {
                stage: "extract".to_owned(),
                message: message.to_owned(),
            });
        }
    }
    facts
}
