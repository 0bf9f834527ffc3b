//! `local`: multilingual-e5-small, cut to English and Chinese, as int8 through `rten`.
//!
//! One text per run. Batches would not be faster here (the model is small enough to keep a core busy) and they would
//! be worse: activations are quantised with one scale per tensor, so a text's vector would depend on the texts
//! beside it, and those may be somebody else's. One thread per run and one run per core.

use std::sync::{Arc, OnceLock};
use std::thread;

use async_trait::async_trait;
use mneme_core::ports::{EmbedTask, Embedder, ModelError, ModelErrorKind, Space};
use rten::{ModelOptions, NodeId, RunOptions, ThreadPool, Value};
use rten_tensor::NdTensor;
use rten_tensor::prelude::*;

use super::pool::{Lane, Lost, Pool};
use super::unigram::Unigram;
use super::unit::direction;

/// The name of the space of [`Local`].
pub const LOCAL_SPACE: &str = "local/e5-small-enzh-int8/384";

const DIMENSION: usize = 384;
/// The median cosine of 1,104 pairs of unrelated sentences, measured; see `models/README.md`.
const UNRELATED_COSINE: f32 = 0.776;
/// Longest input of the model, tokens, with the prefix and the marks.
const INPUT_TOKENS_MAX: usize = 512;
/// Inferences at the same time, at most; each takes up to 20 MB while it runs.
const THREADS_MAX: usize = 8;
const START: i32 = 0;
const END: i32 = 2;

static GRAPH: &[u8] = include_bytes!("../../../../models/e5-small-enzh-int8.onnx");
pub(super) static PIECES: &[u8] =
    include_bytes!(concat!(env!("OUT_DIR"), "/e5-small-enzh.pieces.fst"));
pub(super) static SCORES: &[u8] =
    include_bytes!(concat!(env!("OUT_DIR"), "/e5-small-enzh.scores.f32"));
/// The name that the graph knows the weights by.
const WEIGHTS_NAME: &str = "e5-small-enzh-int8.onnx.data";

thread_local! {
    /// `rten` computes on a rayon pool; each of our threads has one of a single thread.
    static ONE_THREAD: Arc<ThreadPool> = Arc::new(ThreadPool::with_num_threads(1));
}

/// The model as an embedder. Costs nothing until the first text; the model is loaded then, on a thread of its own.
pub struct Local {
    space: Space,
    pool: Pool,
    engine: Arc<OnceLock<Result<Engine, ModelError>>>,
}

impl Local {
    /// With one inference per core, up to eight.
    #[must_use]
    pub fn new() -> Self {
        Self::with_threads(
            thread::available_parallelism()
                .map_or(1, usize::from)
                .min(THREADS_MAX),
        )
    }

    /// With that many inferences at the same time, at least one.
    #[must_use]
    pub fn with_threads(threads: usize) -> Self {
        Self {
            space: Space {
                name: LOCAL_SPACE.to_owned(),
                dimension: DIMENSION,
                unrelated_cosine: UNRELATED_COSINE,
            },
            pool: Pool::new(threads),
            engine: Arc::default(),
        }
    }

    /// Has the model do something on one of the pool's threads.
    async fn with_engine<T: Send + 'static>(
        &self,
        lane: Lane,
        work: impl FnOnce(&Engine) -> Result<T, ModelError> + Send + 'static,
    ) -> Result<tokio::sync::oneshot::Receiver<Result<T, ModelError>>, ModelError> {
        let engine = Arc::clone(&self.engine);
        let work = move || {
            work(
                engine
                    .get_or_init(Engine::load)
                    .as_ref()
                    .map_err(Clone::clone)?,
            )
        };
        self.pool
            .submit(lane, work)
            .await
            .map_err(|Lost| broken("no thread can be started"))
    }
}

impl Default for Local {
    fn default() -> Self {
        Self::new()
    }
}

#[async_trait]
impl Embedder for Local {
    fn space(&self) -> &Space {
        &self.space
    }

    async fn embed(&self, task: EmbedTask, texts: &[String]) -> Result<Vec<Vec<f32>>, ModelError> {
        let lane = match task {
            EmbedTask::Query => Lane::Urgent,
            EmbedTask::Passage => Lane::Background,
        };
        // All texts stand in the queue before the first answer is waited for, so that every thread has work.
        let mut texts_under_way = Vec::with_capacity(texts.len());
        for text in texts {
            let text = text.clone();
            texts_under_way.push(
                self.with_engine(lane, move |engine| engine.begin(task, &text))
                    .await?,
            );
        }
        let mut sums_under_way = Vec::with_capacity(texts.len());
        for text in texts_under_way {
            sums_under_way.push(
                match text.await.map_err(|_| broken("inference ended early"))?? {
                    Begun::Whole(sum) => (sum, Vec::new()),
                    Begun::Parts(parts) => {
                        let mut sums = Vec::with_capacity(parts.len());
                        for part in parts {
                            sums.push(
                                self.with_engine(lane, move |engine| engine.sum(part))
                                    .await?,
                            );
                        }
                        (vec![0.0; DIMENSION], sums)
                    }
                },
            );
        }
        let mut vectors = Vec::with_capacity(texts.len());
        for (mut whole, sums) in sums_under_way {
            // The mean over all tokens of all parts has the direction of their sum.
            for sum in sums {
                let sum = sum.await.map_err(|_| broken("inference ended early"))??;
                whole
                    .iter_mut()
                    .zip(sum)
                    .for_each(|(whole, component)| *whole += component);
            }
            vectors.push(direction(&whole));
        }
        Ok(vectors)
    }
}

