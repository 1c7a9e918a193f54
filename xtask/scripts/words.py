"""Word lists that tell names of places from everyday words and names of people.

usage: python3 words.py SHARED NAMES_FOLDER OUT_FOLDER
SHARED: the project's shared folder, whose running text shows which words stand in lower case;
NAMES_FOLDER: `names` of the Python package names 0.3.0 (frequency tables of the U.S. Census, 1990).
Only words that some table of the gazetteer knows as a name are kept.
"""
import collections, glob, os, gzip, html, re, sys, unicodedata

shared, names, out = sys.argv[1:4]

def fold(text):
    text = unicodedata.normalize("NFKD", text)
    return "".join(c for c in text if not unicodedata.combining(c)).lower().replace(".", "").replace("'", "").replace("\u2019", "")

known = set()
for row in gzip.open(f"{shared}/geo/geonames_cities_us500_world5000.tsv.gz", "rt"):
    cells = row.split("\t")
    known.update(fold(name) for name in [cells[1], *cells[9].strip().split("|")])
for row in gzip.open(f"{shared}/geo/geonames_iso_subdivisions.tsv.gz", "rt"):
    cells = row.split("\t")
    for name in [cells[0], *cells[5].split("|")]:
        known.add(fold(name))
        known.add(fold(re.sub(r" (County|Parish|Borough|District|Province)$", "", name)))
for row in open(f"{shared}/geo/us_census_places.tsv"):
    known.add(fold(re.sub(r" (CDP|city|town|township|village|borough)$", "", row.split("\t")[3])))
known = {name for name in known if name.isalpha()}

lower = collections.Counter()
texts = [open(path, errors="replace").read() for kind in ("corpus/*.txt", "corpus/*.md", "corpus/*.html", "papers/*.txt", "spec/*.md", "*.md") for path in glob.glob(f"{shared}/{kind}")]
for name in ("lgl.xml", "GeoVirus.xml"):
    # The first half of each corpus only: the second is kept for measuring.
    text = open(f"{shared}/geo/{name}").read()
    text = text.replace("<![CDATA[", " ").replace("]]>", " ")
    texts.append(html.unescape(re.sub(r"<[^>]*>", " ", text[: len(text) // 2])))
# Prose that lies on most machines: manuals of Python and of Rust packages.
for pattern in ("/usr/lib/python3*/*.py", os.path.expanduser("~/.cargo/registry/src/*/*/README.md"), os.path.expanduser("~/.cargo/registry/src/*/*/CHANGELOG.md")):
    texts += [" ".join(line for line in open(path, errors="replace") if len(line.split()) > 7) for path in glob.glob(pattern)]
for text in texts:
    lower.update(re.findall(r"(?<![A-Za-z'.@/_-])[a-z]{2,}(?![A-Za-z'@/_])", text))
everyday = sorted(word for word, count in lower.items() if count >= 3 and word in known)
open(f"{out}/everyday_words.txt", "w").write("\n".join(everyday) + "\n")

def census(file, most):
    rows = [line.split() for line in open(f"{names}/{file}")]
    return {row[0].lower() for row in rows if float(row[2]) <= most}
first = census("dist.male.first", 89.5) | census("dist.female.first", 88.5)
last = census("dist.all.last", 55.0)
open(f"{out}/first_names.txt", "w").write("\n".join(sorted(first)) + "\n")
open(f"{out}/surnames.txt", "w").write("\n".join(sorted(last & known)) + "\n")
print(len(everyday), len(first), len(last), len(last & known))
