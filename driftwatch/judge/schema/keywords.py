"""The keywords of JSON Schema 2020-12 and of the drafts before it, by what stands under them."""

from __future__ import annotations

from driftwatch.judge.names import word_set

INPUT, OUTPUT = "inputSchema", "outputSchema"

HEADER = "x-mcp-header"
"""The keyword by which a tool asks clients to copy a parameter into an HTTP header (MCP 2026-07-28)."""

MAPS = word_set("properties patternProperties $defs definitions dependentSchemas")
"""Keywords that hold schemas by name."""
ARRAYS = word_set("allOf anyOf oneOf prefixItems")
"""Keywords that hold a list of schemas."""
NESTED = word_set(
    "items additionalItems unevaluatedItems contains additionalProperties unevaluatedProperties propertyNames "
    "not if then else contentSchema"
)
"""Keywords that hold one schema."""
DEFINITIONS = word_set("$defs definitions")
CONTENT = word_set("contentEncoding contentMediaType contentSchema")
OPENNESS = word_set("additionalProperties unevaluatedProperties additionalItems unevaluatedItems items")
UPPER = word_set("maximum exclusiveMaximum maxLength maxItems maxProperties maxContains")
LOWER = word_set("minimum exclusiveMinimum minLength minItems minProperties minContains")
FILTERS = word_set("pattern format contentEncoding contentMediaType")
ANNOTATIONS = word_set("$schema $id id $comment $anchor examples example deprecated readOnly writeOnly")
"""Keywords that say something about a value and accept or refuse none."""
NAMING = word_set("$id id $anchor")
"""Annotations that say what references lead to."""
WORDED = word_set(f"description title {HEADER} default")
"""Annotations that have rules of their own."""
ASSERTIONS = (
    MAPS - DEFINITIONS
    | ARRAYS
    | NESTED
    | UPPER
    | LOWER
    | FILTERS
    | word_set("type enum const required multipleOf uniqueItems nullable dependentRequired dependencies")
    | word_set("$ref $dynamicRef $recursiveRef")
)
"""Every keyword that can accept or refuse a value."""
SHAPING = word_set("type enum const $ref allOf anyOf oneOf")
"""Keywords that often take each other's place."""
CONDITION = word_set("if then else")
"""Keywords that mean nothing alone."""
KNOWN = ASSERTIONS | DEFINITIONS | ANNOTATIONS | WORDED
"""What any draft knows. A host may read anything into another keyword."""
MIXED = word_set("not if oneOf contains unevaluatedProperties unevaluatedItems")
"""Under these, accepting more is not accepting more as a whole."""
REFERENCES = word_set("$dynamicRef $recursiveRef")
"""References whose target depends on the way that led there."""
LATER = word_set("unevaluatedItems unevaluatedProperties dependentRequired dependentSchemas minContains maxContains")
"""Keywords that draft 7 does not know. A reader may still."""
IN_PLACE = word_set("$ref $dynamicRef $recursiveRef allOf anyOf oneOf if dependentSchemas contains")
"""Keywords that look at properties or items on behalf of `unevaluatedProperties` and `unevaluatedItems`."""
DRAFTED = LATER | word_set("dependencies prefixItems additionalItems")
"""Keywords that the drafts read differently."""
