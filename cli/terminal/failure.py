"""How an error leaves the program: one line (or one JSON object) on stderr, and an exit code.

====  =================================================================
code  meaning
====  =================================================================
0     done or passed
1     the answer is no: policy violated, request refused, infeasible
2     wrong usage or bad input, found before work began
3     could not complete: undecided, store away, a bug
4     computed, but the output could not be written, or somebody took its name
130   interrupted (143: asked to end)
141   the reader of the output went away, as ``| head`` does
====  =================================================================
"""

import contextlib
import errno
import json
import os
import re
import sys
import traceback
from dataclasses import dataclass
from pathlib import Path

import typer
from typer.exceptions import TyperException

from auditor.core.errors import AuditorError
from cli.terminal.ending import AskedToEnd
from cli.terminal.suggesting import likely_options, rule_of_policy
from graphkit.errors import GraphkitError, InvalidInput

# the words of the reader of options, and pydantic's before them
_NO_DATE = re.compile(r"(?:Value error, )?('[^']*') does not match the formats? .*")
_DISK_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_OUR_PACKAGES = ("auditor", "graphkit", "cli")


@dataclass(frozen=True, slots=True)
class Failure:
    """What is said about an error."""

    kind: str
    """Name of the error class; a script may decide by it."""
    message: str
    exit_code: int


def failure_of(error: BaseException) -> Failure:
    """Return what to say about an error, without any text that could hold protected data.

    Only our own errors, usage errors and those of the operating system speak for themselves: what another
    exception says may quote data, so it is named by its class and place alone.

    Examples
    --------
    >>> from auditor.core.errors import NotFound
    >>> failure_of(NotFound("no network 'friends'; see 'auditor network list'"))
    Failure(kind='NotFound', message="no network 'friends'; see 'auditor network list'", exit_code=2)
    >>> failure_of(KeyError("somebody")).exit_code
    3
    """
    kind = type(error).__name__
    if isinstance(error, AuditorError):
        return Failure(kind, str(error), error.exit_code)
    if isinstance(error, GraphkitError):
        return Failure(kind, str(error), 2 if isinstance(error, InvalidInput) else 3)
    if isinstance(error, TyperException):
        return Failure("UsageError", _usage_message(error), 2)
    if isinstance(error, KeyboardInterrupt | typer.Abort):
        return Failure("Interrupted", "interrupted", 130)
    if isinstance(error, AskedToEnd):
        return Failure("Interrupted", "asked to end", error.exit_code)
    if isinstance(error, BrokenPipeError):
        return Failure("ReaderGone", "", 141)
    if isinstance(error, OSError):
        return _operating_system_failure(error)
    if isinstance(error, MemoryError):
        return Failure(kind, "not enough memory for this; free some, or use a smaller input", 3)
    where = _place(error)
    text = f"internal error ({kind}{where}); this is a bug, please report it (AUDITOR_DEBUG=1 shows the traceback)"
    return Failure("InternalError", text, 3)


def report_failure(error: BaseException, *, as_json: bool) -> int:
    """Write what there is to say about an error to stderr and return the exit code."""
    failure = failure_of(error)
    if os.environ.get("AUDITOR_DEBUG", "") not in ("", "0"):
        traceback.print_exception(error, file=sys.stderr)
    if failure.message:
        if as_json:
            shown = {"error": {"kind": failure.kind, "message": failure.message, "exit_code": failure.exit_code}}
            line = json.dumps(shown, ensure_ascii=False)
        else:
            line = f"auditor: {_one_line(failure.message)}"
        # stderr itself may be closed or full: the exit code still tells
        with contextlib.suppress(OSError):
            print(line, file=sys.stderr, flush=True)
    return failure.exit_code


def _usage_message(error: TyperException) -> str:
    message = _NO_DATE.sub(r"\1 is no date such as 2030-01-31", _one_line(_said(error)).rstrip("."))
    path = getattr(getattr(error, "ctx", None), "command_path", "auditor")
    # without a message the help was shown instead
    return f"{message}; see '{path} --help'" if message else ""


def _said(error: TyperException) -> str:
    """Return what typer says; of an option that a command does not take, with what was likely meant first."""
    # the class of that error is private to typer
    near = getattr(error, "possibilities", None)
    typed = getattr(error, "option_name", None)
    if near is None or typed is None:
        return error.format_message()
    at = getattr(error, "ctx", None)
    known = [name for option in getattr(getattr(at, "command", None), "params", ()) for name in option.opts]
    rule = rule_of_policy(typed, getattr(at, "command_path", "")) if "--policy" in known else None
    if rule is not None:
        return f"{error.message}; {rule} is a rule of the policy: --policy FILE or --preset NAME names one"
    likely = likely_options(typed, known, near)
    return error.message + (f"; did you mean {' or '.join(likely)}?" if likely else "")


def _operating_system_failure(error: OSError) -> Failure:
    reason = error.strerror or type(error).__name__
    where = f": {os.fsdecode(error.filename)}" if isinstance(error.filename, str | bytes | os.PathLike) else ""
    if error.errno in _DISK_FULL:
        text = f"the output could not be written ({reason}{where}); make room and run the command again"
        return Failure("NotDelivered", text, 4)
    return Failure(type(error).__name__, f"{reason}{where}", 3)


def _place(error: BaseException) -> str:
    """Return ', FILE:LINE' of the deepest frame in our own packages."""
    root = Path(__file__).resolve().parent.parent.parent
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        path = Path(frame.filename)
        if path.is_relative_to(root) and path.relative_to(root).parts[0] in _OUR_PACKAGES:
            return f", {path.relative_to(root).as_posix()}:{frame.lineno}"
    return ""


def _one_line(text: str) -> str:
    """Return the text on one line, with control characters made visible: a name in it may hold terminal codes."""
    joined = " ".join(text.split())
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in joined)
