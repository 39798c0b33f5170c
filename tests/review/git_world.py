"""A repository of git for tests: files in, commits out."""

from __future__ import annotations

import subprocess
from pathlib import Path

WHO = ("-c", "user.name=Bea", "-c", "user.email=bea@example.com", "-c", "commit.gpgsign=false")


def git(folder: Path, *words: str) -> str:
    """Run git there, as somebody with a name."""
    done = subprocess.run(["git", *WHO, *words], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def commit(folder: Path, files: dict[str, str | None], subject: str = "change") -> str:
    """Commit files (None takes one away), in a repository that is made if there is none; gives the commit."""
    if not (folder / ".git").exists():
        folder.mkdir(exist_ok=True)
        git(folder, "init", "-q", "-b", "main")
    for name, text in files.items():
        place = folder / name
        if text is None:
            place.unlink()
            continue
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "--allow-empty", "-m", subject)
    return git(folder, "rev-parse", "HEAD")
