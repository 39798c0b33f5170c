"""Durations and sizes as people write them."""

from __future__ import annotations

import math
import re

_DURATION_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
_DURATION_PART = re.compile(r"(\d{1,9}(?:\.\d{1,9})?)\s*(ms|s|m|h|d)", re.ASCII)
_DURATION = re.compile(rf"(?:{_DURATION_PART.pattern}\s*)+", re.ASCII)
_SIZE = re.compile(r"(\d{1,15})\s*(B|[kK]B|MB|GB|KiB|MiB|GiB)?", re.ASCII)
_SIZE_UNITS = {"B": 1, "kB": 10**3, "KB": 10**3, "MB": 10**6, "GB": 10**9, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30}


def seconds(value: object) -> float | None:
    """Give seconds from a number of seconds or from text such as `500ms`, `30s`, `5m`, `1h30m`; None if neither."""
    if isinstance(value, str):
        if len(value) > 60 or not _DURATION.fullmatch(value.strip()):
            return None
        return sum(float(count) * _DURATION_UNITS[unit] for count, unit in _DURATION_PART.findall(value))
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def size(value: object) -> int | None:
    """Give bytes from an integer or from text such as `512KiB`, `8MiB`, `1GB`; None if neither."""
    if isinstance(value, str):
        match = _SIZE.fullmatch(value.strip()) if len(value) <= 60 else None
        return int(match[1]) * _SIZE_UNITS[match[2] or "B"] if match else None
    return None if isinstance(value, bool) or not isinstance(value, int) else value


def say_seconds(value: float) -> str:
    """Give a duration the way a configuration file writes it: `90s`, `5m`, `1h`."""
    for unit in ("d", "h", "m"):
        if value >= _DURATION_UNITS[unit] and value % _DURATION_UNITS[unit] == 0:
            return f"{int(value / _DURATION_UNITS[unit])}{unit}"
    return f"{value:.12g}s"


def say_size(value: int) -> str:
    """Give a size the way a configuration file writes it: `8MiB`, `512KiB`, `100B`."""
    for unit in ("GiB", "MiB", "KiB"):
        if value >= _SIZE_UNITS[unit] and value % _SIZE_UNITS[unit] == 0:
            return f"{value // _SIZE_UNITS[unit]}{unit}"
    return f"{value}B"
