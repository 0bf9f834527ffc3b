//! Byte-pair merging that only counts.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::builtin::Pieces;

/// Longest piece that is merged as one, bytes: bounds the memory (some 2 MB).
const PIECE_BYTES_MAX: usize = 64 * 1024;
/// No neighbour, or no merge.
const NONE: u32 = u32::MAX;

static RANKS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/o200k.ranks.fst"));

/// The merges of an encoding: byte strings by rank, the lowest first.
pub(super) struct BytePairs {
    ranks: Pieces,
}

/// A run of bytes that is one token so far; its place in the list is where it starts.
#[derive(Clone, Copy)]
struct Run {
    before: u32,
    /// Where the next run starts: the end of this one.
    end: u32,
    /// The rank of this run merged with the next one.
    merge: u32,
}

impl BytePairs {
    /// The merges of o200k.
    pub(super) fn o200k() -> Option<Self> {
        Some(Self {
            ranks: Pieces::new(RANKS).ok()?,
        })
    }

    /// How many tokens a piece is.
    pub(super) fn count(&self, piece: &[u8]) -> usize {
        piece
            .chunks(PIECE_BYTES_MAX)
            .map(|slice| {
                if self.ranks.get(slice).is_some() {
                    1
                } else {
                    self.merge(slice)
                }
            })
            .sum()
    }

    /// Merges the neighbours of the lowest rank, the leftmost first, until none can be merged. Quadratic work is out
    /// of reach: each merge costs two look-ups and the logarithm of the length.
    fn merge(&self, piece: &[u8]) -> usize {
        let length = piece.len() as u32;
        let mut runs: Vec<Run> = (0..length)
            .map(|at| Run {
                before: at.checked_sub(1).unwrap_or(NONE),
                end: at + 1,
                merge: NONE,
            })
            .collect();
        let mut queue = BinaryHeap::with_capacity(piece.len());
        for start in 0..length {
            self.propose(piece, &mut runs, &mut queue, start);
        }
        let mut left = piece.len();
        while let Some(Reverse((rank, start))) = queue.pop() {
            let run = runs[start as usize];
            if run.merge != rank {
                // What it would have merged is not there any more.
                continue;
            }
            let next = run.end;
            let end = runs[next as usize].end;
            runs[start as usize].end = end;
            runs[next as usize].merge = NONE;
            if let Some(after) = runs.get_mut(end as usize) {
                after.before = start;
            }
            left -= 1;
            self.propose(piece, &mut runs, &mut queue, start);
            if run.before != NONE {
                self.propose(piece, &mut runs, &mut queue, run.before);
            }
        }
        left
    }

    /// Queues the merge of the run at `start` with the one after it, if the encoding has it.
    fn propose(
        &self,
        piece: &[u8],
        runs: &mut [Run],
        queue: &mut BinaryHeap<Reverse<(u32, u32)>>,
        start: u32,
    ) {
        let end = runs
            .get(runs[start as usize].end as usize)
            .map(|next| next.end);
        let rank = end.and_then(|end| self.ranks.get(&piece[start as usize..end as usize]));
        runs[start as usize].merge = rank.unwrap_or(NONE);
        if let Some(rank) = rank {
            queue.push(Reverse((rank, start)));
        }
    }
}
