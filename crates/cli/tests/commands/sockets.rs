//! With nothing configured, the server talks to nobody.

use std::collections::BTreeSet;
use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use mneme_testkit::{ChildServer, Launch};
use serde_json::json;
use uuid::Uuid;

use crate::home::{BINARY, ask, said};

/// A socket of the process: which table it stands in, its own port, and its state as the kernel writes it.
type Socket = (&'static str, u16, String);

const LISTENS: &str = "0A";

/// Sockets of the internet families that the process holds.
fn sockets(pid: u32) -> Vec<Socket> {
    let Ok(handles) = fs::read_dir(format!("/proc/{pid}/fd")) else {
        return Vec::new();
    };
    let inodes: BTreeSet<String> = handles
        .filter_map(|handle| fs::read_link(handle.ok()?.path()).ok())
        .filter_map(|target| {
            Some(
                target
                    .to_str()?
                    .strip_prefix("socket:[")?
                    .strip_suffix(']')?
                    .to_owned(),
            )
        })
        .collect();
    let mut found = Vec::new();
    for table in ["tcp", "tcp6", "udp", "udp6", "raw", "raw6"] {
        let text = fs::read_to_string(format!("/proc/{pid}/net/{table}")).unwrap_or_default();
        for row in text.lines().skip(1) {
            let fields: Vec<&str> = row.split_whitespace().collect();
            let [_, local, _, state, _, _, _, _, _, inode, ..] = fields[..] else {
                continue;
            };
            let port = local
                .rsplit(':')
                .next()
                .and_then(|port| u16::from_str_radix(port, 16).ok());
            if inodes.contains(inode) {
                found.push((table, port.unwrap_or(0), state.to_owned()));
            }
        }
    }
    found
}

/// A thread of its own that looks until it is told to stop; it keeps no failing test from ending.
struct Watch {
    stop: Arc<AtomicBool>,
    seen: JoinHandle<BTreeSet<Socket>>,
}

impl Watch {
    fn of(pid: u32) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let told = Arc::clone(&stop);
        let seen = std::thread::spawn(move || {
            let mut seen = BTreeSet::new();
            while !told.load(Ordering::SeqCst) {
                seen.extend(sockets(pid));
                std::thread::sleep(Duration::from_millis(1));
            }
            seen
        });
        Self { stop, seen }
    }

    /// All sockets that were seen.
    fn end(self) -> BTreeSet<Socket> {
        self.stop.store(true, Ordering::SeqCst);
        self.seen.join().expect("no panic")
    }
}

#[tokio::test]
async fn nothing_configured_talks_to_nobody() {
    // No variable at all, so this is the built-in embedder that people get.
    let server = ChildServer::start(Launch::new(BINARY))
        .await
        .expect("a server");
    let pid = server.pid().expect("it runs");
    let watch = Watch::of(pid);
    let user = Uuid::new_v4();
    ask(&server, "POST", "/api/v1/users", Some(&json!({"id": user}))).await;
    ask(
        &server,
        "POST",
        &format!("/api/v1/blobs/insert/{user}"),
        Some(&said("I live in Lisbon. I love sea kayaking.")),
    )
    .await;
    ask(
        &server,
        "POST",
        &format!("/api/v1/users/buffer/{user}/chat?wait_process=true"),
        None,
    )
    .await;
    let found = ask(
        &server,
        "GET",
        &format!(
            "/api/v1/users/event_gist/search/{user}?query=water%20sports&similarity_threshold=0.05"
        ),
        None,
    )
    .await;
    assert!(found["gists"].to_string().contains("kayaking"), "{found}");
    let chat = "%5B%7B%22role%22%3A%22user%22%2C%22content%22%3A%22kayaking%22%7D%5D";
    let context = ask(
        &server,
        "GET",
        &format!("/api/v1/users/context/{user}?chats_str={chat}"),
        None,
    )
    .await;
    assert!(context.to_string().contains("Lisbon"), "{context}");
    let seen = watch.end();
    let own: u16 = server
        .url()
        .rsplit(':')
        .next()
        .and_then(|port| port.parse().ok())
        .expect("a port");
    assert!(seen.contains(&("tcp", own, LISTENS.to_owned())), "{seen:?}");
    // Connections that came in have the listener's port on this side; whoever calls out has another.
    let foreign: Vec<&Socket> = seen
        .iter()
        .filter(|(table, port, _)| *table != "tcp" || *port != own)
        .collect();
    assert!(foreign.is_empty(), "{foreign:?}");
}
