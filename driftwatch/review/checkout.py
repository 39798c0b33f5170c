"""A checkout of git as it is read here: its commits, and the files of one of them. Nothing of it is run.

git is started as a program, without a shell. What a commit holds is hostile: its files are read as objects, by their
ids, so that no name of a file or a branch can be taken for an option, and no attribute or link of the tree counts.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from driftwatch.config.words import quoted, safe
from driftwatch.errors import UnreadableInputError, UsageError

LARGEST: Final = 4 * 2**20
"""Bytes of a file that is read."""

_PATIENCE: Final = 120.0
_REGULAR: Final = ("100644", "100755")


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit as git has it: nothing but the id is proved by anything."""

    id: str
    author: str
    mail: str
    subject: str

    @property
    def short(self) -> str:
        """The beginning of its id."""
        return self.id[:12]


@dataclass(frozen=True, slots=True)
class Blob:
    """A file of a commit: its object, and its size in bytes."""

    oid: str
    size: int


@dataclass(frozen=True)
class Checkout:
    """A working tree, by its topmost folder."""

    top: Path
    environ: Mapping[str, str] = field(repr=False)

    @classmethod
    def at(cls, folder: Path, environ: Mapping[str, str]) -> Checkout:
        """Give the checkout that a folder is in.

        Raises:
            UsageError: it is in none, or git is not there.

        """
        # What points git at another repository, or makes it run something, is not for a command that reads this one.
        kept = {name: value for name, value in environ.items() if not name.startswith("GIT_")}
        more = {"GIT_TERMINAL_PROMPT": "0", "GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C", "GIT_NO_LAZY_FETCH": "1"}
        outside = cls(folder, {**kept, **more})
        return cls(Path(os.fsdecode(outside._git("rev-parse", "--show-toplevel").rstrip(b"\n"))), outside.environ)

    def commit(self, ref: str) -> str:
        """Give the id of the commit that a name stands for.

        Raises:
            UsageError: there is no such commit here.

        """
        try:
            found = self._git("rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}")
        except UsageError:
            raise UsageError(
                f"There is no commit {quoted(ref)} in this checkout.",
                hint="Fetch it first; in CI the checkout must not be a shallow one (fetch-depth: 0).",
            ) from None
        return found.decode("ascii").strip()

    def fork(self, base: str, head: str) -> str:
        """Give the commit at which `head` left `base`, so that what came to `base` since is no part of the difference.

        Where the checkout does not reach back so far it is `base` itself.
        """
        try:
            return self._git("merge-base", base, head).decode("ascii").split()[0]
        except (UsageError, IndexError):
            return base

    def holds(self, branch: str, commit: str) -> bool:
        """Say whether a commit is part of a branch."""
        try:
            self._git("merge-base", "--is-ancestor", commit, branch)
        except UsageError:
            return False
        return True

    def has(self, ref: str) -> bool:
        """Say whether a name stands for a commit here."""
        try:
            self.commit(ref)
        except UsageError:
            return False
        return True

    def dirty(self, paths: Sequence[str]) -> bool:
        """Say whether any of these paths differs from the last commit, is not in it, or has conflicts."""
        return bool(self._git("status", "--porcelain", "-z", "--untracked-files=all", "--", *paths))

    def last(self, paths: Sequence[str]) -> Commit | None:
        """Give the last commit that changed any of these paths, None where none did or there is none yet."""
        if not self.has("HEAD"):
            return None
        form = "--format=%H%x00%an%x00%ae%x00%s"
        found = self._git("log", "-1", "--no-show-signature", form, "HEAD", "--", *paths)
        parts = found.decode("utf-8", "replace").rstrip("\n").split("\0")
        return Commit(*parts) if len(parts) == 4 else None

    def tree(self, commit: str) -> dict[str, Blob]:
        """Give the regular files of a commit, by their paths with `/`. Links and submodules are none."""
        found = {}
        for line in self._git("ls-tree", "-r", "-z", "-l", "--full-tree", commit).split(b"\0"):
            about, tab, path = line.partition(b"\t")
            words = about.decode("ascii", "replace").split()
            if tab and len(words) == 4 and words[0] in _REGULAR and words[3].isdigit():
                found[path.decode("utf-8", "surrogateescape")] = Blob(words[2], int(words[3]))
        return found

    def text(self, blob: Blob, path: str) -> str:
        """Give the text of a file.

        Raises:
            UnreadableInputError: it is too large, or not UTF-8.

        """
        if blob.size > LARGEST:
            raise UnreadableInputError(f"{safe(path)} is larger than {LARGEST // 2**20} MiB.")
        try:
            return self._git("cat-file", "blob", blob.oid).decode("utf-8-sig")
        except UnicodeDecodeError:
            raise UnreadableInputError(f"{safe(path)} is not UTF-8.") from None

    def _git(self, *words: str) -> bytes:
        """Run git and give what it printed.

        Raises:
            UsageError: it is not there, or says no.

        """
        command = ["git", "--no-pager", "--literal-pathspecs", "-c", "core.fsmonitor=false", *words]
        try:
            done = subprocess.run(
                command, cwd=self.top, env=dict(self.environ), capture_output=True, timeout=_PATIENCE, check=False
            )
        except OSError as error:
            raise UsageError(
                f"git could not be started: {error.strerror}.", hint="Install git, or check PATH."
            ) from None
        except subprocess.TimeoutExpired:
            raise UsageError("git does not come to an end.", hint="Try what it is asked by hand.") from None
        if done.returncode != 0:
            said = safe(done.stderr.decode("utf-8", "replace").strip())
            hint = "Call this inside a checkout of git, as a user whom git trusts there."
            raise UsageError(f"git {words[0]} failed: {said or 'it says no'}.", hint=hint)
        return done.stdout
