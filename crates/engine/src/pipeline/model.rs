//! The three calls to a language model: entry notes, extraction, merge; and tags beside them where the project has any.

use mneme_core::config::ProfileConfig;
use mneme_core::consolidate;
use mneme_core::distil::prompts::{self, Prompt};
use mneme_core::distil::reader::{self, Unreadable};
use mneme_core::distil::{DatedTurn, Defect, Distilled, EventTag, Fact, Note, Origin, Verdict};
use mneme_core::job::FailureKind;
use mneme_core::memory::{Memory, Slot};
use mneme_core::ports::{Llm, LlmReply, LlmRequest};
use mneme_core::source::SourceKind;
use mneme_core::time::{Anchor, Timestamp, expression, message};
use mneme_core::usage::{CallKind, Usage};

use super::rules::Current;
use super::{Failure, failure, model_failure};
use crate::Engine;
use crate::project::Settings;

/// Low, so that answers keep their form (contract §4).
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
    let known: Vec<Memory> = known
        .iter()
        .filter(|m| {
            !settings.strict
                || m.slot
                    .as_ref()
                    .is_some_and(|slot| ProfileConfig::allows(&settings.topics, slot))
        })
        .cloned()
        .collect();
    let notes = if kind == SourceKind::Summary {
        summary_notes(window)
    } else {
        let prompt = prompts::entry_notes(setting, &known, window);
        ask(
            engine,
            llm,
            CallKind::EntryNotes,
            &prompt,
            usage,
            reader::notes,
        )
        .await?
    };
    let (tag_usage, tags) = (&mut Vec::new(), settings.tags.as_slice());
    let mut read = ReadWindow {
        lines: lines(&notes, window),
        notes: notes.text,
        facts: Vec::new(),
        tags: (!tags.is_empty()).then(Vec::new),
        defects: Vec::new(),
    };
    if read.notes.is_empty() {
        return Ok(read);
    }
    let extract = prompts::extract(setting, &known, &read.notes);
    let tag = prompts::tag(setting, &read.notes);
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
            ask(engine, llm, CallKind::Extract, &tag, tag_usage, |answer| {
                reader::tags(answer, tags)
            })
            .await,
        )
    };
    let (extracted, tagged) = tokio::join!(extracting, tagging);
    usage.append(tag_usage);
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
    read.facts = join_facts(facts, window, settings);
    Ok(read)
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

/// Asks, reads; asks once more when the answer was cut off (with more room) or could not be read.
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
    let mut reply = complete(engine, llm, call, prompt, room, usage).await?;
    if reply.cut_off {
        reply = complete(
            engine,
            llm,
            CallKind::Repair,
            prompt,
            room.saturating_mul(4),
            usage,
        )
        .await?;
        if reply.cut_off {
            return Err(failure(
                stage,
                FailureKind::Parse,
                "the model's answer was cut off twice at its length limit",
            ));
        }
    }
    let first = match parse(&reply.text) {
        Ok(read) => return Ok(read),
        Err(unreadable) => unreadable,
    };
    tracing::info!(stage, reason = %first, "asking again");
    let reply = complete(
        engine,
        llm,
        CallKind::Repair,
        &prompts::again(prompt),
        room,
        usage,
    )
    .await?;
    parse(&reply.text)
        .map_err(|unreadable| failure(stage, FailureKind::Parse, unreadable.to_string()))
}

async fn complete(
    engine: &Engine,
    llm: &dyn Llm,
    call: CallKind,
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
        .map_err(|error| model_failure(call.as_str(), &error))?;
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

fn summary_notes(window: &[DatedTurn]) -> reader::Notes {
    let lines: Vec<String> = window
        .iter()
        .map(|turn| {
            format!(
                "- {}[{}]",
                turn.turn
                    .content
                    .split_whitespace()
                    .collect::<Vec<_>>()
                    .join(" "),
                turn.anchor.at.date_slashed(&turn.anchor.zone)
            )
        })
        .collect();
    reader::Notes {
        text: lines.join("\n"),
        lines,
    }
}

/// The notes' lines with their times: what the line itself says, else the window's last moment.
fn lines(notes: &reader::Notes, window: &[DatedTurn]) -> Vec<Note> {
    let Some(anchor) = last_anchor(window) else {
        return Vec::new();
    };
    let origins = origins(window);
    notes
        .lines
        .iter()
        .map(|line| {
            let said_at = mentioned(line, &anchor).unwrap_or(anchor.at);
            let at = Anchor {
                at: said_at,
                zone: anchor.zone.clone(),
            };
            Note {
                text: line.clone(),
                speaker: None,
                said_at,
                happened: expression::query_interval(line, &at),
                origins: origins.clone(),
            }
        })
        .collect()
}

/// The date of a `[mention …]` mark.
fn mentioned(line: &str, anchor: &Anchor) -> Option<Timestamp> {
    let rest = line.split("[mention ").nth(1)?;
    let date = rest.split([']', ';', ',']).next()?;
    message::read(date.trim(), &anchor.zone).map(|time| time.at)
}

fn last_anchor(window: &[DatedTurn]) -> Option<Anchor> {
    window
        .iter()
        .map(|turn| &turn.anchor)
        .max_by_key(|anchor| anchor.at)
        .cloned()
}

/// The sources of a window, each once.
fn origins(window: &[DatedTurn]) -> Vec<Origin> {
    let mut origins: Vec<Origin> = Vec::new();
    for turn in window.iter().filter(|turn| turn.is_user()) {
        match origins
            .iter_mut()
            .find(|origin| origin.source == turn.source)
        {
            Some(origin) => origin.said_at = origin.said_at.max(turn.anchor.at),
            None => origins.push(Origin {
                source: turn.source,
                turn: None,
                speaker: turn.turn.alias.clone(),
                said_at: turn.anchor.at,
            }),
        }
    }
    origins
}

/// Facts of one slot are one fact (contract §4 step 2); strict mode drops what no slot is configured for.
fn join_facts(read: Vec<(Slot, String)>, window: &[DatedTurn], settings: &Settings) -> Vec<Fact> {
    let said_at = last_anchor(window).map_or(Timestamp(0), |anchor| anchor.at);
    let origins = origins(window);
    let mut facts: Vec<Fact> = Vec::new();
    for (slot, value) in read {
        if settings.strict && !ProfileConfig::allows(&settings.topics, &slot) {
            continue;
        }
        match facts.iter_mut().find(|fact| fact.slot.key() == slot.key()) {
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
    facts
}
