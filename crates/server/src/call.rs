//! A request as a handler sees it: who asks, the path's parts, the query and the body, read leniently, all shape
//! errors gathered.

use axum::extract::{FromRequest, FromRequestParts, RawPathParams, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method};
use mneme_core::id::{ProjectId, UserId, UserKey};
use mneme_core::limits::PAGE_ROWS_MAX;
use mneme_core::source::SourceKind;
use mneme_engine::Engine;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use uuid::Uuid;

use crate::app::AppState;
use crate::body::{self, Payload};
use crate::coerce;
use crate::error::Failure;
use crate::query::Query;
use crate::uuid_param;
use crate::validation::{Flaw, Flaws, read_typed};

/// A request that was let through.
pub(crate) struct Call {
    /// The verbs.
    pub(crate) engine: Engine,
    /// The tenant whose token came with it.
    pub(crate) project: ProjectId,
    /// The header lines.
    pub(crate) headers: HeaderMap,
    fields: Fields,
}

impl Call {
    /// Reads what the handler needs. When anything in it had the wrong shape, all of that is the answer (HTTP 422).
    pub(crate) fn read<T>(
        &mut self,
        read: impl FnOnce(&mut Fields) -> Option<T>,
    ) -> Result<T, Failure> {
        let value = read(&mut self.fields);
        let flaws = std::mem::take(&mut self.fields.flaws);
        match value {
            Some(value) if flaws.is_empty() => Ok(value),
            None if flaws.is_empty() => {
                Err(Failure::internal("a field was refused without a reason"))
            }
            _ => Err(Failure::Shape(flaws.into_vec())),
        }
    }

    /// The user that the path names, in the project of the token.
    pub(crate) fn user(&mut self) -> Result<UserKey, Failure> {
        self.read(Fields::user)
    }
}

impl FromRequest<AppState> for Call {
    type Rejection = Failure;

    async fn from_request(request: Request, app: &AppState) -> Result<Self, Failure> {
        let (mut parts, body) = request.into_parts();
        let project = parts
            .extensions
            .get::<ProjectId>()
            .cloned()
            .ok_or_else(|| Failure::internal("a route without a token check"))?;
        let path = path_parts(&mut parts, app).await?;
        let payload = match parts.method {
            Method::POST | Method::PUT => {
                body::read(&parts.headers, body, app.limits.body_bytes_max).await?
            }
            _ => Payload::Absent,
        };
        let query = Query::parse(parts.uri.query().unwrap_or_default());
        let fields = Fields {
            project: project.clone(),
            path,
            query,
            payload,
            flaws: Flaws::default(),
        };
        Ok(Self {
            engine: app.engine.clone(),
            project,
            headers: parts.headers,
            fields,
        })
    }
}

async fn path_parts(parts: &mut Parts, app: &AppState) -> Result<Vec<(String, String)>, Failure> {
    let params = RawPathParams::from_request_parts(parts, app).await;
    let params = params.map_err(|_| {
        Failure::Shape(vec![Flaw::at(
            "path",
            "path",
            "string_unicode",
            "Input should be valid UTF-8",
            None,
        )])
    })?;
    Ok(params
        .iter()
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect())
}

/// The readable parts of a request. Each reader returns `None` after it noted what is wrong.
#[derive(Debug)]
pub(crate) struct Fields {
    project: ProjectId,
    path: Vec<(String, String)>,
    query: Query,
    payload: Payload,
    flaws: Flaws,
}

impl Fields {
    // -------------------------------------------------------------------------------------------- path

    /// `{user_id}`.
    pub(crate) fn user(&mut self) -> Option<UserKey> {
        let user = UserId(self.path_uuid("user_id")?);
        Some(UserKey {
            project: self.project.clone(),
            user,
        })
    }

    /// An id in the path.
    pub(crate) fn path_uuid(&mut self, name: &str) -> Option<Uuid> {
        let text = self.path_text(name)?;
        match uuid_param::parse(&text) {
            Ok(id) => Some(id),
            Err(fault) => {
                let (kind, message) = fault.describe();
                self.refuse(Flaw::at("path", name, kind, message, Some(&text)))
            }
        }
    }

