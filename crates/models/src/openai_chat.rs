//! A language model behind an OpenAI-compatible chat endpoint.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use mneme_core::ports::{Llm, LlmReply, LlmRequest, ModelError};
use serde_json::{Value, json};

use crate::chat_reply;
use crate::config::{RemoteConfig, SetupError};
use crate::failure::Failure;
use crate::http::Transport;
use crate::limiter::Limiter;

/// Speaks to `/chat/completions`.
///
/// What a model does not accept is learned from its refusals, once per client, never from its name: which of
/// `max_tokens` and `max_completion_tokens` it wants, and whether it lets the temperature be set.
pub struct OpenAiChat {
    transport: Transport,
    model: String,
    wants_completion_tokens: AtomicBool,
    fixed_temperature: AtomicBool,
}

/// How a request is put.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Shape {
    completion_tokens: bool,
    temperature: bool,
}

impl OpenAiChat {
    /// Sets the client up; nothing is sent. All clients of one account share the limiter.
    ///
    /// # Errors
    ///
    /// [`SetupError`] names the setting that cannot be used.
    pub fn new(config: &RemoteConfig, limiter: Arc<Limiter>) -> Result<Self, SetupError> {
        Ok(Self {
            transport: Transport::new(config, "chat/completions", limiter)?,
            model: config.model.trim().to_owned(),
            wants_completion_tokens: AtomicBool::new(false),
            fixed_temperature: AtomicBool::new(false),
        })
    }

    /// The address that is asked, without query.
    #[must_use]
    pub fn address(&self) -> &str {
        self.transport.shown()
    }

    fn shape(&self) -> Shape {
        Shape {
            completion_tokens: self.wants_completion_tokens.load(Ordering::Relaxed),
            temperature: !self.fixed_temperature.load(Ordering::Relaxed),
        }
    }

    /// Called with the shape of a request that went through, so that a misread refusal is never remembered.
    fn remember(&self, shape: Shape) {
        if shape.completion_tokens {
            self.wants_completion_tokens.store(true, Ordering::Relaxed);
        }
        if !shape.temperature {
            self.fixed_temperature.store(true, Ordering::Relaxed);
        }
    }

    fn body(&self, request: &LlmRequest, shape: Shape) -> Value {
        let mut messages = Vec::with_capacity(2);
        if !request.system.is_empty() {
            messages.push(json!({"role": "system", "content": request.system}));
        }
        messages.push(json!({"role": "user", "content": request.user}));
        let mut body = json!({"model": self.model, "messages": messages});
        let limit = if shape.completion_tokens {
            "max_completion_tokens"
        } else {
            "max_tokens"
        };
        body[limit] = json!(request.answer_tokens_max);
        if shape.temperature {
            // Hundredths, because 0.2 as a single would be written 0.20000000298023224.
            body["temperature"] =
                json!((f64::from(request.temperature.clamp(0.0, 2.0)) * 100.0).round() / 100.0);
        }
        body
    }
}

#[async_trait]
impl Llm for OpenAiChat {
    async fn complete(&self, request: &LlmRequest) -> Result<LlmReply, ModelError> {
        let mut shape = self.shape();
        // Ends after two rounds at most: each change of shape goes one way.
        loop {
            match self.transport.post(&self.body(request, shape), false).await {
                Ok(bytes) => {
                    self.remember(shape);
                    return chat_reply::read(&bytes)
                        .map_err(|what| Failure::protocol(self.transport.shown(), what).into());
                }
                Err(failure) => match other_shape(shape, &failure) {
                    Some(other) => shape = other,
                    None => return Err(failure.into()),
                },
            }
        }
    }

    fn model(&self) -> &str {
        &self.model
    }
}

/// The shape that a refusal asks for, if it asks for one.
fn other_shape(shape: Shape, failure: &Failure) -> Option<Shape> {
    if !failure.is_refusal() {
        return None;
    }
    let says = |words: &[&str]| words.iter().any(|word| failure.refusal.contains(word));
    if !shape.completion_tokens && says(&["max_completion_tokens"]) {
        return Some(Shape {
            completion_tokens: true,
            ..shape
        });
    }
    let refuses = says(&[
        "support",
        "only the default",
        "deprecated",
        "not allowed",
        "not permitted",
        "unknown",
        "unrecognized",
        "unexpected",
    ]);
    if shape.temperature && says(&["temperature"]) && refuses {
        return Some(Shape {
            temperature: false,
            ..shape
        });
    }
    None
}

#[cfg(test)]
mod tests {
    use reqwest::header::HeaderMap;

    use super::*;

    const FIRST: Shape = Shape {
        completion_tokens: false,
        temperature: true,
    };

    fn refused(status: u16, message: &str) -> Failure {
        Failure::status(
            "u",
            status,
            &HeaderMap::new(),
            json!({"error": {"message": message}})
                .to_string()
                .as_bytes(),
        )
    }

    #[test]
    fn refusals_choose_the_shape() {
        let tokens = "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
        let heat = "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported.";
        let other = |shape, status, message| other_shape(shape, &refused(status, message));
        assert_eq!(
            other(FIRST, 400, tokens),
            Some(Shape {
                completion_tokens: true,
                ..FIRST
            })
        );
        assert_eq!(
            other(FIRST, 400, heat),
            Some(Shape {
                temperature: false,
                ..FIRST
            })
        );
        assert_eq!(
            other(
                Shape {
                    completion_tokens: true,
                    ..FIRST
                },
                400,
                tokens
            ),
            None
        );
        assert_eq!(
            other(
                Shape {
                    temperature: false,
                    ..FIRST
                },
                422,
                heat
            ),
            None
        );
        assert_eq!(other(FIRST, 500, tokens), None);
        assert_eq!(other(FIRST, 400, "context length exceeded"), None);
        // A prompt about the weather, echoed by a provider, is no reason.
        assert_eq!(
            other(
                FIRST,
                400,
                "invalid content: what is the temperature outside"
            ),
            None
        );
    }
}
