//! The server is killed at many points of its work and started again over the same folder: what was acknowledged is
//! there, once.
//!
//! The kills are spread over the measured length of a whole flush, so that they meet every step of it however fast the
//! machine is.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use mneme_testkit::{ChildServer, FakeLlm, HttpAnswer, Launch, request};
use serde_json::{Value, json};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};
use uuid::Uuid;

/// Flushes that are killed, by all lanes together.
const FLUSH_POINTS: u32 = 36;
/// Servers side by side; a restart on one does not hold up the others.
const LANES: u32 = 3;
/// Sources of one flush.
const SOURCES: u32 = 3;
/// Delay of each answer of the model, milliseconds.
const STEP_MS: u64 = 35;
/// How far beyond a flush's usual end the kills reach, in percent of its length.
const REACH_PERCENT: u32 = 110;
/// Kills while sources come in.
const INSERT_POINTS: u32 = 12;
/// Clients that insert side by side.
const INSERTERS: u32 = 4;

fn launch(fake: &FakeLlm) -> Launch {
    Launch::new(env!("CARGO_BIN_EXE_mneme"))
        .variable("MNEME_LLM_BASE_URL", fake.base_url())
        .variable("MNEME_LLM_MODEL", "fake")
        .variable("MNEME_EMBEDDER", "tiny")
        .variable("MNEME_LOG", "error")
}

async fn ok(server: &ChildServer, method: &str, path: &str, body: Option<&Value>) -> Value {
    let answer = server.request(method, path, body).await.expect("an answer");
    content(path, &answer)
}

fn content(path: &str, answer: &HttpAnswer) -> Value {
    let json = answer.json();
    assert!(
        answer.status == 200 && json["errno"] == 0,
        "{path}: {} {}",
        answer.status,
        answer.body
    );
    json["data"].clone()
}

async fn new_user(server: &ChildServer) -> Uuid {
    let user = Uuid::new_v4();
    ok(server, "POST", "/api/v1/users", Some(&json!({"id": user}))).await;
    user
}

fn said(text: &str) -> Value {
    json!({"blob_type": "chat", "blob_data": {"messages": [{"role": "user", "content": text}]}})
}

async fn flush(server: &ChildServer, user: Uuid) {
    ok(
        server,
        "POST",
        &format!("/api/v1/users/buffer/{user}/chat?wait_process=true"),
        None,
    )
    .await;
}

/// Rows of the buffer that are not done.
async fn waiting(server: &ChildServer, user: Uuid) -> usize {
    let mut rows = 0;
    for state in ["idle", "processing", "failed"] {
        let path = format!("/api/v1/users/buffer/capacity/{user}/chat?status={state}");
        rows += ok(server, "GET", &path, None).await["ids"]
            .as_array()
            .map_or(0, Vec::len);
    }
    rows
}

/// The texts of a list's members.
fn texts(list: &Value, pointer: &str) -> Vec<String> {
    list.as_array()
        .expect("a list")
        .iter()
        .map(|item| {
            item.pointer(pointer)
                .and_then(Value::as_str)
                .unwrap_or_default()
                .to_owned()
        })
        .collect()
}

/// What a user's memory holds.
struct Held {
    events: Vec<String>,
    gists: Vec<String>,
    slots: Vec<(String, String)>,
}

impl Held {
    async fn of(server: &ChildServer, user: Uuid) -> Self {
        let events = ok(
            server,
            "GET",
            &format!("/api/v1/users/event/{user}?topk=1000"),
            None,
        )
        .await;
        let events = texts(&events["events"], "/event_data/event_tip");
        let notes = events
            .iter()
            .flat_map(|event| event.lines())
            .filter(|line| line.starts_with("- "))
            .count();
        let profiles = ok(
            server,
            "GET",
            &format!("/api/v1/users/profile/{user}"),
            None,
        )
        .await;
        let topics = texts(&profiles["profiles"], "/attributes/topic");
        let sub_topics = texts(&profiles["profiles"], "/attributes/sub_topic");
        let names = topics
            .iter()
            .zip(&sub_topics)
            .map(|(topic, sub_topic)| format!("{topic}::{sub_topic}"));
        Self {
            events,
            gists: gists(server, user, notes).await,
            slots: names
                .zip(texts(&profiles["profiles"], "/content"))
                .collect(),
        }
    }

