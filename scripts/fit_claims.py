#!/usr/bin/env python3
"""Fits the weights of the claim checker from rows of true/false questions.

    lahar bench qa --questions SET.jsonl --alone --rows rows.jsonl
    scripts/fit_claims.py rows.jsonl [--words rows-without-model.jsonl] [--groups ID_TO_DOCUMENT.json]
        > crates/answers/src/claims/weights.txt

A logistic regression with a quadratic penalty on standardised weights (for their distance from
hand-made ones), fitted by Newton's method.
The penalty is the one of least loss in a cross-validation that keeps all items of a document
together (ten folds, seeded). A weight whose sign would say the contrary of what its sign means is
held at nought. Accuracies of the cross-validation go to stderr and into the head of the file.
"""

import argparse
import json
import math
import random
import sys

SEED = 20261201
FOLDS = 10
PENALTIES = (3.0, 10.0, 30.0, 100.0)
# What a sign can only speak for (+1) or against (-1), 0 leaving it open, and the weight that the
# penalty draws it to: about what hand-made rules gave it before it was fitted.
SIGNS = {
    "words_found": (1, 2.0),
    "words_found_here": (1, 1.0),
    "word_missing": (-1, -1.0),
    "second_word_missing": (-1, -0.5),
    "verb_missing": (-1, -1),
    "quality_missing": (-1, -1),
    "thing_missing": (-1, -1),
    "name_missing": (-1, -1.5),
    "name_other": (-1, -2.0),
    "name_apart": (-1, -0.5),
    "meaning": (1, 1.0),
    "meaning_of_words": (1, 0.0),
    "meaning_of_farthest_word": (-1, 0.0),
    "figure_same": (1, 1.0),
    "figure_within": (1, 0.7),
    "figure_differs": (-1, -3.0),
    "figure_counts_other": (-1, -2.5),
    "figure_absent": (-1, -1.0),
    "figure_apart": (-1, -0.3),
    "figure_of_other": (-1, -2.0),
    "date_same": (1, 0.1),
    "date_differs": (-1, -2.0),
    "date_absent": (-1, -0.4),
    "denied": (-1, -2.5),
    "contrary": (-1, -2.5),
    "rank_same": (1, 0.6),
    "rank_differs": (-1, -3.0),
    "compared_same": (1, 1.5),
    "compared_otherwise": (-1, -3.0),
    "every_where_some": (-1, -2.0),
    "every_unsaid": (-1, -1.0),
    "cause_other": (-1, -2.0),
    "words_apart": (-1, 0.0),
    "bond_broken": (-1, -0.7),
}


PRIOR = [0.0, *(prior for _, prior in SIGNS.values())]


def read(path, groups):
    """Values of the signs, label and group of every item that was answered."""
    items = []
    with open(path, encoding="utf-8") as file:
        for line in file:
            row = json.loads(line)
            if row["type"] != "TF" or not row.get("grounds"):
                continue
            values = dict.fromkeys(SIGNS, 0.0)
            for ground in row["grounds"]:
                if ground["name"] not in values:
                    raise SystemExit(f"{path}: no sign is called {ground['name']}")
                values[ground["name"]] += ground["value"]
            group = groups.get(row["id"]) or row.get("document") or row["id"]
            items.append(([1.0, *values.values()], row["expected"] == "True", group))
    return items


