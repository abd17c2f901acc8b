"""What a text costs."""

from __future__ import annotations

import pytest

import pith


def test_count_encode_decode() -> None:
    text = "Hello, wörld! 🎈"
    for name in ("o200k_base", "cl100k_base", "p50k_base"):
        tokens = pith.encode(text, tokenizer=name)
        assert pith.count(text, tokenizer=name) == len(tokens)
        assert pith.decode(tokens, tokenizer=name) == text
        assert pith.decode_bytes(tokens, tokenizer=name) == text.encode()
    assert pith.count(text.encode()) == pith.count(text)
    assert pith.encode("hello world") == [24912, 2375]


def test_models() -> None:
    assert pith.count("hello", model="gpt-4o-mini") == pith.count("hello")
    assert pith.encode("hello", model="gpt-4") == pith.encode("hello", tokenizer="cl100k_base")
    assert pith.count("hello", model="openai/gpt-5-mini") == 1
    with pytest.raises(LookupError, match="tokenizer="):
        pith.count("hello", model="claude")


def test_special_tokens_are_text_unless_told() -> None:
    assert len(pith.encode("<|endoftext|>")) > 1
    assert pith.encode("<|endoftext|>", special=True) == [199999]


def test_a_token_that_is_half_a_character() -> None:
    tokens = pith.encode("🧿")
    assert len(tokens) > 1
    assert pith.decode(tokens[:1]) == "\ufffd"


def test_estimate_and_mistakes() -> None:
    assert pith.Tokenizer("estimate").exact is False
    assert pith.count("12345678", tokenizer="estimate") == 2
    with pytest.raises(pith.Error) as caught:
        pith.count("x", tokenizer="o20k_base")
    assert caught.value.status == "bad_use"
    with pytest.raises(pith.Error):
        pith.decode([10**9])
    with pytest.raises((TypeError, OverflowError)):
        pith.decode([-1])
    with pytest.raises(TypeError):
        pith.count("x", indent=3)  # type: ignore[call-arg]


def test_a_tokenizer_is_opened_once() -> None:
    tokenizer = pith.Tokenizer("cl100k_base")
    assert pith.Tokenizer("cl100k_base") is tokenizer
    assert repr(tokenizer) == "Tokenizer('cl100k_base')"
    assert tokenizer.size > 100_000 and tokenizer.exact
    assert pith.count("hello", tokenizer=tokenizer) == 1


def test_the_ways_to_name_a_tokenizer() -> None:
    tokenizer = pith.Tokenizer("gpt-4")
    assert tokenizer is pith.Tokenizer("cl100k_base")
    ids = tokenizer.encode("tiktoken is great")
    assert ids == pith.encode("tiktoken is great", "cl100k_base") == pith.encode("tiktoken is great", tokenizer="gpt-4")
    assert tokenizer.count("tiktoken is great") == pith.count("tiktoken is great", tokenizer) == len(ids)
    assert tokenizer.decode(ids) == pith.decode(ids, "gpt-4") == "tiktoken is great"
    with pytest.raises(TypeError, match="positional"):
        pith.count("x", "gpt-4", "gpt-4")  # type: ignore[call-arg]


def test_a_budget_uses_the_tokenizer() -> None:
    rows = [{"id": i, "text": "word " * 20} for i in range(100)]
    with pytest.warns(pith.Notice, match="left out"):
        made = pith.dumps(rows, "toon", budget=500, tokenizer="cl100k_base")
    assert pith.count(made, tokenizer="cl100k_base") <= 500


def test_ill_formed_text_is_told() -> None:
    with pytest.raises(pith.Error) as caught:
        pith.count(b"\xff")
    assert caught.value.code == "invalid_utf8"