    /// How often a text stands in all events, and in how many gists.
    fn times(&self, text: &str) -> (usize, usize) {
        let events = self
            .events
            .iter()
            .map(|event| event.matches(text).count())
            .sum();
        (
            events,
            self.gists.iter().filter(|gist| gist.contains(text)).count(),
        )
    }
}

/// All gists of a user. A search finds a gist as soon as it has its vector; they are waited for until there are enough.
async fn gists(server: &ChildServer, user: Uuid, enough: usize) -> Vec<String> {
    let path = format!(
        "/api/v1/users/event_gist/search/{user}?query=my&topk=1000&similarity_threshold=-2"
    );
    let patience = Instant::now() + Duration::from_secs(10);
    loop {
        let found = ok(server, "GET", &path, None).await;
        let gists = texts(&found["gists"], "/gist_data/content");
        if gists.len() >= enough || Instant::now() > patience {
            return gists;
        }
        sleep(Duration::from_millis(20)).await;
    }
}

/// A server of a lane, and how long a whole flush takes on it.
struct Lane {
    server: ChildServer,
    whole: Duration,
}

impl Lane {
    async fn open(fake: &FakeLlm) -> Self {
        let server = ChildServer::start(launch(fake)).await.expect("a server");
        let user = new_user(&server).await;
        insert_all(&server, user, u32::MAX).await;
        let began = Instant::now();
        flush(&server, user).await;
        let whole = began.elapsed();
        assert!(
            whole >= Duration::from_millis(3 * STEP_MS),
            "three steps of {STEP_MS} ms cannot be done after {whole:?}"
        );
        Self { server, whole }
    }

    /// Kills the server inside a flush and looks at what is left. Returns whether the flush was interrupted.
    async fn kill_in_flush(&mut self, point: u32) -> bool {
        let user = new_user(&self.server).await;
        insert_all(&self.server, user, point).await;
        let after = self.whole * point * REACH_PERCENT / (100 * (FLUSH_POINTS - 1));
        let began = Instant::now();
        // Every other client waits for the end of its flush, and loses its connection.
        let waits = point % 2 == 1;
        let path = format!("/api/v1/users/buffer/{user}/chat?wait_process={waits}");
        let (url, token) = (
            self.server.url().to_owned(),
            self.server.token().map(str::to_owned),
        );
        let client =
            tokio::spawn(async move { request(&url, "POST", &path, token.as_deref(), None).await });
        if waits {
            sleep(after).await;
        } else {
            content(
                "flush",
                &client.await.expect("no panic").expect("an answer"),
            );
            sleep(after.saturating_sub(began.elapsed())).await;
        }
        self.server.restart().await.expect("starts again");
        if point.is_multiple_of(3) {
            // The work that the restart took up again is killed as well.
            sleep(after / 2).await;
            self.server.restart().await.expect("starts once more");
        }
        let interrupted = waiting(&self.server, user).await > 0;
        flush(&self.server, user).await;
        self.look(user, point, after).await;
        interrupted
    }

    async fn look(&self, user: Uuid, point: u32, after: Duration) {
        let held = Held::of(&self.server, user).await;
        let Held {
            events,
            gists,
            slots,
        } = &held;
        let place = format!(
            "killed after {after:?} (point {point})\nevents {events:#?}\ngists {gists:#?}\nslots {slots:#?}"
        );
        for number in 0..SOURCES {
            assert_eq!(
                held.times(&sentence(point, number)),
                (1, 1),
                "marker{number}: {place}"
            );
        }
        assert_eq!(
            (events.len(), gists.len()),
            (1, SOURCES as usize),
            "{place}"
        );
        let wanted: BTreeMap<String, String> = (0..SOURCES)
            .map(|number| (format!("work::marker{number}"), value(point, number)))
            .collect();
        assert_eq!(slots.len(), wanted.len(), "{place}");
        assert_eq!(
            slots.iter().cloned().collect::<BTreeMap<_, _>>(),
            wanted,
            "{place}"
        );
        assert_eq!(
            waiting(&self.server, user).await,
            0,
            "rows are left in the buffer: {place}"
        );
    }
}

