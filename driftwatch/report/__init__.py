"""report: findings as text for people and as JSON for programs. Pure: no I/O, no clock."""

from driftwatch.report.excerpt import sentence
from driftwatch.report.shape import SHAPE_VERSION, count, finding_json, plain, to_json
from driftwatch.report.text import summary, to_text

__all__ = ["SHAPE_VERSION", "count", "finding_json", "plain", "sentence", "summary", "to_json", "to_text"]
