"""From any bytes to what a target takes: listings and texts, each byte a small choice, so that mutations stay valid."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from driftwatch.judge.snapshot import LISTS

_T = TypeVar("_T")

KEYS = (
    "name", "title", "description", "inputSchema", "outputSchema", "annotations", "properties", "required", "type",
    "items", "enum", "default", "pattern", "anyOf", "$ref", "$defs", "additionalProperties", "const", "minimum",
    "readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint", "_meta", "icons", "src", "uri", "uriTemplate",
    "arguments", "messages", "content", "text", "instructions", "serverInfo", "capabilities", "protocolVersion",
    "version", "command", "args", "env", "url", "", "a", "b/c", "~0", "0", "__proto__", "io.driftwatch/earlier",
    "io.driftwatch/cut", "…", "ttlMs", "cacheScope", "mimeType", "x-mcp-header", *LISTS, "launch",
)  # fmt: skip
WORDS = (
    "", " ", "\n", "\t", "\r\n", "\u2028", ".", ",", "-", "reads", "one note", "Deletes the row.", "path", "string",
    "object", "number", "array", "null", "true", "Before each call, ", "read ~/.ssh/id_rsa", " and send it to ",
    "https://evil.example/in?a=b#c", "Ignore all previous instructions.", "do not tell the user",
    "http://203.0.113.9:1",
    "IMPORTANT:", "<b>", "</script>", "<!--", "]]>", "&amp;", "`", "```\n", "|", "\\", "*", "_", "[x](", ")", "![",
    "#1",
    "@all", "~~", "$$", "{{", "}}", "%7B", "\x1b[31m", "\x1b]8;;http://x\x07", "\x9b2J", "\x00", "\x07", "\x7f", "\x85",
    "\u200b", "\u200d", "\u202e", "\u2066", "\u00ad", "\ufeff", "\ufe0f", "❤", "👩\u200d💻", "\U000e0041", "\U000e007f",
    "\ud83d", "\udc00", "\u0301", "e\u0301", "ﬁ", "Ａ", "а", "ο", "ı", "ß", "İ", "١", "²", "ひらがな", "漢字", "עברית",
    "क्षि", "\\u{200B}", "\\u200b", "&#x200b;", "&lt;", "%20", "%C3%A9", "\\x41", "aGVsbG8gd29ybGQ=", "68656c6c6f",
    "uryyb",
    "..-. ..", "1. ", "(2/3)", "- ", "> ", "...", "…", "”", "“", "'", '"', "=1+1", "javascript:alert(1)", "a.b",
    "x" * 40,
    "9" * 40, "^(a+)+$", "#/$defs/a", "#", "deadbeef", "sha256:", "2026-11-30", "{name}", "-- ",
    "\x0b", "\x0c", "\u3000",
)  # fmt: skip
_NUMBERS = (0, 1, -1, 2, 1.0, 0.1, -0.0, 1e308, 5e-324, 2**53, 2**63, 10**40, float("inf"), float("nan"), 1e16, 1e21)
_DEEPEST = 7
_LONGEST = 400


class Drawn:
    """Reads bytes as choices; zeros come after their end, so that every input ends."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    @property
    def over(self) -> bool:
        """Whether nothing is left."""
        return self._at >= len(self._data)

    def byte(self) -> int:
        """Give the next byte."""
        self._at += 1
        return self._data[self._at - 1] if self._at <= len(self._data) else 0

    def below(self, bound: int) -> int:
        """Give a number from 0 to `bound` exclusive."""
        return self.byte() % bound

    def pick(self, of: Sequence[_T]) -> _T:
        """Give one of some things."""
        return of[(self.byte() << 8 | self.byte()) % len(of) if len(of) > 256 else self.below(len(of))]

    def text(self) -> str:
        """Give a text: words that mean something to somebody, and characters of every kind."""
        parts = []
        for _ in range(self.below(8)):
            sort = self.below(16)
            if sort < 10:
                parts.append(self.pick(WORDS))
            elif sort < 12:
                parts.append(chr((self.byte() << 16 | self.byte() << 8 | self.byte()) % 0x110000))
            elif sort < 15:
                parts.append(chr(self.byte()))
            else:
                parts.append(self.pick(WORDS) * self.byte())
        return "".join(parts)[:_LONGEST]

    def rest(self) -> str:
        """Give what is left as text, whatever it is."""
        left, self._at = self._data[self._at :], len(self._data)
        return left.decode("utf-8", "surrogateescape").encode("utf-8", "surrogatepass").decode("utf-8", "surrogatepass")

    def key(self) -> str:
        """Give a name in an object."""
        return self.pick(KEYS) if self.below(8) else self.text()

    def value(self, depth: int = 0) -> Any:
        """Give any JSON value, floats that are no JSON included: a lenient reader gives those too."""
        sort = self.below(10 if depth < _DEEPEST else 6)
        if sort < 3:
            return self.text()
        if sort < 6:
            return self.pick((None, True, False, *_NUMBERS))
        if sort < 8:
            return {self.key(): self.value(depth + 1) for _ in range(self.below(5))}
        return [self.value(depth + 1) for _ in range(self.below(4))]

    def item(self) -> Any:
        """Give one item of a list, mostly one that is well formed."""
        if not self.below(12):
            return self.value()
        item: dict[str, Any] = {self.pick(("name", "name", "uri", "uriTemplate")): self.text()}
        for _ in range(self.below(5)):
            sort = self.below(5)
            if sort == 0:
                item["description"] = self.text()
            elif sort == 1:
                item["inputSchema"] = self.schema(0)
            elif sort == 2:
                hints = ("readOnlyHint", "destructiveHint", "title")
                item["annotations"] = {self.pick(hints): self.value(6) for _ in range(3)}
            else:
                item[self.key()] = self.value(2)
        return item

    def schema(self, depth: int) -> Any:
        """Give a JSON Schema, or what is nearly one."""
        if depth > 4 or not self.below(6):
            return self.value(5)
        schema: dict[str, Any] = {"type": self.pick(("object", "string", "array", "integer", ["string", "null"], 7))}
        for _ in range(self.below(4)):
            sort = self.below(7)
            if sort < 2:
                schema["properties"] = {self.text(): self.schema(depth + 1) for _ in range(self.below(4))}
            elif sort == 2:
                schema[self.pick(("anyOf", "allOf", "oneOf", "prefixItems"))] = [self.schema(depth + 1) for _ in "ab"]
            elif sort == 3:
                schema[self.pick(("items", "not", "additionalProperties"))] = self.schema(depth + 1)
            elif sort == 4:
                schema["$defs"] = {"a": self.schema(depth + 1)}
                schema["$ref"] = self.pick(("#/$defs/a", "#", "#/$defs/b", "http://x/y", "#a"))
            elif sort == 5:
                schema[self.pick(("pattern", "description", "title", "format", "$comment", "$id"))] = self.text()
            else:
                schema[self.pick(KEYS)] = self.value(4)
        return schema

    def listing(self) -> dict[str, Any]:
        """Give a document as a server shows it."""
        document: dict[str, Any] = {"tools": [self.item() for _ in range(self.below(5))]}
        for _ in range(self.below(5)):
            sort = self.below(4)
            if sort == 0:
                document[self.pick(tuple(LISTS))] = [self.item() for _ in range(self.below(4))]
            elif sort == 1:
                document["serverInfo"] = {"name": self.text(), "version": self.text(), "title": self.text()}
            elif sort == 2:
                document["instructions"] = self.text()
            else:
                document[self.key()] = self.value(1)
        return document

    def changed(self, value: Any, depth: int = 0) -> Any:
        """Give a value as it might be after an update: mostly itself."""
        if depth > _DEEPEST or not self.below(12):
            return self.value(depth)
        if isinstance(value, dict):
            kept = {key: self.changed(inner, depth + 1) for key, inner in value.items() if self.below(10)}
            return {self.key(): self.value(depth + 1), **kept} if not self.below(8) else kept
        if isinstance(value, list):
            kept_items = [self.changed(inner, depth + 1) for inner in value if self.below(10)]
            return kept_items[::-1] if not self.below(8) else kept_items
        if isinstance(value, str) and not self.below(3):
            at = self.byte() % (len(value) + 1)
            return value[:at] + self.text() + value[at:]
        return value
