"""Findings for people and programs, as text and JSON. Pure."""