    /// A kind of source in the path.
    pub(crate) fn path_kind(&mut self, name: &str) -> Option<SourceKind> {
        let text = self.path_text(name)?;
        match SourceKind::parse(&text) {
            Some(kind) => Some(kind),
            None => self.refuse(Flaw::at(
                "path",
                name,
                "enum",
                &format!(
                    "Input should be {}",
                    one_of(SourceKind::ALL.map(SourceKind::as_str))
                ),
                Some(&text),
            )),
        }
    }

    fn path_text(&mut self, name: &str) -> Option<String> {
        match self.path.iter().find(|(key, _)| key == name) {
            Some((_, value)) => Some(value.clone()),
            None => self.refuse(Flaw::missing("path", name)),
        }
    }

    // -------------------------------------------------------------------------------------------- query

    /// A flag in the query.
    pub(crate) fn flag(&mut self, name: &str, default: bool) -> Option<bool> {
        let read = self.scalar(
            name,
            coerce::flag,
            "bool_parsing",
            "Input should be a valid boolean, unable to interpret input",
        )?;
        Some(read.unwrap_or(default))
    }

    /// An integer in the query, if it is there.
    pub(crate) fn maybe_int(&mut self, name: &str) -> Option<Option<i64>> {
        self.scalar(
            name,
            coerce::int,
            "int_parsing",
            "Input should be a valid integer, unable to parse string as an integer",
        )
    }

    /// An integer in the query.
    pub(crate) fn int(&mut self, name: &str, default: i64) -> Option<i64> {
        Some(self.maybe_int(name)?.unwrap_or(default))
    }

    /// A number in the query.
    pub(crate) fn float(&mut self, name: &str, default: f64) -> Option<f64> {
        let read = self.scalar(
            name,
            coerce::float,
            "float_parsing",
            "Input should be a valid number, unable to parse string as a number",
        )?;
        Some(read.unwrap_or(default))
    }

    /// A text in the query that must be there.
    pub(crate) fn text(&mut self, name: &str) -> Option<String> {
        match self.query.last(name) {
            Some(text) => Some(text.to_owned()),
            None => self.refuse(Flaw::missing("query", name)),
        }
    }

    /// A text in the query that may be there.
    pub(crate) fn maybe_text(&self, name: &str) -> Option<String> {
        self.query.last(name).map(str::to_owned)
    }

    /// A list in the query, each value trimmed.
    pub(crate) fn maybe_list(&self, name: &str) -> Option<Vec<String>> {
        self.query.all(name).map(|values| {
            values
                .into_iter()
                .map(|value| value.trim().to_owned())
                .collect()
        })
    }

    /// A name of a fixed set in the query.
    pub(crate) fn choice<T>(
        &mut self,
        name: &str,
        default: &str,
        parse: impl FnOnce(&str) -> Option<T>,
        names: &[&str],
    ) -> Option<T> {
        let text = self.query.last(name).unwrap_or(default).to_owned();
        match parse(&text) {
            Some(value) => Some(value),
            None => self.refuse(Flaw::at(
                "query",
                name,
                "enum",
                &format!("Input should be {}", one_of(names.iter().copied())),
                Some(&text),
            )),
        }
    }

    fn scalar<T>(
        &mut self,
        name: &str,
        coerce: fn(&str) -> Option<T>,
        kind: &'static str,
        message: &str,
    ) -> Option<Option<T>> {
        let Some(text) = self.query.last(name) else {
            return Some(None);
        };
        match coerce(text) {
            Some(value) => Some(Some(value)),
            None => {
                let flaw = Flaw::at("query", name, kind, message, Some(text));
                self.refuse(flaw)
            }
        }
    }

    // -------------------------------------------------------------------------------------------- body

