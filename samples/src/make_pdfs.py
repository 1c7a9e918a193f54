"""Sets the Markdown sheets of this folder as PDF files in the folder above.

Run by make-pdfs.sh. Reads the little Markdown that the sheets use: one title, `##` headings,
paragraphs, `-` lists and pipe tables. The output is the same bytes each time (reportlab's
`invariant` mode sets no date and no random id).
"""

import re
import sys
from pathlib import Path
from xml.sax.saxutils import escape

from reportlab.lib.pagesizes import A5
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.platypus import Paragraph, SimpleDocTemplate, Spacer, Table, TableStyle

BODY = ParagraphStyle("body", fontName="Times-Roman", fontSize=12, leading=15, spaceAfter=5)
TITLE = ParagraphStyle("title", parent=BODY, fontName="Helvetica-Bold", fontSize=16, leading=19, spaceAfter=8)
HEADING = ParagraphStyle("heading", parent=BODY, fontName="Helvetica-Bold", fontSize=13, spaceBefore=8, keepWithNext=1)
CAPTION = ParagraphStyle("caption", parent=BODY, fontName="Helvetica-Oblique", fontSize=10, leading=13, keepWithNext=1)
LIST = ParagraphStyle("list", parent=BODY, leftIndent=12)
CELL = ParagraphStyle("cell", parent=BODY, fontSize=10.5, leading=13, spaceAfter=0)
HEAD_CELL = ParagraphStyle("head-cell", parent=CELL, fontName="Times-Bold")


def table(lines, width):
    rows = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in lines]
    rows = [row for row in rows if not all(re.fullmatch(r":?-+:?", cell) for cell in row)]
    cells = [
        [Paragraph(escape(cell), HEAD_CELL if at == 0 else CELL) for cell in row]
        for at, row in enumerate(rows)
    ]
    # A column is as wide as its longest word at least; what is left goes by the longest cell.
    def widest(column, parts):
        return max(
            stringWidth(part, "Times-Bold", CELL.fontSize)
            for row in rows
            for part in parts(row[column])
        )

    columns = range(len(rows[0]))
    padding = 6
    least = [widest(column, str.split) + padding + 1 for column in columns]
    wished = [widest(column, lambda cell: [cell]) + padding + 1 for column in columns]
    spare = max(width - sum(least), 0)
    wanting = sum(w - l for w, l in zip(wished, least)) or 1
    share = min(spare / wanting, 1)
    widths = [l + (w - l) * share for w, l in zip(wished, least)]
    made = Table(cells, colWidths=widths, repeatRows=1, hAlign="LEFT")
    made.setStyle(
        TableStyle(
            [
                ("LINEBELOW", (0, 0), (-1, 0), 0.8, "black"),
                ("LINEBELOW", (0, -1), (-1, -1), 0.8, "black"),
                ("VALIGN", (0, 0), (-1, -1), "TOP"),
                ("LEFTPADDING", (0, 0), (-1, -1), 2),
                ("RIGHTPADDING", (0, 0), (-1, -1), padding - 2),
            ]
        )
    )
    return made


def blocks(markdown, width):
    title = None
    flow = []
    for block in re.split(r"\n\s*\n", markdown.strip()):
        lines = block.splitlines()
        if block.startswith("# "):
            title = block[2:].strip()
            flow.append(Paragraph(escape(title), TITLE))
        elif block.startswith("## "):
            flow.append(Paragraph(escape(block[3:].strip()), HEADING))
        elif block.startswith("|"):
            flow += [table(lines, width), Spacer(1, 4 * mm)]
        elif block.startswith("- "):
            flow += [Paragraph(escape(line[2:]), LIST, bulletText="•") for line in lines]
        elif block.startswith("Table "):
            flow.append(Paragraph(escape(block), CAPTION))
        else:
            flow.append(Paragraph(escape(" ".join(lines)), BODY))
    return title, flow


def set_sheet(source, target):
    margin = 17 * mm
    title, flow = blocks(source.read_text(encoding="utf-8"), A5[0] - 2 * margin)
    document = SimpleDocTemplate(
        str(target),
        pagesize=A5,
        leftMargin=margin,
        rightMargin=margin,
        topMargin=22 * mm,
        bottomMargin=20 * mm,
        title=title,
        author="Lahar project",
        invariant=1,
    )

    def frame(canvas, page):
        canvas.saveState()
        canvas.setFont("Helvetica", 8)
        canvas.drawString(margin, A5[1] - 13 * mm, "Lahar project fact sheet")
        canvas.drawRightString(A5[0] - margin, A5[1] - 13 * mm, title)
        canvas.drawCentredString(A5[0] / 2, 11 * mm, f"Page {page.page}")
        canvas.restoreState()

    document.build(flow, onFirstPage=frame, onLaterPages=frame)


def main():
    here = Path(__file__).resolve().parent
    for source in sorted(here.glob("*.md")):
        target = here.parent / f"{source.stem}.pdf"
        set_sheet(source, target)
        sys.stdout.write(f"{target.name}: {target.stat().st_size} bytes\n")


if __name__ == "__main__":
    main()
