"""From a file of counts to a marginal that may be released, decided and recorded in the store."""

from __future__ import annotations

import re

from auditor.core.errors import AlreadyExists, BadInput
from cli.start.guide import Guide, Likeness, Looked
from cli.start.walk import Walk


class TableGuide(Guide):
    """See :class:`~cli.start.guide.Guide`."""

    line = "how many people share some categories: a table of counts"

    def likeness(self, looked: Looked) -> Likeness:
        """Return whether there is a column of counts, or one of numbers beside others."""
        from auditor.formats.tables.columns import COUNT_NAMES

        if len(looked.columns) < 2:
            return 0
        counts = [column for column in looked.columns if column.sort == "number"]
        if looked.values.has_one_row_a_cell or any(column.name.lower() in COUNT_NAMES for column in counts):
            return 2
        return 1 if counts else 0

    def lead(self, walk: Walk, looked: Looked) -> None:
        """Load it, then decide marginals until one may be released."""
        if walk.k is not None:
            raise BadInput("a table has no k: the thresholds of the policy decide its requests; leave --k out")
        walk.say(
            f"\nRequests are decided under {walk.context.settings.policy or 'the default policy'}: counts below "
            f"{walk.policy.table.threshold} are protected. For the public choose a stricter one first (docs/policy.md)."
        )
        walk.say(
            "\nEach answer counts together with all earlier ones, so the table and its answers are kept in a store: "
            "a private one on this machine, unless you name another."
        )
        counts = _counts(walk, looked)
        name = _loaded(walk, looked, counts)
        variables = [column for column in looked.names() if column != counts]
        who = walk.ask("Who requests it? The ledger keeps the name", walk.context.actor)
        wanted: tuple[str, ...] = tuple(variables)
        while True:
            wanted = walk.choose_columns(
                f"Which of its variables are to be released, crossed with each other ({', '.join(variables)})?",
                variables,
                wanted,
            )
            if not wanted:
                return
            out = walk.place_for(looked.path, "-".join(["", *map(_plain, wanted)]) + ".csv")
            marginal = ",".join(wanted)
            if walk.run("table", "request", name, marginal, "--by", who, "--out", str(out)):
                walk.released = out if out.exists() else None
                walk.then(f"auditor table lattice {name}", "auditor ledger verify")
                return
            walk.say(
                "\nWhat could be released instead; merging categories may allow more. "
                "The ledger records that you saw it."
            )
            walk.run("table", "frontier", name, "--within", marginal)
            if not walk.asks:
                walk.then(f"auditor table request {name} {marginal} --by {who} --merge VARIABLE=CATEGORY,CATEGORY")
                return
            wanted = ()


def _counts(walk: Walk, looked: Looked) -> str:
    """Return the column of counts."""
    from auditor.formats.tables.columns import COUNT_NAMES

    numbers = [column.name for column in looked.columns if column.sort == "number"]
    for name in numbers:
        if name.lower() in COUNT_NAMES:
            return name
    return numbers[walk.choose("Which column counts people?", numbers, len(numbers) - 1)]


def _loaded(walk: Walk, looked: Looked, counts: str) -> str:
    """Return the name under which the table is stored; what is stored already may be used."""
    from auditor.subjects.tables.repository import Tables

    while True:
        name = walk.ask("Under which name is it kept?", looked.stem)
        if not Tables(walk.context.store).exists(name):
            walk.run("table", "add", name, str(looked.path), "--count", counts)
            return name
        if not walk.asks:
            # it may hold other data than the file
            raise AlreadyExists(
                f"a table {name!r} is stored already; request marginals of it with 'auditor table request'"
            )
        if walk.choose(f"A table {name} is stored already.", ("choose another name", "use that one"), 0):
            return name


def _plain(name: str) -> str:
    """Return the name of a variable as part of the name of a file."""
    return re.sub(r"\W+", "", name) or "x"
