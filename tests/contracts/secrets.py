"""The secrets that channels under test are given, and pieces of them to look for."""

from __future__ import annotations

PATIENCE = 5.0
"""Seconds after which a wait in a test has failed."""

SIGNING_KEY = "whsec_c2lnbmluZy1rZXktdGhhdC1pcy1sb25nLWVub3VnaC0="
SECRETS = ("c2lnbmluZy1rZXk", "path-token-4711", "query-token-0815", "header-token-1234", "mail-pass-2718")
"""Pieces of every secret that a channel under test is given."""
