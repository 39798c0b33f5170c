"""The targets by name, and the inputs kept for each. A target takes bytes and fails where a promise is broken."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path

HERE = Path(__file__).parent
NAMES = tuple(sorted(path.stem.removeprefix("target_") for path in HERE.glob("target_*.py")))
LARGEST = 4096
"""Bytes of an input at most."""


def target(name: str) -> Callable[[bytes], None]:
    """Give what takes one input."""
    return import_module(f"tests.fuzz.target_{name}").one  # type: ignore[no-any-return]


def corpus(name: str) -> Path:
    """Give the folder of the inputs that are kept."""
    return HERE / "corpus" / name


def kept(name: str) -> list[bytes]:
    """Give the inputs that are kept, in one order."""
    return [path.read_bytes() for path in sorted(corpus(name).iterdir())]


def derived(name: str, number: int, seed: int = 0) -> Iterator[bytes]:
    """Give inputs made of those that are kept: always the same ones for the same number and seed."""
    chance = random.Random(f"{name} {seed}")
    seeds = kept(name) or [b""]
    for _ in range(number):
        yield mutated(chance.choice(seeds), chance.choice(seeds), chance)[:LARGEST]


def mutated(data: bytes, other: bytes, chance: random.Random) -> bytes:
    """Change an input here and there: bytes, pieces, and pieces of another one."""
    made = bytearray(data)
    for _ in range(chance.randint(1, 6)):
        at = chance.randint(0, len(made))
        end = min(len(made), at + chance.randint(0, 24))
        match chance.randint(0, 5):
            case 0:
                made[at:end] = chance.randbytes(end - at)
            case 1:
                made[at:at] = chance.randbytes(chance.randint(1, 6))
            case 2:
                del made[at:end]
            case 3:
                made[at:at] = made[at:end] * chance.randint(1, 4)
            case 4 if other:
                begin = chance.randint(0, len(other) - 1)
                made[at:end] = other[begin : begin + chance.randint(1, 64)]
            case _ if made:
                made[at % len(made)] ^= 1 << chance.randint(0, 7)
    return bytes(made)
