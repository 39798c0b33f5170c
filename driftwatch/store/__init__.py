"""Keeping: tables and one Store; one method is one transaction."""
