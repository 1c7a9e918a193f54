#!/bin/sh
# Makes the PDF sheets of the sample library again from the Markdown beside this script.
# Needed only when one of them changes. Uses a throw-away virtual environment; on Debian its
# module is in the package python3-venv.
set -eu
cd "$(dirname "$0")"
venv=$(mktemp -d)
trap 'rm -rf "$venv"' EXIT INT TERM
python3 -m venv "$venv"
"$venv/bin/pip" install --quiet 'reportlab==4.4.4'
"$venv/bin/python" make_pdfs.py