fn value(point: u32, number: u32) -> String {
    format!("VALUE-{point}-{number}")
}

fn sentence(point: u32, number: u32) -> String {
    format!("my work marker{number} is {}.", value(point, number))
}

async fn insert_all(server: &ChildServer, user: Uuid, point: u32) {
    for number in 0..SOURCES {
        ok(
            server,
            "POST",
            &format!("/api/v1/blobs/insert/{user}"),
            Some(&said(&sentence(point, number))),
        )
        .await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_flush_loses_nothing_and_doubles_nothing() {
    let fake = Arc::new(FakeLlm::start().await);
    fake.configure(|config| config.delay_ms = STEP_MS);
    let mut lanes = JoinSet::new();
    for first in 0..LANES {
        let fake = Arc::clone(&fake);
        lanes.spawn(async move {
            let mut lane = Lane::open(&fake).await;
            let mut interrupted = 0;
            for point in (first..FLUSH_POINTS).step_by(LANES as usize) {
                interrupted += u32::from(lane.kill_in_flush(point).await);
            }
            interrupted
        });
    }
    let interrupted: u32 = lanes.join_all().await.into_iter().sum();
    // Otherwise the kills came too late, and nothing was tested.
    assert!(
        interrupted >= FLUSH_POINTS / 3,
        "only {interrupted} of {FLUSH_POINTS} kills met a running flush"
    );
}

/// What clients sent of a user, and whether it was acknowledged.
type Sent = Arc<Mutex<BTreeMap<String, bool>>>;

/// Inserts until the connection breaks. Acknowledged texts are marked.
async fn insert_until_gone(
    url: String,
    token: Option<String>,
    user: Uuid,
    client: u32,
    sent: Sent,
) {
    for number in 0..10_000 {
        // Long enough that the buffer fills up and flushes by itself between the inserts.
        let text = format!(
            "my walk{client} step{number} is client {client} number {number} {}.",
            "far away over the hills ".repeat(6).trim()
        );
        sent.lock().expect("no panic").insert(text.clone(), false);
        let path = format!("/api/v1/blobs/insert/{user}");
        match request(&url, "POST", &path, token.as_deref(), Some(&said(&text))).await {
            Ok(answer) => {
                content(&path, &answer);
                sent.lock().expect("no panic").insert(text, true);
            }
            Err(_) => return,
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn acknowledged_inserts_survive_a_kill() {
    let fake = FakeLlm::start().await;
    fake.configure(|config| config.delay_ms = 5);
    let mut server = ChildServer::start(launch(&fake)).await.expect("a server");
    let mut acknowledged = 0;
    for point in 0..INSERT_POINTS {
        let user = new_user(&server).await;
        let sent = Sent::default();
        let mut clients = JoinSet::new();
        for client in 0..INSERTERS {
            let (url, token) = (server.url().to_owned(), server.token().map(str::to_owned));
            clients.spawn(insert_until_gone(
                url,
                token,
                user,
                client,
                Arc::clone(&sent),
            ));
        }
        sleep(Duration::from_millis(4 + 17 * u64::from(point))).await;
        server.restart().await.expect("starts again");
        clients.join_all().await;
        flush(&server, user).await;
        let held = Held::of(&server, user).await;
        let sent = sent.lock().expect("no panic").clone();
        for (text, known) in &sent {
            let times = held.times(text);
            let fine = times == (1, 1) || (!known && times == (0, 0));
            assert!(
                fine,
                "point {point}: {text:?} (acknowledged: {known}) stands in {} events and {} gists",
                times.0, times.1
            );
        }
        assert_eq!(
            waiting(&server, user).await,
            0,
            "rows are left in the buffer"
        );
        acknowledged += sent.values().filter(|known| **known).count();
    }
    assert!(
        acknowledged >= 10 * INSERT_POINTS as usize,
        "only {acknowledged} inserts: the kills came too early"
    );
}
