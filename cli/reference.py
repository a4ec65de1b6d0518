"""The page docs/commands.md, written from the commands themselves: ``python -m cli.reference docs/commands.md``."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from textwrap import fill
from typing import Any

from cli.app import Root, root_command

_EXAMPLE = re.compile(r"^Example: (auditor .+)$", re.MULTILINE)
# as long as in the docstrings that the help comes from
_WIDTH = 116
_INTRODUCTION = """\
# Commands

This page is written from the commands themselves (`make docs`); a test fails when it is out of date.

`auditor [OPTIONS] GROUP COMMAND`. The answer goes to stdout, progress and notes to stderr. `NO_COLOR` is honoured.
A FILE is meant where one of that name exists and the store has no network of that name; `network:NAME` is always
the store's.

## Exit codes

| code | meaning |
|---|---|
| 0 | done or passed; also a verified result that reached its time limit (its status says `feasible`) |
| 1 | the answer is no: policy violated, request refused, infeasible under the given constraints |
| 2 | wrong usage or bad input, found before work began |
| 3 | could not complete: undecided, nothing valid in time, the store away, a bug |
| 4 | computed but not delivered: the disk is full, the output became unwritable, or its name was taken meanwhile |
| 130, 143, 141 | interrupted, asked to end, or the reader of the output went away (as `\\| head` does) |

When several apply, 3 comes before 1. [errors.md](errors.md) lists the errors behind the codes.

## JSON

With `--json` the answer is one JSON object on stdout, and notes are left out. An error is one JSON object on stderr,
`{"error": {"kind": "NotFound", "message": "…", "exit_code": 2}}`, and stdout stays empty. The answer *no* (exit code 1)
of a command that has a result to show, such as an audit, is a result: it is on stdout.

## Options of every command

They may stand anywhere on the line, before or after the command; the last one counts.
"""


def commands() -> Iterator[tuple[str, Any]]:
    """Yield the path (``network add``) and the loaded command of everything that can be run, in order."""
    root = root_command()
    for name in Root.members:
        command = root.load(name)
        if not hasattr(command, "commands"):
            yield name, command
            continue
        for child in command.commands.values():
            yield f"{name} {child.name}", child


def examples_of(command: Any) -> list[str]:
    """Return the lines that the help of a command gives as examples."""
    return _EXAMPLE.findall(command.help or "")


def reference() -> str:
    """Return the reference of all commands as Markdown."""
    root = root_command()
    parts = [_INTRODUCTION, _options([p for p in root.params if p.name != "help"])]
    group = ""
    for path, command in commands():
        first = path.split(" ")[0]
        if first != group:
            group = first
            parts.append(f"\n## {group}\n\n{Root.members[group].help}")
        if " " in path:
            parts.append(f"\n### {path}")
        parts.append(_page(path, command))
    return "\n".join(parts).rstrip() + "\n"


def _page(path: str, command: Any) -> str:
    arguments = [p for p in command.params if p.param_type_name == "argument"]
    common = {p.name for p in root_command().params}
    options = [p for p in command.params if p.param_type_name == "option" and p.name not in common and not p.hidden]
    usage = " ".join(["auditor", path, *(["[OPTIONS]"] if options else []), *(_metavar(a) for a in arguments)])
    text = _wrapped(_EXAMPLE.sub("", command.help or "").strip())
    lines = [f"\n    {usage}\n", text, ""]
    if arguments and any(a.help for a in arguments):
        lines += [_table("argument", [(f"`{_metavar(a)}`", a.help or "") for a in arguments]), ""]
    if options:
        lines += [_options(options), ""]
    lines += [f"    $ {line}" for line in examples_of(command)]
    return "\n".join(lines)


def _wrapped(text: str) -> str:
    """Return a text with paragraphs of short lines; the help of a command has each on one, for the terminal to wrap."""
    parts = text.split("\n\n")
    return "\n\n".join(part if part.startswith(" ") else fill(part, _WIDTH) for part in parts)


def _metavar(argument: Any) -> str:
    name = (argument.metavar or argument.name.upper()) + ("..." if argument.nargs == -1 else "")
    return name if argument.required else f"[{name}]"


def _options(options: list[Any]) -> str:
    rows = []
    for option in options:
        names = ", ".join(f"`{name}`" for name in [*option.opts, *option.secondary_opts])
        value = "" if option.is_flag else f" {option.metavar or option.name.upper()}"
        default = option.default
        told = "" if option.is_flag or default is None or callable(default) else f" (default {default})"
        rows.append((names + value, f"{option.help or ''}{told}{' (required)' if option.required else ''}"))
    return _table("option", rows)


def _table(head: str, rows: list[tuple[str, str]]) -> str:
    cells = [[" ".join(text.split()).replace("|", "\\|") for text in row] for row in rows]
    return "\n".join([f"| {head} | meaning |", "|---|---|", *(f"| {left} | {right} |" for left, right in cells)])


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(reference(), encoding="utf-8")
