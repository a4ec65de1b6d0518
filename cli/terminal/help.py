"""How `--help` reads: options of long commands in panels, placeholders instead of types, paragraphs unwrapped."""

import inspect
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, get_args

import typer

LONG: Final = 8
"""From so many options of its own on, a command shows them in panels."""

PANELS: Final[Mapping[str, tuple[str, ...]]] = {
    "Reading the input": (
        "symmetrize", "format", "vertices", "delimiter", "header", "edge_table", "memory", "key", "count", "records",
        "variables", "sum", "missing", "missing_text", "order", "large", "in_place", "backend", "spark_master",
    ),
    "A graph database": (
        "address", "nodes", "relationships", "through", "where", "where_relationship", "at_least",
    ),
    "Roles of the columns": (
        "identifier", "quasi_identifier", "sensitive", "weight", "stratum", "household", "record_key", "geography",
        "populations", "leave_out", "roles",
    ),
    "Comparing and aggregating attributes": (
        "keep_integers", "scaling", "attribute_weight", "aggregate", "nominal", "ordinal",
    ),
    "Policy": ("policy", "preset"),
    "Output": (
        "out", "out_format", "force", "dry_run", "keep", "key_file", "forget_key", "store_as", "public", "export",
        "picture", "show_all", "report", "public_report",
    ),
    "Effort": ("method", "seed", "effort", "prove", "time_limit", "gap", "sample", "draws"),
    "Limits": (
        "only", "forbid_edges", "forbid_vertices", "max_increase", "allow", "plausible", "previous", "previous_key",
    ),
    "Reached from elsewhere": ("name", "tls_cert", "tls_key", "behind_proxy"),
}  # fmt: skip
"""Options by their names in the code; the others, which say what is asked, stay on top."""

_PLACEHOLDERS: Final[Mapping[type, str]] = {Path: "FILE", int: "N", float: "NUMBER"}
_OWN_PLACEHOLDERS: Final = {
    "allow": "CHANGES",
    "host": "ADDRESS",
    "keep": "ATTRIBUTE",
    "memory": "SIZE",
    "store_as": "NAME",
    "time_limit": "SECONDS",
}


def lay_out(command: Any) -> None:
    """Lay out the help of a loaded command, and of all below it.

    Parameters
    ----------
    command : typer's command
        Before it is given the options that every command has.
    """
    command.help = _unwrapped(command.help or "")
    options = [param for param in command.params if param.param_type_name == "option" and not param.hidden]
    for param in command.params:
        if param.param_type_name == "argument":
            param.metavar = param.metavar or param.name.upper()
            # typer tells the type beside every placeholder of an argument
            param.display_type_rich = lambda ctx: None
        elif param.metavar is None:
            param.metavar = _placeholder(param)
    if len(options) >= LONG:
        homes = {name: panel for panel, names in PANELS.items() for name in names}
        for option in options:
            option.rich_help_panel = option.rich_help_panel or homes.get(option.name)
    # kept by the command from now on
    if (asked := command.get_help_option(typer.Context(command))) is not None:
        asked.metavar = ""
    for child in getattr(command, "commands", {}).values():
        lay_out(child)


def _placeholder(option: Any) -> str:
    """Return what stands for the value of an option."""
    if option.is_flag:
        return ""
    kind = option.type_descriptor.annotation
    (kind,) = get_args(kind) or (kind,)
    name: str = option.name
    return _OWN_PLACEHOLDERS.get(name) or _PLACEHOLDERS.get(kind) or name.rpartition("_")[2].upper()


def _unwrapped(text: str) -> str:
    """Return a text whose paragraphs are one line each, so that they are wrapped to the terminal alone.

    Examples
    --------
    >>> _unwrapped("One line\\nand its end.\\n\\n    auditor --version")
    'One line and its end.\\n\\n    auditor --version'
    """
    paragraphs = inspect.cleandoc(text).split("\n\n")
    return "\n\n".join(part if part.startswith((" ", "- ")) else " ".join(part.split("\n")) for part in paragraphs)
