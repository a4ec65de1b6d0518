"""`auditor table request`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.context import context_of
from cli.table.names import as_names

if TYPE_CHECKING:
    from auditor.releases import RequestAnswer

__all__ = ["request"]

_SENTENCES = {
    "min_width": "with what is out, the count of a protected cell could be worked out too closely",
    "min_relative_width": "with what is out, a protected count could be worked out too closely for its size",
    "hide_small": "with what is out, a small count could be told to be small",
    "min_values": "with what is out, a protected cell could have too few different counts",
    "min_tables": "with what is out, too few tables would be possible",
    "group_disclosure": "it shows of a group that all of it are in one category",
}
_EXIT = {"release": 0, "simulate": 0, "refuse": 1, "undecided": 3}


def request(
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(help="Name of a stored table.")],
    marginal: Annotated[Any, typer.Argument(metavar="A,B", parser=as_names, help="Variables of the marginal.")],
    by: Annotated[str, typer.Option("--by", metavar="WHO", help="Who asks for it; the ledger keeps that.")],
    policy: Annotated[
        Path | None, typer.Option("--policy", metavar="FILE", help="Policy (TOML); the defaults without one.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Write the marginal to this CSV file if it may go out.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", metavar="", help="Overwrite FILE.")] = False,
    explain: Annotated[
        bool,
        typer.Option("--explain", metavar="", help="Show the officer the cells behind a refusal; the ledger notes it."),
    ] = False,
) -> None:
    """Decide whether a marginal may go out, together with all that is out already; record and answer it.

    The answer is release (exit code 0), refuse (1) or undecided (3): what could not be proven in time does not go out.
    Where the policy allows it, simulate (0) takes the place of refuse: counts of a table that was drawn at random from
    those that have what is out. The same request under the same policy gets the same answer.

    Example: auditor table request survey sex,illness --by "City of Gotham" --out sex-illness.csv

    Example: auditor table request survey sex,age,illness --by "City of Gotham" --explain
    """
    import time

    from auditor.errors import BadInput
    from auditor.policy import Policy, load_policy
    from auditor.releases import answer_request
    from auditor.releases.files import write_marginal
    from auditor.staging import check_destination
    from cli.actor import current_actor
    from cli.subject import find_table

    context = context_of(ctx)
    if not by.strip() or not by.isprintable():
        raise BadInput("--by must name who asks, on one line; the ledger keeps it")
    rules = Policy() if policy is None else load_policy(policy)
    if out is not None:
        check_destination(out, force=force)
    with context.output.progress(f"request {name}") as bar:
        bar.phase("open the store")
        info = find_table(context, name)
        bar.phase("decide")
        answer = answer_request(
            context.store,
            info.name,
            marginal,
            rules,
            by=by,
            actor=current_actor(),
            clock=time.monotonic,
            explain=explain,
        )
        if out is not None and answer.marginal is not None:
            bar.phase("write")
            write_marginal(answer.marginal, out, force=force, simulated=answer.recorded.answer == "simulate")
    written = out if answer.marginal is not None else None
    recorded = answer.recorded
    context.output.answer(
        {
            "table": info.name,
            "marginal": recorded.names,
            "answer": recorded.answer,
            "rules": recorded.rules,
            "by": recorded.by,
            "policy": recorded.policy_hash,
            "simulated": recorded.answer == "simulate",
            "implied": answer.decision.implied,
            "repeated": recorded.repeated,
            "entry": recorded.entry,
            "file": written,
            **({"cells": _cells(answer)} if explain else {}),
        },
        f"{', '.join(recorded.names)}: {recorded.answer}",
        *_reasons(answer, rules.table.refusals == "simulatable"),
        *([f"written and checked: {written}"] if written is not None else []),
        *(
            [context.output.table(("cell", "possible counts"), _rows(answer), title="For the officer alone")]
            if explain and _cells(answer)
            else []
        ),
        *context.output.advice(f"recorded as entry {recorded.entry} of the ledger"),
    )
    raise typer.Exit(_EXIT[recorded.answer])


def _reasons(answer: RequestAnswer, simulatable: bool) -> list[str]:
    """Say why, in words that anybody may read."""
    recorded = answer.recorded
    if recorded.answer == "undecided":
        return ["neither yes nor no could be proven within the limits: it does not go out"]
    if recorded.answer == "simulate":
        return [
            "the counts are those of a table that was drawn at random from all that have what is out",
            "tell whoever gets them that they are simulated",
        ]
    if recorded.answer == "release":
        if answer.decision.implied:
            return ["it follows from what is out already"]
        if simulatable:
            return ["it would be safe in every table drawn from what is out; the table itself was not looked at"]
        return ["no protected count can be worked out from it and all that is out"]
    return [f"{rule}: {_SENTENCES[rule]}" for rule in recorded.rules]


def _cells(answer: RequestAnswer) -> list[dict[str, Any]]:
    """Return the cells behind a refusal, with their bounds; what is exactly determined is said without a number."""
    variables = answer.table.variables
    shown: list[dict[str, Any]] = []
    for violation in (*answer.decision.violations, *answer.decision.unsettled):
        if violation.marginal:
            names = [variables[axis].name for axis in violation.marginal]
            shown.append({"rule": violation.rule, "variable": names[0], "within": names[1:]})
        elif violation.cell is not None:
            codes = _codes(violation.cell, answer.table.shape)
            cell = {variable.name: variable.categories[code] for variable, code in zip(variables, codes, strict=True)}
            exact = violation.lower is not None and violation.lower == violation.upper
            interval: dict[str, Any] = (
                {"exactly_determined": True} if exact else {"lower": violation.lower, "upper": violation.upper}
            )
            shown.append({"rule": violation.rule, "cell": cell, **interval})
    return shown


def _rows(answer: RequestAnswer) -> list[tuple[str, str]]:
    rows = []
    for shown in _cells(answer):
        if "cell" not in shown:
            rows.append((f"{shown['variable']} within {', '.join(shown['within'])}", "a group in one category"))
            continue
        where = ", ".join(f"{name}={category}" for name, category in shown["cell"].items())
        if shown.get("exactly_determined"):
            rows.append((where, "exactly determined"))
        elif shown["lower"] is None:
            rows.append((where, "not settled" if answer.recorded.answer == "undecided" else "too few"))
        else:
            rows.append((where, f"{shown['lower']} to {shown['upper']}"))
    return rows


def _codes(cell: int, shape: tuple[int, ...]) -> list[int]:
    codes = []
    for size in reversed(shape):
        cell, code = divmod(cell, size)
        codes.append(code)
    return codes[::-1]
