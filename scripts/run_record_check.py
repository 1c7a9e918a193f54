"""Reads the record of a run with `runcrate` and validates it with `roc-validator`, offline.

usage: run_record_check.py FOLDER

The profiles are those inside the roc-validator package. The one JSON-LD context that a record names,
RO-Crate 1.1, comes from `ro-crate-context-1.1.jsonld` in the folder of the environment; every other
request fails, as it would without a network.
"""

import json
import pathlib
import sys

import requests
from rocrate_validator.utils import http

CONTEXT = "https://w3id.org/ro/crate/1.1/context"
text = (pathlib.Path(sys.prefix) / "ro-crate-context-1.1.jsonld").read_text()


class Local:
    """A session that knows one address."""

    def get(self, url, **_):
        response = requests.Response()
        response.status_code = 504
        if url == CONTEXT:
            response.status_code = 200
            response._content = text.encode()
            response.headers["Content-Type"] = "application/ld+json"
        response.url = url
        response.from_cache = True
        return response

    head = get


def local_session(self, *_, **__):
    self.session = Local()


http.HttpRequester.__initialize_session__ = local_session

from rocrate_validator import models, services  # noqa: E402
from runcrate.report import dump_crate_actions  # noqa: E402

folder = sys.argv[1]
dump_crate_actions(folder, sys.stdout)
profile = "provenance-run-crate"
settings = services.ValidationSettings(
    rocrate_uri=folder,
    profile_identifier=profile,
    requirement_severity=models.Severity.REQUIRED,
)
result = services.validate(settings)
for issue in result.get_issues():
    print(f"{issue.severity.name} {issue.check.identifier} {issue.message}")
if result.has_issues():
    sys.exit(f"refused: {profile}")
checks = len(result.executed_checks)
if checks < 50:
    sys.exit(f"only {checks} checks were made")
print(f"accepted: {profile}, {checks} checks")
