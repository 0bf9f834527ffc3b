//! An engine over a database in a temporary folder, with a scripted model server, a clock that is moved by hand and an
//! embedder that can be taken down.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use mneme_core::id::{JobId, ProjectId, SubScope, UserKey};
use mneme_core::job::{Job, JobError, JobState};
use mneme_core::memory::{Kind, Memory};
use mneme_core::ports::{
    BufferState, EmbedTask, Embedder, JobFilter, Llm, Memories, ModelError, ModelErrorKind, Page,
    Space, Tenants, TimelineFilter, UsageRow,
};
use mneme_core::source::SourceKind;
use mneme_engine::api::{
    BatchResult, EventQuery, Inserted, Outcome, ProfileQuery, RecallQuery, Recalled,
};
use mneme_engine::{Engine, Options, Parts, worker};
use mneme_models::{Limiter, O200k, OpenAiChat, RemoteConfig};
use mneme_store::{SqliteOptions, SqliteStore, Synchronous};
use mneme_testkit::{FakeLlm, HashEmbedder, ManualClock, SeededIds, Step};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// Where the clock stands at first: a Sunday noon.
pub(crate) const NOON: &str = "2026-11-29T12:00:00Z";
/// Longest wait for anything; only a failing test waits so long.
const PATIENCE: Duration = Duration::from_secs(60);
/// Everything of a listing.
pub(crate) const ALL: Page = Page {
    offset: 0,
    limit: 10_000,
};

/// No text with this word is embedded.
pub(crate) const REFUSED: &str = "unembeddable";

/// The hash embedder, unless it is down.
pub(crate) struct Switched {
    inner: HashEmbedder,
    down: AtomicBool,
    pub(crate) asked: AtomicUsize,
}

impl Switched {
    pub(crate) fn set_down(&self, down: bool) {
        self.down.store(down, Ordering::SeqCst);
    }
}

#[async_trait]
impl Embedder for Switched {
    fn space(&self) -> &Space {
        self.inner.space()
    }

    async fn embed(&self, task: EmbedTask, texts: &[String]) -> Result<Vec<Vec<f32>>, ModelError> {
        self.asked.fetch_add(1, Ordering::SeqCst);
        if self.down.load(Ordering::SeqCst) {
            return Err(ModelError {
                kind: ModelErrorKind::Unavailable,
                message: "the embedder is down".to_owned(),
                retry_after_seconds: None,
            });
        }
        if texts.iter().any(|text| text.contains(REFUSED)) {
            return Err(ModelError {
                kind: ModelErrorKind::Rejected,
                message: "the embedder refuses a text".to_owned(),
                retry_after_seconds: None,
            });
        }
        self.inner.embed(task, texts).await
    }
}

/// How a house is built.
pub(crate) struct Plan {
    pub(crate) options: Options,
    /// Whether there is a language model.
    pub(crate) model: bool,
    /// How long one call to it may take.
    pub(crate) model_timeout: Duration,
}

impl Default for Plan {
    fn default() -> Self {
        Self {
            options: Options::default(),
            model: true,
            model_timeout: PATIENCE,
        }
    }
}

struct Worker {
    stop: watch::Sender<bool>,
    task: JoinHandle<()>,
}

/// An engine with all that it works with. Its files go when it goes.
pub(crate) struct House {
    pub(crate) engine: Engine,
    pub(crate) store: Arc<SqliteStore>,
    pub(crate) llm: FakeLlm,
    pub(crate) embedder: Arc<Switched>,
    pub(crate) clock: Arc<ManualClock>,
    /// The user that the short verbs are about.
    pub(crate) owner: UserKey,
    worker: Option<Worker>,
    _folder: TempDir,
}

impl House {
    /// With a language model and a worker.
    pub(crate) async fn model() -> Self {
        Self::built(Plan::default()).await
    }

    /// With the built-in rules and a worker.
    pub(crate) async fn rules() -> Self {
        Self::built(Plan {
            model: false,
            ..Plan::default()
        })
        .await
    }

    /// With a language model, a worker and these options.
    pub(crate) async fn with(change: impl FnOnce(&mut Options)) -> Self {
        let mut plan = Plan::default();
        change(&mut plan.options);
        Self::built(plan).await
    }

    pub(crate) async fn built(plan: Plan) -> Self {
        let mut house = Self::idle(plan).await;
        house.work();
        house
    }

