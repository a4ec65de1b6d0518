"""Run a command as the user would, within another one."""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import Sequence

from cli.terminal.context import Context


def run_nested(context: Context, arguments: Sequence[str], shown: str) -> int:
    """Run a command with the store and the configuration of this one, and return its exit code.

    Parameters
    ----------
    context : Context
    arguments : sequence of str
        Without the name of the program.
    shown : str
        What is printed before; it and the answer are left out with `--json` and `--quiet`.
    """
    from cli.app import run

    shared = ["--store", context.store_url] if context.store_url else []
    shared += ["--config", str(context.config_file)] if context.config_file else []
    if context.output.json or context.output.quiet:
        with contextlib.redirect_stdout(io.StringIO()):
            return run(["--quiet", *shared, *arguments])
    print(shown, flush=True)
    code = run([*shared, *arguments])
    sys.stdout.flush()
    return code
