//! A vocabulary that is read in place from the binary.

use fst::raw::{Fst, Node, Output};

/// Byte strings with a number each: the ids of a tokenizer's pieces, or the ranks of a byte-pair encoding.
pub(crate) struct Pieces {
    map: Fst<&'static [u8]>,
}

impl Pieces {
    /// Reads a map that the build script wrote. Fails when the bytes are not one.
    pub(crate) fn new(compiled: &'static [u8]) -> Result<Self, fst::Error> {
        Ok(Self {
            map: Fst::new(compiled)?,
        })
    }

    /// The number of that very byte string.
    pub(crate) fn get(&self, bytes: &[u8]) -> Option<u32> {
        self.map.get(bytes).map(number)
    }

    /// Every beginning of `bytes` that is a piece when it is spelled with that prefix: its length without the prefix and
    /// its number, shortest first.
    pub(crate) fn beginnings<'a>(&'a self, prefix: &[u8], bytes: &'a [u8]) -> Beginnings<'a> {
        let mut walk = Beginnings {
            map: &self.map,
            node: self.map.root(),
            sum: Output::zero(),
            bytes,
            at: 0,
        };
        if !prefix.iter().all(|&byte| walk.step(byte)) {
            walk.bytes = &[];
        }
        walk
    }
}

/// Ids and ranks are far below 2^32; the build script read them from lists of at most some 100,000.
fn number(output: Output) -> u32 {
    u32::try_from(output.value()).unwrap_or(u32::MAX)
}

/// See [`Pieces::beginnings`].
pub(crate) struct Beginnings<'a> {
    map: &'a Fst<&'static [u8]>,
    node: Node<'a>,
    sum: Output,
    bytes: &'a [u8],
    at: usize,
}

impl Beginnings<'_> {
    /// Follows one byte; `false` when no piece goes on with it.
    fn step(&mut self, byte: u8) -> bool {
        let Some(index) = self.node.find_input(byte) else {
            return false;
        };
        let transition = self.node.transition(index);
        self.sum = self.sum.cat(transition.out);
        self.node = self.map.node(transition.addr);
        true
    }
}

impl Iterator for Beginnings<'_> {
    type Item = (usize, u32);

    fn next(&mut self) -> Option<Self::Item> {
        while let Some(&byte) = self.bytes.get(self.at) {
            if !self.step(byte) {
                self.bytes = &[];
                return None;
            }
            self.at += 1;
            if self.node.is_final() {
                return Some((self.at, number(self.sum.cat(self.node.final_output()))));
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(entries: &[(&str, u64)]) -> Pieces {
        let mut sorted = entries.to_vec();
        sorted.sort_unstable();
        let compiled = fst::raw::Fst::from_iter_map(
            sorted.iter().map(|&(key, value)| (key.as_bytes(), value)),
        )
        .unwrap();
        Pieces::new(Box::leak(compiled.into_inner().into_boxed_slice())).unwrap()
    }

    #[test]
    fn beginnings_come_shortest_first_and_stop_at_the_first_byte_that_leads_nowhere() {
        let pieces = pieces(&[("a", 7), ("abc", 3), ("abcd", 900), ("b", 0), ("##ab", 4)]);
        let found =
            |text: &'static str| pieces.beginnings(b"", text.as_bytes()).collect::<Vec<_>>();
        assert_eq!(found("abcde"), [(1, 7), (3, 3), (4, 900)]);
        assert_eq!(found("abx"), [(1, 7)]);
        assert_eq!(found("xa"), []);
        assert_eq!(found(""), []);
        assert_eq!(
            pieces.beginnings(b"##", b"abc").collect::<Vec<_>>(),
            [(2, 4)]
        );
        assert_eq!(pieces.beginnings(b"!!", b"abc").collect::<Vec<_>>(), []);
        assert_eq!((pieces.get(b"abc"), pieces.get(b"ab")), (Some(3), None));
    }

    #[test]
    fn bytes_that_are_no_map_are_an_error() {
        assert!(Pieces::new(b"nonsense").is_err());
    }
}