fn broken(what: &str) -> ModelError {
    ModelError {
        kind: ModelErrorKind::Unavailable,
        message: format!("built-in embedder: {what}"),
        retry_after_seconds: None,
    }
}

/// How far a text is after its first turn.
enum Begun {
    /// It is short; this is the sum over its tokens.
    Whole(Vec<f32>),
    /// It is long; these are its parts. Each waits in the queue by itself, so that a long text holds nobody up.
    Parts(Vec<Vec<i32>>),
}

/// The loaded model.
struct Engine {
    model: rten::Model,
    ids: NodeId,
    mask: NodeId,
    states: NodeId,
    tokenizer: Unigram,
    query: Vec<i32>,
    passage: Vec<i32>,
}

impl Engine {
    fn load() -> Result<Self, ModelError> {
        let tokenizer =
            Unigram::new(PIECES, SCORES).map_err(|_| broken("the vocabulary cannot be read"))?;
        // In place: the weights are read where the binary lies in memory. Only the packed form of the layers, which
        // makes short inputs three times as fast, is a copy (21 MB).
        let weights: &'static [u8] =
            rten::include_external_data!("../../../../models/e5-small-enzh-int8.onnx.data");
        let mut options = ModelOptions::with_ops(operators());
        options
            .prepack_weights(true)
            .external_data_static(WEIGHTS_NAME, weights);
        let model = options
            .load_static_slice(GRAPH)
            .map_err(|error| broken(&format!("the model cannot be read: {error}")))?;
        let node = |name| {
            model
                .node_id(name)
                .map_err(|_| broken("the model lacks an input or its output"))
        };
        Ok(Self {
            ids: node("input_ids")?,
            mask: node("attention_mask")?,
            states: node("last_hidden_state")?,
            query: tokens(&tokenizer, "query:"),
            passage: tokens(&tokenizer, "passage:"),
            model,
            tokenizer,
        })
    }

    fn begin(&self, task: EmbedTask, text: &str) -> Result<Begun, ModelError> {
        let mut parts = self.parts(task, text);
        match (parts.pop(), parts.is_empty()) {
            (Some(only), true) => Ok(Begun::Whole(self.sum(only)?)),
            (last, _) => {
                parts.extend(last);
                Ok(Begun::Parts(parts))
            }
        }
    }

    /// The inputs for a text: one, or as many as its length asks for, of nearly the same length.
    fn parts(&self, task: EmbedTask, text: &str) -> Vec<Vec<i32>> {
        let prefix = match task {
            EmbedTask::Query => &self.query,
            EmbedTask::Passage => &self.passage,
        };
        let tokens = tokens(&self.tokenizer, text);
        let room = INPUT_TOKENS_MAX - prefix.len() - 2;
        let count = tokens.len().div_ceil(room).max(1);
        let length = tokens.len().div_ceil(count).max(1);
        let input = |part: &[i32]| [&[START], prefix.as_slice(), part, &[END]].concat();
        if tokens.is_empty() {
            vec![input(&[])]
        } else {
            tokens.chunks(length).map(input).collect()
        }
    }

    /// The sum of the model's states over an input's tokens.
    fn sum(&self, input: Vec<i32>) -> Result<Vec<f32>, ModelError> {
        let length = input.len();
        let ids = NdTensor::from_data([1, length], input);
        let mask = NdTensor::<i32, 2>::full([1, length], 1);
        let options = RunOptions::default().with_thread_pool(Some(ONE_THREAD.with(Arc::clone)));
        let inputs = vec![(self.ids, ids.into()), (self.mask, mask.into())];
        let failed = |_| broken("inference failed");
        let output: [Value; 1] = self
            .model
            .run_n(inputs, [self.states], Some(options))
            .map_err(failed)?;
        let [output] = output;
        let states: NdTensor<f32, 3> = output
            .try_into()
            .map_err(|_| broken("the model's output has another type"))?;
        if states.shape() != [1, length, DIMENSION] {
            return Err(broken("the model's output has another shape"));
        }
        let mut sum = vec![0.0_f32; DIMENSION];
        for (at, state) in states.iter().enumerate() {
            sum[at % DIMENSION] += state;
        }
        Ok(sum)
    }
}

fn tokens(tokenizer: &Unigram, text: &str) -> Vec<i32> {
    tokenizer
        .encode(text)
        .into_iter()
        .map(u32::cast_signed)
        .collect()
}

/// What the graph is made of; the code of all other operators stays out of the binary.
fn operators() -> rten::OpRegistry {
    rten::op_registry!(
        Add,
        Cast,
        Concat,
        DequantizeLinear,
        Div,
        DynamicQuantizeLinear,
        Erf,
        Gather,
        LayerNormalization,
        MatMul,
        MatMulInteger,
        Mul,
        Reshape,
        Shape,
        Slice,
        Softmax,
        Sub,
        Transpose,
        Unsqueeze
    )
}
