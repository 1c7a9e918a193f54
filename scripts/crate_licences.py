"""Counts the licences of the crates that Lahar is built from, and names those we do not allow.

usage: cargo metadata --locked --offline --format-version 1 --filter-platform HOST \
           | python3 scripts/crate_licences.py

Exit code 1 when a crate offers no licence of the list below, 2 when there is no input. NOTICE says what this is for.
"""

import collections
import json
import re
import sys

ALLOWED = {
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "IJG",
    "ISC",
    "MIT",
    "MIT-0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
}


def allowed(expression):
    """Whether an SPDX expression can be met with allowed licences alone.

    `/` is the old way to write OR. OR binds weaker than AND; brackets nest.
    """
    tokens = re.findall(r"\(|\)|[^\s()]+", expression.replace("/", " OR "))
    at = 0

    def any_of():
        nonlocal at
        met = all_of()
        while at < len(tokens) and tokens[at] == "OR":
            at += 1
            met = all_of() or met
        return met

    def all_of():
        nonlocal at
        met = one()
        while at < len(tokens) and tokens[at] == "AND":
            at += 1
            met = one() and met
        return met

    def one():
        nonlocal at
        if at >= len(tokens):
            return False
        token = tokens[at]
        at += 1
        if token == "(":
            met = any_of()
            at += 1
            return met
        if at + 1 < len(tokens) and tokens[at] == "WITH":
            token = f"{token} WITH {tokens[at + 1]}"
            at += 2
        return token in ALLOWED

    return any_of() and at >= len(tokens)


def main():
    text = sys.stdin.read()
    if not text.strip():
        sys.stderr.write("no metadata on standard input; did cargo metadata fail?\n")
        return 2
    metadata = json.loads(text)
    ours = set(metadata["workspace_members"])
    in_build = {node["id"] for node in metadata["resolve"]["nodes"]}
    counts = collections.Counter()
    refused = []
    for package in metadata["packages"]:
        if package["id"] in ours or package["id"] not in in_build:
            continue
        licence = package["license"] or "none stated"
        counts[licence] += 1
        if not allowed(licence):
            refused.append(f"{package['name']} {package['version']}: {licence}")
    for licence, count in counts.most_common():
        print(f"{count:5}  {licence}")
    print(f"{sum(counts.values()):5}  crates in all")
    for line in refused:
        print(f"not allowed: {line}", file=sys.stderr)
    return 1 if refused else 0


if __name__ == "__main__":
    sys.exit(main())
