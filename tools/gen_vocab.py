#!/usr/bin/env python3
"""Writes src/tokens/data/*.c: the vocabularies, laid out to be used where they are.

    ./dev tokens --quick    # fetches the package, with its hash checked
    python3 tools/gen_vocab.py build/tiktoken/node_modules/tiktoken/encoders

The ranks come from the npm package `tiktoken`, which carries them as JSON. Each list
is put into the form in which OpenAI publishes it and must have the SHA-256 that
OpenAI's own library expects, so where the copy came from does not matter.

Every token of more than one byte is the merge of exactly two earlier tokens, and this
script refuses a vocabulary in which that is not so: then the two ids say everything.
They are written as 18 bits each, six bits to a character, in the order of the ids. The
first 256 tokens are single bytes, in an order that all the vocabularies share.

Beside the pairs there is a hash table that leads from a pair to its token. A hash of
the pair chooses a bucket, the bucket's seed goes into a second hash, and that one
chooses the slot. The seeds are found here, bucket by bucket, so that no two pairs share
a slot; so a look-up reads one seed and one slot. src/tokens/vocab_data.h has the same
hashes in C.

r50k_base is the beginning of p50k_base and needs no file of its own; o200k_harmony is
o200k_base with more special tokens.
"""

import base64
import hashlib
import json
import pathlib
import sys

OUT = pathlib.Path(__file__).parent.parent / "src" / "tokens" / "data"

PUBLISHED = {
    "o200k_base": "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
    "cl100k_base": "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
    "p50k_base": "94b5ca7dff4d00767bc256fdd1b27e5b17361d7b8a5f968547f9f23eb70d2069",
    "r50k_base": "306cd27f03c1a714eca7108e03d66b7dc042abe8c258b44c199a7ed9838dd930",
}

# The single bytes in the order of their ids: first those that are visible in Latin-1.
VISIBLE = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
BYTES = VISIBLE + [byte for byte in range(256) if byte not in VISIBLE]

NO_PAIR = (2**18 - 1, 2**18 - 1)
LINE_LEN = 84

BUCKET_PAIRS = 4  # on average
SLOTS_PER_PAIR = 1.15
SEEDS = 4096
WORD = 2**64 - 1


def ranks_of(folder, name):
    """The tokens of a vocabulary by id, checked against what OpenAI publishes."""
    ranks = {}
    for line in json.loads((folder / f"{name}.json").read_text())["bpe_ranks"].split("\n"):
        if line:
            _, first, *tokens = line.split(" ")
            for number, token in enumerate(tokens, int(first)):
                ranks[base64.b64decode(token)] = number
    tokens = sorted(ranks, key=ranks.__getitem__)
    published = "".join(f"{base64.b64encode(t).decode()} {ranks[t]}\n" for t in tokens)
    if hashlib.sha256(published.encode()).hexdigest() != PUBLISHED[name]:
        sys.exit(f"{name}: these are not the ranks that OpenAI publishes")
    return ranks


def halves(ranks, token):
    """The two tokens whose merge this one is."""
    rank = ranks[token]
    parts = [token[i : i + 1] for i in range(len(token))]
    while True:
        best, at = rank, None
        for i in range(len(parts) - 1):
            found = ranks.get(parts[i] + parts[i + 1], rank)
            if found < best:
                best, at = found, i
        if at is None:
            break
        parts[at : at + 2] = [parts[at] + parts[at + 1]]
    if len(parts) != 2:
        sys.exit(f"token {rank} is a merge of {len(parts)} tokens")
    return ranks[parts[0]], ranks[parts[1]]


def pairs_of(ranks):
    """(left, right) for each id from 256 on; NO_PAIR where there is no such id."""
    pairs = [NO_PAIR] * (max(ranks.values()) + 1 - 256)
    for token, rank in ranks.items():
        if rank < 256:
            if token != bytes([BYTES[rank]]):
                sys.exit(f"token {rank} is not the byte expected there")
        else:
            pairs[rank - 256] = halves(ranks, token)
    return pairs


def spelled(number, chars):
    """The number in characters from '0' to 'o', six bits each, low bits first."""
    return "".join(chr(48 + (number >> 6 * i & 63)) for i in range(chars))


