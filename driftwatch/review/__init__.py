"""Reviewing: approving and rejecting what a server showed."""
