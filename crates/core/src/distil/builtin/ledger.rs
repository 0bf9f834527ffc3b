//! What each slot holds while a batch is read, and the verdicts that come out of it.

use std::collections::HashMap;

use super::field::{Change, Field, Finding};
use super::items::{contains_words, items, words};
use crate::distil::{DatedTurn, Fact, Language, Origin, Verdict};
use crate::memory::Slot;

/// What the caller knows of the slots.
pub(super) type Current<'a> = &'a dyn Fn(&Slot) -> Option<String>;

/// The slots that the batch has touched, in the order of the first touch.
pub(super) struct Ledger<'a> {
    current: Current<'a>,
    entries: Vec<Entry>,
    places: HashMap<String, usize>,
}

struct Entry {
    slot: Slot,
    /// The content before the batch.
    before: Option<String>,
    /// The content as of now.
    now: Option<String>,
    /// What was said that is new, in order.
    news: Vec<String>,
    /// What was said and known already.
    known: Vec<String>,
    /// Whether something that stood there is gone.
    replaced: bool,
    fact_said_at: crate::time::Timestamp,
    origins: Vec<Origin>,
}

impl<'a> Ledger<'a> {
    pub(super) fn new(current: Current<'a>) -> Self {
        Self {
            current,
            entries: Vec::new(),
            places: HashMap::new(),
        }
    }

    /// Enters what a turn says.
    pub(super) fn enter(&mut self, finding: Finding, language: Language, turn: &DatedTurn) {
        let Finding {
            field,
            value,
            change,
        } = finding;
        let field = if field == Field::Nickname {
            self.name_or_nickname(&value, language)
        } else {
            field
        };
        match (field, change) {
            (Field::Likes, Change::Is) => {
                self.add(field, &value, language, turn);
                self.remove(Field::Dislikes, &value, language, turn);
            }
            (Field::Dislikes, Change::Is) => {
                self.add(field, &value, language, turn);
                self.remove(Field::Likes, &value, language, turn);
            }
            (_, Change::Is) if field.is_single() => self.set(field, value, language, turn),
            (_, Change::Is) => self.add(field, &value, language, turn),
            (_, Change::WasOnly | Change::IsNot) if field.is_single() => {
                self.end(field, &value, change, language, turn);
            }
            (_, Change::WasOnly | Change::IsNot) => self.remove(field, &value, language, turn),
        }
    }

    /// The facts with their verdicts: one per slot.
    pub(super) fn facts(self) -> Vec<(Fact, Verdict)> {
        self.entries
            .into_iter()
            .filter_map(Entry::into_fact)
            .collect()
    }

    /// "Call me X" names a user who has no name yet; otherwise it is a name beside the name.
    fn name_or_nickname(&mut self, value: &str, language: Language) -> Field {
        match self.peek(&Field::Name.slot(language)) {
            Some(name) if !contains_words(&words(&name), &words(value)) => Field::Nickname,
            _ => Field::Name,
        }
    }

    fn set(&mut self, field: Field, value: String, language: Language, turn: &DatedTurn) {
        let entry = self.entry(field, language, turn);
        let is_same = entry.now.as_deref().is_some_and(|now| {
            let fuller = field.keeps_fuller_value()
                && !is_marked(now)
                && contains_words(&words(now), &words(&value));
            fuller || same(now, &value)
        });
        if is_same {
            entry.known.push(value);
        } else {
            entry.now = Some(value.clone());
            entry.news = vec![value];
            entry.replaced = true;
        }
    }

    fn add(&mut self, field: Field, value: &str, language: Language, turn: &DatedTurn) {
        let entry = self.entry(field, language, turn);
        for item in items(value) {
            // What the user once liked and a marker still names does not count as known.
            let valid = entry
                .now
                .iter()
                .flat_map(|now| now.split([';', '；']))
                .filter(|part| !is_marked(part))
                .collect::<Vec<_>>();
            if valid
                .iter()
                .any(|part| contains_words(&words(part), &words(item)))
            {
                entry.known.push(item.to_owned());
                continue;
            }
            entry.replaced |= entry.now.is_some() && valid.is_empty();
            entry.now = Some(if valid.is_empty() {
                item.to_owned()
            } else {
                format!("{}; {item}", valid.join(";").trim())
            });
            entry.news.push(item.to_owned());
        }
    }

