//! A plain HTTP/1.1 request to a loopback server, for helpers and tests that need no more.

use std::io;
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

/// Longest wait for a whole answer.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(60);
/// Largest answer, bytes.
const ANSWER_BYTES_MAX: u64 = 64 * 1024 * 1024;

/// A status and a body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpAnswer {
    /// HTTP status.
    pub status: u16,
    /// The body; bytes that are no UTF-8 are replaced.
    pub body: String,
}

impl HttpAnswer {
    /// The body as JSON; null when it is none.
    #[must_use]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or(Value::Null)
    }
}

/// Sends one request to `http://host:port` and reads the whole answer. The connection is closed afterwards.
///
/// # Errors
///
/// When the URL is not of that form, nothing listens there, the connection breaks before the whole answer has come, or a
/// minute has passed.
pub async fn request(
    url: &str,
    method: &str,
    path: &str,
    token: Option<&str>,
    body: Option<&Value>,
) -> io::Result<HttpAnswer> {
    let address = url
        .strip_prefix("http://")
        .ok_or_else(|| invalid("the URL must begin with http://"))?
        .trim_end_matches('/');
    let body = body.map(Value::to_string).unwrap_or_default();
    let authorization = token
        .map(|token| format!("Authorization: Bearer {token}\r\n"))
        .unwrap_or_default();
    let content_type = if body.is_empty() {
        ""
    } else {
        "Content-Type: application/json\r\n"
    };
    let head = format!(
        "{method} {path} HTTP/1.1\r\nHost: {address}\r\n{authorization}{content_type}Content-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    let exchange = async {
        let mut stream = TcpStream::connect(address).await?;
        stream.write_all(head.as_bytes()).await?;
        stream.write_all(body.as_bytes()).await?;
        let mut bytes = Vec::new();
        stream
            .take(ANSWER_BYTES_MAX)
            .read_to_end(&mut bytes)
            .await?;
        parse(&bytes)
    };
    timeout(ANSWER_TIMEOUT, exchange)
        .await
        .map_err(|_| io::Error::from(io::ErrorKind::TimedOut))?
}

fn parse(bytes: &[u8]) -> io::Result<HttpAnswer> {
    let border = bytes
        .windows(4)
        .position(|four| four == b"\r\n\r\n")
        .ok_or_else(broken)?;
    let head = String::from_utf8_lossy(&bytes[..border]).to_ascii_lowercase();
    let mut lines = head.lines();
    let status = lines
        .next()
        .and_then(|line| line.split(' ').nth(1))
        .and_then(|code| code.parse().ok())
        .ok_or_else(broken)?;
    let raw = &bytes[border + 4..];
    let headers: Vec<(&str, &str)> = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name, value.trim()))
        .collect();
    let header = |name: &str| {
        headers
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, value)| *value)
    };
    let body = if header("transfer-encoding") == Some("chunked") {
        unchunk(raw)?
    } else {
        let length = header("content-length")
            .and_then(|length| length.parse().ok())
            .unwrap_or(raw.len());
        raw.get(..length).ok_or_else(broken)?.to_vec()
    };
    Ok(HttpAnswer {
        status,
        body: String::from_utf8_lossy(&body).into_owned(),
    })
}

fn unchunk(mut raw: &[u8]) -> io::Result<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let line = raw
            .windows(2)
            .position(|two| two == b"\r\n")
            .ok_or_else(broken)?;
        let size = String::from_utf8_lossy(&raw[..line]);
        let size = usize::from_str_radix(size.split(';').next().unwrap_or_default().trim(), 16)
            .map_err(|_| broken())?;
        if size == 0 {
            return Ok(body);
        }
        let end = (line + 2).checked_add(size).ok_or_else(broken)?;
        body.extend_from_slice(raw.get(line + 2..end).ok_or_else(broken)?);
        raw = raw.get(end + 2..).ok_or_else(broken)?;
    }
}

fn invalid(what: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, what)
}

fn broken() -> io::Error {
    io::Error::new(io::ErrorKind::UnexpectedEof, "the answer is not whole")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_of_both_kinds_and_broken_ones() {
        let plain = parse(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}").expect("whole");
        assert_eq!((plain.status, plain.json()), (200, serde_json::json!({})));
        let chunked = parse(b"HTTP/1.1 404 Not Found\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\n\r\n").expect("whole");
        assert_eq!(
            chunked,
            HttpAnswer {
                status: 404,
                body: "abc".into()
            }
        );
        for part in [
            &b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n{}"[..],
            b"",
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\nab",
        ] {
            assert!(parse(part).is_err());
        }
    }
}
