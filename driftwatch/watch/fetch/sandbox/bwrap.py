"""The command line of bubblewrap for what a program may see. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from driftwatch.watch.fetch.sandbox.view import USER, View

FEATURES = frozenset({"--size", "--disable-userns"})
"""Options that not every bubblewrap in use knows; what they do is left out where it does not."""

_ALWAYS = (
    *("--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-uts", "--unshare-cgroup-try"),
    *("--uid", str(USER), "--gid", str(USER), "--cap-drop", "ALL", "--hostname", "sandbox"),
    *("--die-with-parent", "--new-session"),
)


def arguments(
    view: View,
    command: Sequence[str],
    *,
    cwd: str,
    network: bool,
    size: int,
    features: frozenset[str] = FEATURES,
    files: Mapping[str, int] | None = None,
    variables: Mapping[str, str] | None = None,
    info: int | None = None,
    block: int | None = None,
) -> list[str]:
    """Give what follows the name `bwrap`. The environment goes another way, since everybody can read a command line.

    `size` is what each folder in memory holds, in bytes; `files` maps the view's own files to descriptors that give
    their content; `variables` are those that must not be there yet while bubblewrap itself runs. On `info` bubblewrap
    says who it started; that one waits until something can be read from `block`.
    """
    words = [*_ALWAYS]
    words += [] if network else ["--unshare-net"]
    words += ["--disable-userns"] if "--disable-userns" in features else []
    sized = ["--size", str(size)] if "--size" in features else []
    for place, target in view.links.items():
        words += ["--symlink", target, place]
    words += ["--proc", "/proc", "--dev", "/dev", *sized, "--tmpfs", "/dev/shm", "--remount-ro", "/dev"]  # noqa: S108
    words += _mounts(view, sized)
    for place, descriptor in (files or {}).items():
        words += ["--ro-bind-data", str(descriptor), place]
    for name, value in (variables or {}).items():
        words += ["--setenv", name, value]
    words += ["--remount-ro", "/", "--chdir", cwd]
    words += ["--info-fd", str(info)] if info is not None else []
    words += ["--block-fd", str(block)] if block is not None else []
    return [*words, "--", *command]


def _mounts(view: View, sized: Sequence[str]) -> Iterator[str]:
    """Give what is there, outer folders first, so that none hides what is in it. What went meanwhile is left out."""
    wanted = dict.fromkeys(view.empty, "--dir")
    wanted |= dict.fromkeys(view.scratch, "--tmpfs")
    wanted |= dict.fromkeys(view.kept, "--bind")
    wanted |= dict.fromkeys(view.read, "--ro-bind-try")
    wanted |= dict.fromkeys(view.write, "--bind-try")
    for place, how in sorted(wanted.items(), key=lambda one: (one[0].count("/"), one[0])):
        if how == "--tmpfs":
            yield from sized
        yield from (how, place) if how in {"--dir", "--tmpfs"} else (how, view.kept.get(place, place), place)