    /// Takes things out of a list. A list never becomes empty: its last thing leaves a marker.
    fn remove(&mut self, field: Field, value: &str, language: Language, turn: &DatedTurn) {
        let Some(now) = self.peek(&field.slot(language)) else {
            return;
        };
        let gone = items(value).into_iter().map(words).collect::<Vec<_>>();
        let whole = words(value);
        let valid = now
            .split([';', '；'])
            .filter(|part| !is_marked(part))
            .flat_map(items);
        let (out, kept): (Vec<&str>, Vec<&str>) = valid.partition(|part| {
            let part = words(part);
            part == whole || gone.contains(&part)
        });
        if out.is_empty() {
            return;
        }
        let marker = match (language, field) {
            (Language::En, _) => format!("(not any more: {})", out.join(", ")),
            (Language::Zh, Field::Dislikes) => format!("（不再讨厌：{}）", out.join("、")),
            (Language::Zh, _) => format!("（不再喜欢：{}）", out.join("、")),
        };
        let rest = if kept.is_empty() {
            marker.clone()
        } else {
            kept.join("; ")
        };
        let entry = self.entry(field, language, turn);
        entry.now = Some(rest);
        entry.news.retain(|news| !gone.contains(&words(news)));
        entry.news.push(marker);
        entry.replaced = true;
    }

    /// Something single is over: it must be what the slot holds. An empty slot takes what was once so, too.
    fn end(
        &mut self,
        field: Field,
        value: &str,
        change: Change,
        language: Language,
        turn: &DatedTurn,
    ) {
        let applies = match self.peek(&field.slot(language)) {
            Some(now) => same(&now, value),
            None => change == Change::WasOnly,
        };
        if !applies {
            return;
        }
        let marked = match language {
            Language::En => format!("(formerly {value})"),
            Language::Zh => format!("（曾经：{value}）"),
        };
        let entry = self.entry(field, language, turn);
        entry.now = Some(marked.clone());
        entry.news = vec![marked];
        entry.replaced = true;
    }

    /// What a slot holds as of now.
    fn peek(&self, slot: &Slot) -> Option<String> {
        match self
            .places
            .get(&slot.key())
            .and_then(|&place| self.entries.get(place))
        {
            Some(entry) => entry.now.clone(),
            None => self.known(slot),
        }
    }

    fn known(&self, slot: &Slot) -> Option<String> {
        (self.current)(slot).filter(|content| !content.trim().is_empty())
    }

    /// The entry of a slot, with this turn among its origins.
    fn entry(&mut self, field: Field, language: Language, turn: &DatedTurn) -> &mut Entry {
        let slot = field.slot(language);
        let key = slot.key();
        let place = match self.places.get(&key) {
            Some(&place) => place,
            None => {
                let now = self.known(&slot);
                self.places.insert(key, self.entries.len());
                self.entries.push(Entry {
                    slot,
                    before: now.clone(),
                    now,
                    news: Vec::new(),
                    known: Vec::new(),
                    replaced: false,
                    fact_said_at: turn.anchor.at,
                    origins: Vec::new(),
                });
                self.entries.len() - 1
            }
        };
        let entry = &mut self.entries[place];
        entry.fact_said_at = turn.anchor.at;
        let origin = super::origin_of(turn);
        if entry.origins.last() != Some(&origin) {
            entry.origins.push(origin);
        }
        entry
    }
}

impl Entry {
    fn into_fact(self) -> Option<(Fact, Verdict)> {
        let verdict = match (self.news.is_empty(), self.replaced, self.now) {
            (true, _, _) => Verdict::Abort,
            // There and back again.
            (false, true, Some(now)) if self.before.as_ref() == Some(&now) => Verdict::Abort,
            (false, true, Some(now)) => Verdict::Update(now),
            (false, _, _) => Verdict::Append,
        };
        let mut said = if self.news.is_empty() {
            self.known
        } else {
            self.news
        };
        said.dedup();
        let fact = Fact {
            slot: self.slot,
            value: said.join("; "),
            said_at: self.fact_said_at,
            origins: self.origins,
        };
        (!fact.value.is_empty()).then_some((fact, verdict))
    }
}

/// Whether two values are the same but for case, blanks and signs. Numbers must agree.
fn same(one: &str, other: &str) -> bool {
    words(one).concat() == words(other).concat() && is_marked(one) == is_marked(other)
}

/// Whether a content only says what is no longer so.
fn is_marked(text: &str) -> bool {
    ["(formerly ", "(not any more: ", "（曾经：", "（不再"]
        .iter()
        .any(|marker| text.trim_start().starts_with(marker))
}