def first_hash(pair):
    return (pair[0] << 18 | pair[1]) * 0x9E3779B97F4A7C15 & WORD


def second_hash(hashed, seed):
    return (hashed ^ (seed + 1) * 0xD6E8FEB86659FD93 & WORD) * 0xBF58476D1CE4E5B9 & WORD


def within(hashed, count):
    """The upper half of the hash, scaled to the range below `count`."""
    return (hashed >> 32) * count >> 32


def seed_for(bucket, slots):
    """A seed under which the pairs of a bucket fall into free slots, and those slots."""
    for seed in range(SEEDS):
        found = {}
        for hashed, token in bucket:
            slot = within(second_hash(hashed, seed), len(slots))
            if slots[slot] is not None or slot in found:
                break
            found[slot] = token
        else:
            return seed, found
    sys.exit("no seed will do; allow more of them, or more slots")


def table_of(pairs):
    """The seed of each bucket, and for each slot (tag, index of the pair) or None."""
    indexes = [i for i, pair in enumerate(pairs) if pair != NO_PAIR]
    buckets = [[] for _ in range(len(indexes) // BUCKET_PAIRS)]
    slots = [None] * int(len(indexes) * SLOTS_PER_PAIR)
    for index in indexes:
        hashed = first_hash(pairs[index])
        buckets[within(hashed, len(buckets))].append((hashed, index))
    seeds = [0] * len(buckets)
    for number in sorted(range(len(buckets)), key=lambda i: -len(buckets[i])):
        seeds[number], found = seed_for(buckets[number], slots)
        for slot, index in found.items():
            tag = second_hash(first_hash(pairs[index]), seeds[number]) >> 16 & 63
            slots[slot] = (tag, index)
    return seeds, slots


def escaped(text):
    """As C has it; a question mark must not begin a trigraph."""
    return text.replace("\\", "\\\\").replace("?", "\\?")


def array(name, text):
    lines = [escaped(text[i : i + LINE_LEN]) for i in range(0, len(text), LINE_LEN)]
    body = "\n".join(f'    "{line}"' for line in lines)
    return f"static const char {name}[] =\n{body};\n"


def write(name, ranks):
    pairs = pairs_of(ranks)
    seeds, slots = table_of(pairs)
    pair_text = "".join(spelled(left | right << 18, 6) for left, right in pairs)
    seed_text = "".join(spelled(seed, 2) for seed in seeds)
    # An empty slot leads to a pair that is not there: its index is the largest.
    filled = [slot or (0, 2**18 - 1) for slot in slots]
    slot_text = "".join(spelled(tag | index << 6, 4) for tag, index in filled)
    switch = name.removesuffix("_base").upper()
    digest = hashlib.sha256(pair_text.encode()).hexdigest()
    (OUT / f"{name}.c").write_text(
        f"""/*
 * {name}.c - the merges of {name}. Written by tools/gen_vocab.py; see README.md.
 *
 * The ranks are OpenAI's, under the MIT licence. Of the characters of the pairs:
 * SHA-256 {digest}
 */
#include "tokens/vocab_data.h"

#if !defined(PITH_OMIT_TOKENS) && !defined(PITH_OMIT_VOCAB_{switch})

/* clang-format off */
{array(f"vocab_pairs_{name}", pair_text)}
{array(f"vocab_seeds_{name}", seed_text)}
{array(f"vocab_slots_{name}", slot_text)}
/* clang-format on */

const vocab_data vocab_data_{name} = {{
    vocab_pairs_{name}, {len(pairs)}, vocab_seeds_{name}, {len(seeds)},
    vocab_slots_{name}, {len(slots)},
}};

#endif
"""
    )
    print(name, len(ranks), "tokens, SHA-256 of the pairs", digest)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    all_ranks = {name: ranks_of(folder, name) for name in PUBLISHED}
    longer, shorter = all_ranks["p50k_base"], all_ranks.pop("r50k_base")
    if any(longer.get(token) != rank for token, rank in shorter.items()):
        sys.exit("r50k_base is not the beginning of p50k_base")
    for name, ranks in all_ranks.items():
        write(name, ranks)


main()
