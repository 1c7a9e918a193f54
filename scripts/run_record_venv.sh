#!/bin/sh
# Makes the Python environment that reads and validates run records: `runcrate`, `roc-validator`,
# and the JSON-LD context of RO-Crate 1.1. Tests that need it and do not find it say so by name.
#
# usage: scripts/run_record_venv.sh [FOLDER]
#
# LAHAR_CACHE  where it goes without FOLDER (default ~/.cache/lahar)
set -eu
folder=${1:-${LAHAR_CACHE:-$HOME/.cache/lahar}/run-record-venv}
old=
made=
# Half an environment is none.
cleanup() {
    rm -rf ${old:+"$old"}
    [ -n "$made" ] || rm -rf "$folder"
}
trap cleanup EXIT
python3 -m venv "$folder"
"$folder/bin/pip" install --quiet runcrate==0.6.2 roc-validator==0.13.0
# The last releases of `rocrate` carry a later context; this one carries that of 1.1.
old=$(mktemp -d)
"$folder/bin/pip" download --quiet --no-deps --dest "$old" rocrate==0.13.0
"$folder/bin/python" - "$old" "$folder" <<'PYTHON'
import glob, pathlib, sys, zipfile
wheel = zipfile.ZipFile(glob.glob(f"{sys.argv[1]}/rocrate-*.whl")[0])
context = pathlib.Path(sys.argv[2]) / "ro-crate-context-1.1.jsonld"
context.write_bytes(wheel.read("rocrate/data/ro-crate.jsonld"))
PYTHON
made=yes
echo "$folder"