def solve(matrix, vector):
    """Gauss elimination with pivoting."""
    size = len(vector)
    rows = [[*matrix[i], vector[i]] for i in range(size)]
    for i in range(size):
        pivot = max(range(i, size), key=lambda r: abs(rows[r][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for r in range(i + 1, size):
            factor = rows[r][i] / rows[i][i]
            if factor:
                rows[r] = [a - factor * b for a, b in zip(rows[r], rows[i])]
    found = [0.0] * size
    for i in reversed(range(size)):
        rest = sum(rows[i][j] * found[j] for j in range(i + 1, size))
        found[i] = (rows[i][size] - rest) / rows[i][i]
    return found


def newton(items, used, scales, penalty):
    weights = [0.0] * len(used)
    for _ in range(30):
        slope = [0.0] * len(used)
        curve = [[0.0] * len(used) for _ in used]
        for values, label, _ in items:
            x = [values[u] for u in used]
            p = 1 / (1 + math.exp(-max(-30, min(30, sum(a * b for a, b in zip(weights, x))))))
            for i, a in enumerate(x):
                if a:
                    slope[i] += (label - p) * a
                    for j, b in enumerate(x):
                        curve[i][j] += p * (1 - p) * a * b
        for i, u in enumerate(used):
            held = penalty * scales[u] ** 2 if u else 1e-6
            slope[i] -= held * (weights[i] - PRIOR[u])
            curve[i][i] += held + 1e-9
        step = solve(curve, slope)
        weights = [w + s for w, s in zip(weights, step)]
        if max(map(abs, step)) < 1e-6:
            break
    return weights


def fit(items, penalty):
    names = list(SIGNS)
    size = len(names) + 1
    scales = [0.0]
    for k in range(1, size):
        column = [values[k] for values, _, _ in items]
        mean = sum(column) / len(column)
        scales.append(math.sqrt(sum((c - mean) ** 2 for c in column) / len(column)))
    # A sign that shows in almost no item is held as if it showed in more.
    scales = [max(scale, 0.1) for scale in scales]
    used = list(range(size))
    while True:
        weights = newton(items, used, scales, penalty)
        wrong = [
            u for u, w in zip(used, weights) if u and SIGNS[names[u - 1]][0] * w < 0
        ]
        if not wrong:
            break
        used = [u for u in used if u not in wrong]
    found = [0.0] * size
    for u, w in zip(used, weights):
        found[u] = w
    return found


def odds(weights, values):
    return sum(a * b for a, b in zip(weights, values))


def cross_validate(items, penalty):
    groups = sorted({group for _, _, group in items})
    random.Random(SEED).shuffle(groups)
    fold = {group: i % FOLDS for i, group in enumerate(groups)}
    loss, right = 0.0, 0
    for k in range(FOLDS):
        weights = fit([item for item in items if fold[item[2]] != k], penalty)
        for values, label, group in items:
            if fold[group] == k:
                z = odds(weights, values)
                right += (z > 0) == label
                loss += math.log1p(math.exp(-max(-30, min(30, z if label else -z))))
    return loss / len(items), right / len(items)


def fitted(items, name):
    results = [(cross_validate(items, penalty), penalty) for penalty in PENALTIES]
    for (loss, right), penalty in results:
        print(f"{name}: penalty {penalty:5}: loss {loss:.4f} accuracy {right:.4f}", file=sys.stderr)
    (loss, right), penalty = min(results)
    weights = fit(items, penalty)
    own = sum((odds(weights, v) > 0) == label for v, label, _ in items) / len(items)
    print(f"{name}: fitted on {len(items)} with {penalty}, own accuracy {own:.4f}", file=sys.stderr)
    return weights, len(items), len({g for _, _, g in items}), penalty, right


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rows")
    parser.add_argument("--words", help="rows of a library without an embedding model")
    parser.add_argument("--groups", help="JSON object: id of an item to its document")
    options = parser.parse_args()
    groups = json.load(open(options.groups)) if options.groups else {}
    meaning = fitted(read(options.rows, groups), "with meaning")
    words = fitted(read(options.words, groups), "words alone") if options.words else meaning
    print("# Weights of the signs for and against a claim: with an embedding model, and by words alone.")
    print("# Written by scripts/fit_claims.py (how, stands there); do not edit.")
    for name, (_, items, documents, penalty, right) in (("with meaning", meaning), ("words alone", words)):
        print(
            f"# {name}: {items} development items over {documents} documents, penalty {penalty}, "
            f"accuracy {right:.3f} on documents left out."
        )
    for i, name in enumerate(["constant", *SIGNS]):
        print(f"{name} {meaning[0][i]:.4f} {words[0][i]:.4f}")


if __name__ == "__main__":
    main()