    /// Without a worker.
    pub(crate) async fn idle(plan: Plan) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let options = SqliteOptions {
            synchronous: Synchronous::Normal,
            ..SqliteOptions::new(folder.path().join("mneme.db"))
        };
        let store = Arc::new(SqliteStore::open(&options).unwrap());
        let clock = Arc::new(ManualClock::at_text(NOON));
        store
            .ensure_project(&ProjectId::root(), mneme_core::ports::Clock::now(&*clock))
            .await
            .unwrap();
        let llm = FakeLlm::start().await;
        let mut remote = RemoteConfig::new(llm.base_url(), "scripted");
        remote.timeout = plan.model_timeout;
        remote.deadline = plan.model_timeout;
        // The engine's own tries are what is looked at here.
        remote.attempts_max = 1;
        let chat: Arc<dyn Llm> =
            Arc::new(OpenAiChat::new(&remote, Arc::new(Limiter::new(64))).unwrap());
        let embedder = Arc::new(Switched {
            inner: HashEmbedder::new(),
            down: AtomicBool::new(false),
            asked: AtomicUsize::new(0),
        });
        let parts = Parts {
            store: Arc::clone(&store) as Arc<_>,
            embedder: Arc::clone(&embedder) as Arc<_>,
            llm: plan.model.then_some(chat),
            tokens: Arc::new(O200k),
            clock: Arc::clone(&clock) as Arc<_>,
            ids: Arc::new(SeededIds::new(7)),
        };
        let engine = Engine::new(parts, plan.options);
        let owner = UserKey {
            project: ProjectId::root(),
            user: engine.new_user_id(),
        };
        engine.create_user(&owner, None, None).await.unwrap();
        Self {
            engine,
            store,
            llm,
            embedder,
            clock,
            owner,
            worker: None,
            _folder: folder,
        }
    }

    // ------------------------------------------------------------------------------------------------ the worker

    /// Starts a worker. It looks for work at once, whatever the clock showed to an earlier one.
    pub(crate) fn work(&mut self) {
        let (stop, stopped) = watch::channel(false);
        let task = tokio::spawn(worker::run(self.engine.clone(), "test".to_owned(), stopped));
        self.worker = Some(Worker { stop, task });
    }

    /// Stops the worker and waits until it is gone.
    pub(crate) async fn rest(&mut self) {
        let Some(worker) = self.worker.take() else {
            return;
        };
        worker.stop.send(true).unwrap();
        tokio::time::timeout(PATIENCE, worker.task)
            .await
            .expect("the worker ends")
            .unwrap();
    }

    /// Moves the clock; then a fresh worker looks for what is due.
    pub(crate) async fn later(&mut self, seconds: i64) {
        self.rest().await;
        self.clock.advance_seconds(seconds);
        self.work();
    }

    // ------------------------------------------------------------------------------------------------ short verbs

    /// Another user.
    pub(crate) async fn user(&self) -> UserKey {
        let owner = UserKey {
            project: ProjectId::root(),
            user: self.engine.new_user_id(),
        };
        self.engine.create_user(&owner, None, None).await.unwrap();
        owner
    }

    /// Takes a chat of one user message in.
    pub(crate) async fn say(&self, text: &str) -> Inserted {
        self.say_as(&self.owner, text).await
    }

    pub(crate) async fn say_as(&self, owner: &UserKey, text: &str) -> Inserted {
        self.chat(owner, json!([{"role": "user", "content": text}]))
            .await
    }

    /// Takes a chat in.
    pub(crate) async fn chat(&self, owner: &UserKey, messages: Value) -> Inserted {
        self.insert(owner, SourceKind::Chat, json!({ "messages": messages }))
            .await
    }

    pub(crate) async fn insert(&self, owner: &UserKey, kind: SourceKind, body: Value) -> Inserted {
        self.engine
            .insert(owner, kind, body, None, None, SubScope::default(), None)
            .await
            .unwrap()
    }

    pub(crate) async fn flush(&self) -> JobId {
        self.engine
            .flush(&self.owner, SourceKind::Chat)
            .await
            .unwrap()
            .expect("something to flush")
    }

    pub(crate) async fn wait(&self, job: JobId) -> Outcome {
        self.wait_as(&self.owner, job).await
    }

    pub(crate) async fn wait_as(&self, owner: &UserKey, job: JobId) -> Outcome {
        tokio::time::timeout(PATIENCE, self.engine.wait(owner, job))
            .await
            .expect("the job ends")
            .unwrap()
    }

    /// Flushes and waits.
    pub(crate) async fn settle(&self) -> Outcome {
        self.wait(self.flush().await).await
    }

    /// Flushes, if there is anything, and waits: what a caller does who wants everything distilled now.
    pub(crate) async fn settle_now(&self) -> Outcome {
        match self
            .engine
            .flush(&self.owner, SourceKind::Chat)
            .await
            .unwrap()
        {
            Some(job) => self.wait(job).await,
            None => Outcome::Finished(JobState::Done, Vec::new()),
        }
    }

    /// Says something and distils it; it must go well.
    pub(crate) async fn learn(&self, text: &str) -> Vec<BatchResult> {
        self.say(text).await;
        done(self.settle().await)
    }

    // ------------------------------------------------------------------------------------------------ what is known

    /// `topic::sub_topic: content` of every slot, sorted.
    pub(crate) async fn slots(&self) -> Vec<String> {
        self.slots_of(&self.owner).await
    }

    pub(crate) async fn slots_of(&self, owner: &UserKey) -> Vec<String> {
        let mut lines: Vec<String> = self
            .profile_of(owner)
            .await
            .iter()
            .map(Memory::context_line)
            .collect();
        lines.sort();
        lines
    }

    pub(crate) async fn profile_of(&self, owner: &UserKey) -> Vec<Memory> {
        self.engine
            .profile(owner, &ProfileQuery::default())
            .await
            .unwrap()
    }

    /// The memory in a slot.
    pub(crate) async fn slot(&self, topic: &str, sub_topic: &str) -> Option<Memory> {
        let wanted = mneme_core::memory::Slot::new(topic, sub_topic).key();
        self.profile_of(&self.owner)
            .await
            .into_iter()
            .find(|memory| {
                memory
                    .slot
                    .as_ref()
                    .is_some_and(|slot| slot.key() == wanted)
            })
    }

    /// All events, newest first.
    pub(crate) async fn events(&self) -> Vec<Memory> {
        let query = EventQuery {
            topk: 1000,
            max_token_size: None,
            days: None,
        };
        self.engine.events(&self.owner, &query).await.unwrap()
    }

    /// All gists, newest event first.
    pub(crate) async fn gists(&self) -> Vec<Memory> {
        let filter = TimelineFilter {
            kinds: vec![Kind::Gist],
            recorded_from: None,
        };
        self.store.timeline(&self.owner, filter, ALL).await.unwrap()
    }

    /// In how many gists and events a text occurs, counted as often as it does.
    pub(crate) async fn occurrences(&self, text: &str) -> (usize, usize) {
        let count = |memories: Vec<Memory>| {
            memories
                .iter()
                .map(|memory| memory.content.matches(text).count())
                .sum()
        };
        (count(self.gists().await), count(self.events().await))
    }

    pub(crate) async fn recall(&self, query: &str) -> Vec<Recalled> {
        let query = RecallQuery {
            query: query.to_owned(),
            kinds: Vec::new(),
            limit: 10,
            floor: 0.0,
        };
        self.engine.recall(&self.owner, &query).await.unwrap()
    }

    /// How many chats are in that state of the buffer.
    pub(crate) async fn buffered(&self, state: BufferState) -> usize {
        self.engine
            .buffered(&self.owner, SourceKind::Chat, state)
            .await
            .unwrap()
            .len()
    }

    pub(crate) async fn jobs(&self, state: Option<JobState>) -> Vec<Job> {
        let filter = JobFilter {
            user: Some(self.owner.user),
            state,
        };
        self.engine
            .jobs(&self.owner.project, filter, ALL)
            .await
            .unwrap()
    }

    /// Calls and tokens booked under a call kind.
    pub(crate) async fn usage(&self, call: &str) -> (u64, u64) {
        let rows: Vec<UsageRow> = self
            .store
            .usage(&self.owner.project, "2000-01-01")
            .await
            .unwrap();
        let of_call = rows.iter().filter(|row| row.call == call);
        of_call.fold((0, 0), |sum, row| {
            (
                sum.0 + row.calls,
                sum.1 + row.prompt_tokens + row.completion_tokens,
            )
        })
    }

    // ------------------------------------------------------------------------------------------------ the model

    /// Requests that the model server got for a step.
    pub(crate) fn calls(&self, step: Step) -> u64 {
        self.llm.stats().of(step).calls
    }

    /// Requests for the three steps.
    pub(crate) fn three_steps(&self) -> [u64; 3] {
        [Step::EntryNotes, Step::Extract, Step::Merge].map(|step| self.calls(step))
    }

    /// Waits until the model server got that many requests for a step.
    pub(crate) async fn until_asked(&self, step: Step, calls: u64) {
        until(async || self.calls(step) >= calls).await;
    }

    /// Replaces the project's configuration.
    pub(crate) async fn configure(&self, yaml: &str) {
        assert!(
            self.engine
                .set_profile_config(&self.owner.project, yaml)
                .await
                .unwrap()
        );
    }
}

/// Waits until a condition holds.
pub(crate) async fn until(mut condition: impl AsyncFnMut() -> bool) {
    let wait = async {
        while !condition().await {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(PATIENCE, wait)
        .await
        .expect("comes true in time");
}

/// The batches of a job that left nothing out.
pub(crate) fn done(outcome: Outcome) -> Vec<BatchResult> {
    match outcome {
        Outcome::Finished(JobState::Done, batches) => batches,
        other => panic!("not done: {other:?}"),
    }
}

/// Why an attempt failed.
pub(crate) fn failed(outcome: Outcome) -> JobError {
    match outcome {
        Outcome::Failed(error) => error,
        other => panic!("not failed: {other:?}"),
    }
}
