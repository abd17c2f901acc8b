"""Which tokenizer a model has, by the beginning of its name."""

from __future__ import annotations

# The longest beginning counts. Models whose vocabulary is not public are not here: a count
# for them would be a guess, which tokenizer="estimate" says it is.
MODELS = {
    "gpt-5": "o200k_base",
    "gpt-4.5": "o200k_base",
    "gpt-4.1": "o200k_base",
    "gpt-4o": "o200k_base",
    "chatgpt-4o": "o200k_base",
    "o1": "o200k_base",
    "o3": "o200k_base",
    "o4": "o200k_base",
    "gpt-oss": "o200k_base",
    "gpt-4": "cl100k_base",
    "gpt-3.5": "cl100k_base",
    "gpt-35": "cl100k_base",
    "text-embedding-3": "cl100k_base",
    "text-embedding-ada-002": "cl100k_base",
    "text-davinci-003": "p50k_base",
    "text-davinci-002": "p50k_base",
}


def tokenizer_of(model: str) -> str:
    if not isinstance(model, str):
        raise TypeError(f"a model is a str, not {type(model).__name__}")
    name = model.rsplit("/", 1)[-1].lower()
    for beginning in sorted(MODELS, key=len, reverse=True):
        if name == beginning or name.startswith((beginning + "-", beginning + ".", beginning + ":")):
            return MODELS[beginning]
    raise LookupError(
        f"the tokenizer of model {model!r} is not known: give tokenizer=, which may be a "
        "pith.Tokenizer.from_json(...), or tokenizer='estimate'"
    )
