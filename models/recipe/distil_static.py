"""Makes the static table: every word piece of all-MiniLM-L6-v2 embedded alone, reduced to 256 components.

Per piece: the mean of the teacher's states over `[CLS] piece [SEP]`. Then principal components, each divided by the
fourth root of its variance (half-whitening); rows weighted by a Zipf estimate of how rare the piece is (SIF over the
rank in the vocabulary, which is sorted by frequency); int8 with one scale per row.

usage: python distil_static.py path/to/all-MiniLM-L6-v2 out/static-minilm-256-int8
       (a folder with config.json, model.safetensors, tokenizer.json; writes the same three)
needs: numpy, torch, transformers, tokenizers, safetensors
"""

import argparse
import json
import pathlib
import shutil

import numpy as np
import torch
from safetensors.numpy import save_file
from tokenizers import Tokenizer
from transformers import AutoModel

COMPONENTS = 256
SIF = 1e-4
BATCH = 1_024
MARKS = {"[PAD]", "[CLS]", "[SEP]", "[MASK]", "[UNK]"}


def teach(folder: pathlib.Path, pieces: list[str], ids: dict[str, int]) -> np.ndarray:
    """The teacher's vector of each piece."""
    model = AutoModel.from_pretrained(folder).eval()
    vectors = np.zeros((len(pieces), model.config.hidden_size), np.float32)
    for first in range(0, len(pieces), BATCH):
        inputs = torch.tensor([[ids["[CLS]"], i, ids["[SEP]"]] for i in range(first, min(len(pieces), first + BATCH))])
        with torch.inference_mode():
            states = model(input_ids=inputs, attention_mask=torch.ones_like(inputs)).last_hidden_state
        vectors[first : first + len(inputs)] = states.mean(1).numpy()
    return vectors


def reduce(vectors: np.ndarray, real: np.ndarray) -> np.ndarray:
    """Half-whitened principal components, fitted on the real pieces."""
    mean = vectors[real].mean(0)
    variances, directions = np.linalg.eigh(np.cov((vectors[real] - mean).T))
    order = np.argsort(-variances)[:COMPONENTS]
    return (vectors - mean) @ directions[:, order] / variances[order] ** 0.25


def rarity(real: np.ndarray) -> np.ndarray:
    """A weight for each piece: near one for rare pieces, near zero for the most frequent; zero for what is no word."""
    count = int(real.sum())
    share = 1 / np.arange(2, count + 2)
    share /= share.sum()
    weights = np.zeros(len(real))
    weights[real] = SIF / (SIF + share)
    return weights


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("teacher", type=pathlib.Path)
    arguments.add_argument("output", type=pathlib.Path)
    given = arguments.parse_args()

    ids = Tokenizer.from_file(str(given.teacher / "tokenizer.json")).get_vocab()
    pieces = sorted(ids, key=ids.get)
    real = np.array([not (piece.startswith("[unused") or piece in MARKS) for piece in pieces])
    table = reduce(teach(given.teacher, pieces, ids), real) * rarity(real)[:, None]

    scales = np.abs(table).max(1, keepdims=True) / 127
    scales[scales == 0] = 1
    given.output.mkdir(parents=True, exist_ok=True)
    tensors = {
        "embeddings": np.round(table / scales).astype(np.int8),
        # The scale of a row; half precision is enough, and single is what readers expect.
        "weights": scales[:, 0].astype(np.float16).astype(np.float32),
    }
    save_file(tensors, given.output / "model.safetensors")
    (given.output / "config.json").write_text(json.dumps({"normalize": True, "model_type": "model2vec", "embedding_dtype": "int8"}))
    shutil.copy(given.teacher / "tokenizer.json", given.output)


if __name__ == "__main__":
    main()
