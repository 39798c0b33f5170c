"""Run the command line: `python -m driftwatch`, and the program `driftwatch`."""

import sys


def main() -> int:
    """Run one command and give its exit code."""
    if sys.argv[1:2] == ["witness"]:
        # A host waits for the server behind it, so nothing else is loaded first.
        from driftwatch.watch.witness.entry import session  # noqa: PLC0415

        code = session(sys.argv[1:])
        if code is not None:
            return code
    from driftwatch.cli import main as command_line  # noqa: PLC0415

    return command_line()


if __name__ == "__main__":
    sys.exit(main())
