"""Telling people: alerts, routes, retry, the outbox loop and the channels."""
