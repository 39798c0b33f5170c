"""The API under /api/v1: one module for each kind of thing, and what all of them share beside them.

Answers are values whose shape a `TypedDict` tells: the type checker holds the code to it, and the OpenAPI document is
made of it. They are not checked a second time when they are sent, because what servers write may be no proper Unicode.
"""
