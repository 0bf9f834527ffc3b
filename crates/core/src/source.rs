//! Sources: the immutable things that we were told, and the turns inside them.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::id::{SourceId, SubScope};
use crate::time::Timestamp;

/// What kind of thing a source is. The names are Memobase's blob types.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SourceKind {
    /// Turns between speakers.
    Chat,
    /// A summary that somebody else made of a conversation.
    Summary,
    /// A document.
    Doc,
    /// A picture, by address or inline.
    Image,
    /// A piece of program text.
    Code,
    /// Timed spoken turns.
    Transcript,
}

impl SourceKind {
    /// All kinds, in the order of their declaration.
    pub const ALL: [Self; 6] = [
        Self::Chat,
        Self::Summary,
        Self::Doc,
        Self::Image,
        Self::Code,
        Self::Transcript,
    ];

    /// The name on the wire and in the stores.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Chat => "chat",
            Self::Summary => "summary",
            Self::Doc => "doc",
            Self::Image => "image",
            Self::Code => "code",
            Self::Transcript => "transcript",
        }
    }

    /// The kind of that name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }

    /// Whether sources of this kind wait in the buffer to be distilled. The others are kept as they are.
    #[must_use]
    pub fn is_distilled(self) -> bool {
        matches!(self, Self::Chat | Self::Summary | Self::Transcript)
    }
}

/// Who speaks. Only what the user says becomes memory about the user.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The person whom the memory is about.
    User,
    /// The model that talks with them.
    Assistant,
    /// Another person in the conversation.
    Other,
    /// Instructions of the application.
    System,
    /// The output of a tool.
    Tool,
}

impl Role {
    /// The name on the wire and in the text form.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Assistant => "assistant",
            Self::Other => "other",
            Self::System => "system",
            Self::Tool => "tool",
        }
    }

    /// The role of that name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        [
            Self::User,
            Self::Assistant,
            Self::Other,
            Self::System,
            Self::Tool,
        ]
        .into_iter()
        .find(|role| role.as_str() == name)
    }
}

/// One thing that one speaker said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Turn {
    /// Who spoke.
    pub role: Role,
    /// The speaker's own name, if the caller gave one.
    pub alias: Option<String>,
    /// The words.
    pub content: String,
    /// When it was said, in the caller's own words: any format, even a date of a story.
    pub created_at: Option<String>,
}

impl Turn {
    /// `alias(role)` where there is an alias, else the role: the name in the text form that is counted and sent to
    /// models.
    #[must_use]
    pub fn display_name(&self) -> String {
        match self.alias.as_deref() {
            Some(alias) if !alias.is_empty() => format!("{alias}({})", self.role.as_str()),
            _ => self.role.as_str().to_owned(),
        }
    }
}

/// A source as it is stored.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Source {
    /// Its id; the Memobase dialect calls it the blob id.
    pub id: SourceId,
    /// Agent and session.
    pub scope: SubScope,
    /// What it is.
    pub kind: SourceKind,
    /// The validated content in the shape of its kind (Memobase's `blob_data`).
    pub body: Value,
    /// Whatever the caller keeps beside it.
    pub fields: Option<Value>,
    /// When the caller says that it was made; otherwise equal to `received_at`.
    pub said_at: Timestamp,
    /// When we took it in.
    pub received_at: Timestamp,
}

impl Source {
    /// The turns of a chat or transcript; a summary or document is a single turn of nobody. Images and code have none.
    #[must_use]
    pub fn turns(&self) -> Vec<Turn> {
        let text = |key: &str| {
            self.body
                .get(key)
                .and_then(Value::as_str)
                .unwrap_or_default()
                .to_owned()
        };
        match self.kind {
            SourceKind::Chat => self.list("messages").filter_map(turn_of_message).collect(),
            SourceKind::Transcript => self
                .list("transcripts")
                .filter_map(turn_of_transcript)
                .collect(),
            SourceKind::Summary => vec![Turn {
                role: Role::User,
                alias: None,
                content: text("summary"),
                created_at: None,
            }],
            SourceKind::Doc => vec![Turn {
                role: Role::Other,
                alias: None,
                content: text("content"),
                created_at: None,
            }],
            SourceKind::Image | SourceKind::Code => Vec::new(),
        }
    }

    fn list(&self, key: &str) -> impl Iterator<Item = &Map<String, Value>> {
        self.body
            .get(key)
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(Value::as_object)
    }
}

fn turn_of_message(message: &Map<String, Value>) -> Option<Turn> {
    let text = |key: &str| message.get(key).and_then(Value::as_str).map(str::to_owned);
    Some(Turn {
        role: Role::parse(message.get("role")?.as_str()?)?,
        alias: text("alias"),
        content: text("content")?,
        created_at: text("created_at"),
    })
}

fn turn_of_transcript(line: &Map<String, Value>) -> Option<Turn> {
    let text = |key: &str| line.get(key).and_then(Value::as_str).map(str::to_owned);
    Some(Turn {
        role: Role::Other,
        alias: text("speaker"),
        content: text("content")?,
        created_at: None,
    })
}