    /// The body, which must be a JSON object.
    pub(crate) fn body_object(&mut self) -> Option<Map<String, Value>> {
        match std::mem::take(&mut self.payload) {
            Payload::Json(Value::Object(map), _) => Some(map),
            Payload::Absent | Payload::Json(Value::Null, _) => {
                self.refuse(Flaw::body("missing", "Field required"))
            }
            Payload::Json(..) => self.refuse(Flaw::body(
                "model_attributes_type",
                "Input should be a valid dictionary or object to extract fields from",
            )),
            Payload::Flawed(flaw) => self.refuse(flaw),
        }
    }

    /// The body, which must be a JSON object of that shape. Unknown keys are ignored.
    pub(crate) fn body<T: DeserializeOwned>(&mut self) -> Option<T> {
        let map = self.body_object()?;
        self.shaped(map)
    }

    /// An object of the body as a `T`.
    pub(crate) fn shaped<T: DeserializeOwned>(&mut self, map: Map<String, Value>) -> Option<T> {
        match read_typed(Value::Object(map)) {
            Ok(value) => Some(value),
            Err(misfit) => self.refuse(misfit.into_flaw()),
        }
    }

    /// How many bytes the body had.
    pub(crate) fn body_bytes(&self) -> usize {
        match self.payload {
            Payload::Json(_, bytes) => bytes,
            Payload::Absent | Payload::Flawed(_) => 0,
        }
    }

    /// Notes an error.
    pub(crate) fn refuse<T>(&mut self, flaw: Flaw) -> Option<T> {
        self.flaws.push(flaw);
        None
    }
}

/// A count of rows that a caller may ask for: not negative, and at most [`PAGE_ROWS_MAX`].
pub(crate) fn rows(name: &str, value: i64) -> Result<usize, Failure> {
    let rows = usize::try_from(value)
        .map_err(|_| Failure::invalid(format!("{name} must not be negative")))?;
    Ok(rows.min(PAGE_ROWS_MAX))
}

/// `'a', 'b' or 'c'`.
fn one_of<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let quoted: Vec<String> = names.into_iter().map(|name| format!("'{name}'")).collect();
    match quoted.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn fields(query: &str, payload: Payload) -> Fields {
        let path = vec![
            ("user_id".to_owned(), "bob".to_owned()),
            ("blob_type".to_owned(), "chat".to_owned()),
        ];
        Fields {
            project: ProjectId::root(),
            path,
            query: Query::parse(query),
            payload,
            flaws: Flaws::default(),
        }
    }

    #[test]
    fn all_errors_are_gathered() {
        let mut fields = fields("wait=maybe&topk=&ratio=x&status=gone", Payload::Absent);
        assert_eq!(fields.user(), None);
        assert_eq!(fields.path_kind("blob_type"), Some(SourceKind::Chat));
        assert_eq!(fields.flag("wait", false), None);
        assert_eq!(fields.int("topk", 10), None);
        assert_eq!(fields.float("ratio", 0.6), None);
        assert_eq!(fields.text("query"), None);
        assert_eq!(
            fields.choice(
                "status",
                "a",
                |text| ["a", "b"].into_iter().find(|name| *name == text),
                &["a", "b"]
            ),
            None
        );
        assert_eq!(fields.body::<Value>(), None);
        let detail = serde_json::to_value(fields.flaws.into_vec()).unwrap();
        insta::assert_json_snapshot!(detail);
    }

    #[test]
    fn defaults_stand_in_for_what_is_not_there() {
        let mut fields = fields("", Payload::Json(json!({"a": 1}), 7));
        assert_eq!(fields.flag("wait", true), Some(true));
        assert_eq!(fields.maybe_int("topk"), Some(None));
        assert_eq!(fields.int("topk", 10), Some(10));
        assert_eq!(fields.maybe_list("topics"), None);
        assert_eq!(fields.body_bytes(), 7);
        assert_eq!(fields.body_object().map(|map| map.len()), Some(1));
        assert!(fields.flaws.is_empty());
    }

    #[test]
    fn counts_are_bounded() {
        assert_eq!(rows("topk", 5), Ok(5));
        assert_eq!(rows("topk", coerce::INT_ABS_MAX), Ok(PAGE_ROWS_MAX));
        assert_eq!(
            rows("topk", -1),
            Err(Failure::invalid("topk must not be negative"))
        );
    }
}
