"""Writes the OpenAPI document into the file that is named."""

from __future__ import annotations

import sys
from pathlib import Path

from driftwatch.web.api.document import written
from driftwatch.web.api.router import document

Path(sys.argv[1]).write_text(written(document()), encoding="utf-8")
