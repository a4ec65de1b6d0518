"""A report as tables for people: the same columns on the page of the service, in the file and on the terminal."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from auditor.ledger.kinds import entry_kinds
from auditor.month_end.document import Document
from auditor.month_end.rows import SECTIONS, Row
from graphkit.numbers import count, counted

Shape = Literal["text", "subject", "time", "entry", "number"]
"""How a cell is shown: ``entry`` is a position in the ledger."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a section."""

    heading: str
    shape: Shape
    value: Callable[[Row], Any]


@dataclass(frozen=True, slots=True)
class ShownSection:
    """A section as it is shown."""

    name: str
    title: str
    lead: str
    empty: str
    columns: Sequence[Column]
    total: int
    rows: Sequence[Row]

    def cells(self, row: Row) -> list[tuple[Column, Any]]:
        """Return the cells of a row, each with its column."""
        return [(column, column.value(row)) for column in self.columns]


@dataclass(frozen=True, slots=True)
class Tile:
    """A figure of the summary, with what it is made of."""

    name: str
    figure: int
    note: str
    section: str


def sections_of(document: Document, limit: int | None = None) -> list[ShownSection]:
    """Return all sections, each with its first `limit` rows."""
    return [section_of(document, name, limit) for name in SECTIONS]


def section_of(document: Document, name: str, limit: int | None = None, skip: int = 0) -> ShownSection:
    """Return a part of a section."""
    rows, (lead, empty) = document[name], _WORDS[name]
    end = None if limit is None else skip + limit
    return ShownSection(name, SECTIONS[name], lead, empty, _COLUMNS[name], len(rows), rows[skip:end])


def tiles_of(document: Document) -> list[Tile]:
    """Return the summary of a report."""
    totals, checkpoint = document["totals"], document["ledger"]["checkpoint"]
    decided = totals["decided_by_decision"]
    signed = "never signed by then" if checkpoint is None else f"signed up to entry {count(checkpoint['entries'])}"
    return [
        Tile("Released", totals["released"], _listed(totals["released_by_family"]), "released"),
        Tile("Refused", totals["refused"], _listed(totals["refused_by_role"], "by "), "refused"),
        Tile("Waiting at the end", totals["waiting"], "", "waiting"),
        Tile("Decided", totals["decided"], _listed({_said(name): n for name, n in decided.items()}), "decided"),
        Tile("Waivers that end soon", totals["waivers_ending"], "within 30 days after", "waivers_ending"),
        Tile("Exports verified again", totals["reverified"], f"of {count(totals['exports'])} released", "reverified"),
        Tile("Audits that failed", totals["failed_audits"], "", "failed_audits"),
        Tile("Disclosure views", totals["views"], counted(len(document["views"]), "person", "persons"), "views"),
        Tile("Ledger entries", document["ledger"]["entries"], signed, "ledger"),
    ]


def _listed(figures: Mapping[str, int], before: str = "") -> str:
    return ", ".join(f"{before}{name} {count(number)}" for name, number in figures.items())


def _said(decision: str) -> str:
    return {"overtaken": "superseded", "approved_as_agreed": "approved as agreed"}.get(decision, decision)


def _decision(row: Row) -> str:
    return _said(row["decision"]) + (f" with {row['agreed_by']}" if row["agreed_by"] else "")


def _key(name: str) -> Callable[[Row], Any]:
    return lambda row: row[name]


def _joined(name: str) -> Callable[[Row], str]:
    return lambda row: ", ".join(row[name])


def _answer(row: Row) -> str:
    """Return how a request ended, where the section does not say it."""
    word = {"simulate": "simulated", "coarsen": "refused, coarser proposed", "undecided": "undecided"}
    return " · ".join(filter(None, (word.get(row["answer"], ""), row["detail"])))


def _kinds(row: Row) -> str:
    known = entry_kinds()
    return "; ".join(
        f"{number} × {row['words'].get(kind) or known.get(kind, kind)}" for kind, number in row["kinds"].items()
    )


_ENTRY, _AT = Column("Entry", "entry", _key("entry")), Column("At", "time", _key("at"))
_SUBJECT, _BY = Column("Subject", "subject", _key("subject")), Column("By", "text", _key("actor"))
_FOR, _ROLE = Column("For", "text", _key("by")), Column("Role", "text", lambda row: row["role"] or "no token")
_ABOUT, _RULES = Column("What", "text", _key("about")), Column("Rules", "text", _joined("rules"))
_RULE, _ANSWER = Column("Rule", "text", _key("rule")), Column("Note", "text", _answer)

_COLUMNS: Mapping[str, Sequence[Column]] = {
    "released": (_ENTRY, _AT, _SUBJECT, _ABOUT, _ANSWER, _BY, _FOR),
    "refused": (_ENTRY, _AT, _SUBJECT, _ABOUT, _RULES, _ANSWER, _BY, _ROLE),
    "waiting": (_AT, _SUBJECT, _ABOUT, Column("Requested by", "text", _key("asked_by")), _FOR, _ROLE),
    "decided": (
        _ENTRY,
        _AT,
        _SUBJECT,
        Column("Decision", "text", _decision),
        _BY,
        Column("Requested by", "text", _key("asked_by")),
        Column("Reason", "text", _key("reason")),
    ),
    "waivers_given": (
        _ENTRY,
        _AT,
        _SUBJECT,
        Column("What", "text", lambda row: "revoked" if row["revoked"] else row["rule"]),
        Column("Until", "time", _key("until")),
        _BY,
        Column("Reason", "text", _key("reason")),
    ),
    "waivers_ending": (Column("Ends", "time", _key("ends")), _SUBJECT, _RULE, _BY),
    "reverified": (
        Column("Export", "subject", lambda row: f"export:{row['export']}"),
        Column("Of", "subject", _key("subject")),
        Column("Released", "time", _key("at")),
        Column("Verified last", "time", _key("verified_at")),
        Column("In the period", "number", _key("times")),
        Column("Verdict", "text", lambda row: row["verdict"] or "not audited since"),
    ),
    "failed_audits": (_ENTRY, _AT, _SUBJECT, Column("Verdict", "text", _key("verdict")), _RULES, _BY),
    "views": (
        Column("Person", "text", _key("person")),
        Column("Views", "number", _key("views")),
        Column("What was viewed", "text", _kinds),
    ),
}

_WORDS: Mapping[str, tuple[str, str]] = {
    "released": ("Each was verified before it was released.", "Nothing was released."),
    "refused": ("With the rules of the policy that decided.", "No request was refused."),
    "waiting": ("Requested by then, and not decided.", "Nothing waited for a second person."),
    "decided": ("By another person than the requester.", "No second person decided anything."),
    "waivers_given": ("A waived finding does not count in a verdict until the waiver ends.", "No waiver was given."),
    "waivers_ending": ("Within 30 days after; the finding counts again from then on.", "No waiver ends soon."),
    "reverified": (
        "Every export that had been released by then. An audit reads its files and verifies the claim again.",
        "Nothing had been exported.",
    ),
    "failed_audits": ("Violated, or undecided: neither proven nor ruled out.", "No audit failed."),
    "views": ("Protected figures that were viewed, counted by person.", "No protected figure was viewed."),
}
