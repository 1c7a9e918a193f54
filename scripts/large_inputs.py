"""Ingests inputs too large for a test run and prints time, peak memory and outcome of each.

usage: python3 scripts/large_inputs.py PATH_TO_LAHAR

Makes the files in a scratch folder (about 1.3 GB) and removes them. Fails when an ingest takes
more than 1 GB of memory, crashes, or hangs for more than 20 s a file without a word.
"""

import os
import subprocess
import sys
import tempfile
import time
import zipfile

LIMIT_KB = 1 << 20
SENTENCE = "The levee at Mill Creek held through the night and the gauge read 12.4 feet at noon. "


def document(body):
    """The main part of a Word document."""
    return (
        '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>'
        + body
        + "</w:body></w:document>"
    )


def word(path, parts):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        for name, content in parts:
            archive.writestr(name, content)


def make(folder):
    """Writes the inputs; yields what each is, its path, and whether it must be refused."""

    def write(name, pieces):
        path = os.path.join(folder, name)
        with open(path, "w", encoding="utf-8") as file:
            for piece in pieces:
                file.write(piece)
        return path

    paragraph = SENTENCE * 6 + "\n\n"
    yield "text of 1 GB", write("gigabyte.txt", (paragraph for _ in range((1 << 30) // len(paragraph)))), True
    yield "text of 10 MB", write("ten.txt", (paragraph for _ in range((10 << 20) // len(paragraph)))), False
    yield "one line of 10 MB", write("line.txt", (SENTENCE for _ in range((10 << 20) // len(SENTENCE)))), False
    cells = "<tr><td>Mill Creek<td>12.4<td>feet"
    yield "page with a table of 10 MB", write("table.html", ["<table>", cells * ((10 << 20) // len(cells))]), False
    body = f"<w:p><w:r><w:t>{SENTENCE}</w:t></w:r></w:p>"
    path = os.path.join(folder, "long.docx")
    word(path, [("word/document.xml", document(body * ((10 << 20) // len(body))))])
    yield "Word document of 10 MB", path, False
    path = os.path.join(folder, "bomb.docx")
    word(path, [("word/document.xml", document(" " * (1 << 29)))])
    yield "Word document that unpacks to 512 MB", path, True
    entities = "".join(f'<!ENTITY e{n} "{"&e%d;" % (n - 1) * 10}">' for n in range(1, 12))
    path = os.path.join(folder, "entities.docx")
    text = f'<!DOCTYPE x [<!ENTITY e0 "ha">{entities}]>' + document("<w:p><w:r><w:t>&e11;</w:t></w:r></w:p>")
    word(path, [("word/document.xml", text)])
    yield "Word document whose entities swell", path, True


def run(lahar, library, path):
    """Exit code, seconds, peak memory in kB and what was said."""
    begun = time.monotonic()
    environment = dict(os.environ, LAHAR_MODELS=os.path.join(os.path.dirname(path), "none"))
    child = subprocess.Popen(
        [lahar, "--library", library, "ingest", path],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment,
    )
    said = child.stdout.read().decode("utf-8", "replace")
    _, status, usage = os.wait4(child.pid, 0)
    return os.waitstatus_to_exitcode(status), time.monotonic() - begun, usage.ru_maxrss, said


def main():
    if len(sys.argv) != 2 or sys.argv[1] in ("-h", "--help"):
        print(__doc__.strip())
        return 2
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        for number, (what, path, is_refused) in enumerate(make(folder)):
            library = os.path.join(folder, f"{number}.db")
            code, seconds, peak, said = run(sys.argv[1], library, path)
            lines = [line.strip() for line in said.splitlines() if line.strip()]
            reason = lines[1] if is_refused and len(lines) > 1 else lines[0] if lines else ""
            fits = code == (1 if is_refused else 0) and peak <= LIMIT_KB
            failed = failed or not fits
            print(f"{'' if fits else 'FAILED  '}{what}: {seconds:.1f} s, {peak / 1024:.0f} MB, exit {code}: {reason[:160]}")
            os.remove(path)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
