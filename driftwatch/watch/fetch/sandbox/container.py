"""The command line that runs a server in a container of Podman or Docker. Pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from driftwatch.config.isolation import SandboxConfig

ENGINES = ("podman", "docker")
"""Whom to ask, the first that is there."""

HOME = "/home/sandbox"


def arguments(
    engine: str,
    sandbox: SandboxConfig,
    command: Sequence[str],
    *,
    name: str,
    variables: Collection[str],
    cwd: str | None,
) -> list[str]:
    """Give what follows the engine's name.

    `variables` are handed on by name: their values stay in the engine's own environment, out of the process table. The
    folder, where there is one, is shown read only unless it may be written.
    """
    size = sandbox.file_size
    words = ["run", "--rm", "--interactive", "--init", "--name", name, "--read-only"]
    words += ["--cap-drop", "ALL", "--security-opt", "no-new-privileges", "--ipc", "private", "--hostname", "sandbox"]
    words += ["--userns", "keep-id"] if engine == "podman" else ["--user", "65534:65534"]
    words += ["--network", "none"] if sandbox.network == "off" else []
    words += ["--pids-limit", str(sandbox.processes), "--memory", str(sandbox.memory)]
    words += ["--memory-swap", str(sandbox.memory)]
    for limit, value in (
        ("core", 0),
        ("cpu", max(1, round(sandbox.cpu))),
        ("fsize", size),
        ("nofile", sandbox.open_files),
    ):
        words += ["--ulimit", f"{limit}={value}:{value}"]
    for place in ("/tmp", HOME):  # noqa: S108 - the container's own
        words += ["--tmpfs", f"{place}:rw,nosuid,nodev,mode=1777,size={size}"]
    words += ["--env", f"HOME={HOME}"] if "HOME" not in variables else []
    for variable in sorted(variables):
        words += ["--env", variable]
    for path in (*sandbox.read, *([cwd] if cwd and cwd not in sandbox.write else [])):
        words += ["--mount", f"{_mount(path)},readonly"]
    for path in sandbox.write:
        words += ["--mount", _mount(path)]
    words += ["--workdir", cwd or HOME, "--entrypoint", command[0]]
    return [*words, sandbox.image or "", *command[1:]]


def _mount(path: str) -> str:
    """Spell a mount as the engines read it: fields as in a line of CSV."""
    fields = [f"{key}={path}".replace('"', '""') for key in ("source", "target")]
    return ",".join(["type=bind", *(f'"{field}"' for field in fields)])


def ending(engine: str, name: str) -> tuple[str, ...]:
    """Give the command that ends a container for certain: its client may be gone while it runs on."""
    return (engine, "rm", "--force", name)
