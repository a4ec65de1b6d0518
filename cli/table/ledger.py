"""`auditor table ledger`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from auditor.formats.tables.words import in_words
from cli.terminal.completing import stored
from cli.terminal.context import Context

if TYPE_CHECKING:
    from auditor.ledger.chain import EntryRecord

# what the payload of a request tells, and in which type: nothing else of it is shown
_OF_REQUEST: dict[str, type] = {
    "marginal": list,
    "merged": dict,
    "answer": str,
    "proof": str,
    "rules": list,
    "proposal": dict,
    "repeated": bool,
    "explained": bool,
    "simulated": bool,
    "policy": str,
}
_COLUMNS = (
    *("entry", "at (UTC)", "table", "what", "who", "marginal"),
    *("answer", "rules", "repeated", "explained", "policy", "simulated"),
)


def ledger(
    context: Context,
    name: Annotated[str, typer.Argument(autocompletion=stored("table"), help="Name of a stored or removed table.")],
    limit: Annotated[
        int | None, typer.Option("--limit", "-n", min=1, help="At most this many, the newest; default: all.")
    ] = None,
) -> None:
    """Show the requests about a table in order: requester, marginal, answer and rules.

    It includes requests under other names and about other versions of the table. No count is shown.

    Example: auditor table ledger survey --limit 10
    """
    entries = context.store.ledger.of_subject("table", name.removeprefix("table:"), limit)
    found = [_values(entry) for entry in entries]
    context.output.answer({"entries": found}, context.output.table(_COLUMNS, [_row(values) for values in found]))


def _values(entry: EntryRecord) -> dict[str, Any]:
    """Return what is shown of an entry; of one that was edited, what can be read."""
    try:
        payload = json.loads(entry.payload)
    except (TypeError, ValueError, RecursionError):
        payload = None
    payload = payload if isinstance(payload, dict) else {}
    request = {key: payload[key] if isinstance(payload.get(key), kind) else None for key, kind in _OF_REQUEST.items()}
    return {
        "entry": entry.seq,
        "at": entry.at,
        "kind": entry.kind,
        "table": str(entry.subject).removeprefix("table:"),
        "version": payload.get("version"),
        "actor": entry.actor,
        "by": payload.get("by"),
        **request,
    }


def _row(values: dict[str, Any]) -> tuple[object, ...]:
    shown = {key: "" if value is None else value for key, value in values.items()}
    # it told nothing new, which is why no rule was looked at
    follows = " (follows)" if values["proof"] == "implied" else ""
    return (
        str(values["entry"]),
        str(values["at"])[:19].replace("T", " "),
        values["table"],
        str(values["kind"]).removeprefix("table_"),
        values["by"] if values["kind"] == "table_request" else values["actor"],
        _marginal(values),
        f"{shown['answer']}{follows}",
        ", ".join(map(str, shown["rules"])),
        shown["repeated"],
        shown["explained"],
        shown["policy"][:8],
        shown["simulated"],
    )


def _marginal(values: dict[str, Any]) -> str:
    names = values["marginal"]
    try:
        return in_words(names, values["merged"] or {}) if names is not None else ""
    except (TypeError, AttributeError):
        # the entry was edited
        return ", ".join(map(str, names))
