"""`auditor demo`: the whole path, on a network and a table that come along."""

from __future__ import annotations

import contextlib
import io
import sys
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Annotated

import typer

from cli.terminal.context import Context, context_of

__all__ = ["app"]

app = typer.Typer()

_NAME = "demo"
_K = "5"
# a first look is not to wait for a proof
_EFFORT = "10"
_RELEASED, _REPORT, _PUBLIC = "released.csv.gz", "report.html", "report-public.html"
_MARGINAL = "sex-department.csv"


@dataclass(frozen=True, slots=True)
class Step:
    """A command of the demo."""

    comment: str
    arguments: tuple[str, ...]
    expected: int = 0
    """Its exit code; another one ends the demo."""


@app.command()
def demo(
    ctx: typer.Context,
    out: Annotated[Path, typer.Option("--out", "-o", metavar="DIR", help="Folder for what the demo writes.")] = Path(
        "auditor-demo"
    ),
) -> None:
    """Run the whole path: a network of co-authors that is protected, and a table of which marginals are asked for.

    Both stay in the store, as the network `demo` and the table `demo`; a second run uses them again.

    Example: auditor demo --out auditor-demo
    """
    from auditor.core.errors import AuditorError
    from auditor.subjects.networks.repository import Networks
    from auditor.subjects.tables.repository import Tables

    context = context_of(ctx)
    out.mkdir(parents=True, exist_ok=True)
    data = resources.files("auditor") / "data"
    with resources.as_file(data / "ca-GrQc.csv.gz") as network, resources.as_file(data / "staff.csv") as table:
        context.output.note("The first command that needs the store brings and starts a private Neo4j.")
        steps = [
            *_network_story(network, out, known=Networks(context.store).exists(_NAME)),
            *_table_story(table, out, known=Tables(context.store).exists(_NAME)),
            Step("Every step is an entry in a chain that nobody can change unseen.", ("ledger", "verify")),
        ]
        context.close()
        for step in steps:
            code = _run(context, step)
            if code != step.expected:
                raise AuditorError(
                    f"the step 'auditor {' '.join(step.arguments[:2])}' ended with exit code {code} "
                    f"instead of {step.expected}"
                )
    things = [
        ("released network", out / _RELEASED),
        ("report", out / _REPORT),
        ("public report", out / _PUBLIC),
        ("released marginal", out / _MARGINAL),
    ]
    ideas = [
        "auditor network list",
        f"auditor network bounds {_NAME} --k 2 --k 10 --k 50",
        f"auditor network compare {_NAME} {out / _RELEASED}",
        "auditor network audit YOUR-FILE --k 5",
        f"auditor table frontier {_NAME}",
        "auditor table add NAME YOUR-FILE",
        "auditor store stop",
    ]
    context.output.answer(
        {"network": _NAME, "table": _NAME, "files": [path for _, path in things], "next": ideas},
        "",
        context.output.table(("what", "where"), things),
        *context.output.advice("Next:\n  " + "\n  ".join(ideas)),
    )


def _network_story(source: Path, out: Path, *, known: bool) -> list[Step]:
    """A network that must not go out as it is, and what goes out instead."""
    released, report, public = str(out / _RELEASED), str(out / _REPORT), str(out / _PUBLIC)
    add = Step("Load a network into the graph database.", ("network", "add", _NAME, str(source)))
    return [
        *([] if known else [add]),
        Step("The answer is no: some authors can be told by their degree.", ("network", "audit", _NAME, "--k", _K), 1),
        Step(
            "A version in which every degree is shared, checked after it was written.",
            ("network", "anonymize", _NAME, "--k", _K, "--effort", _EFFORT, "--out", released, "--force"),
        ),
        Step("What was written passes the same audit.", ("network", "audit", released, "--k", _K)),
        Step("A page about all of this, for you.", ("report", _NAME, "--out", report, "--force")),
        Step("A page that may leave the house.", ("report", _NAME, "--public", "--out", public, "--force")),
    ]


def _table_story(source: Path, out: Path, *, known: bool) -> list[Step]:
    """A table of which two marginals may go out, and a third one not."""
    request, third = ("table", "request", _NAME), "department,contract"
    marginal = str(out / _MARGINAL)
    add = Step("Load a table: 91 people by sex, department and contract.", ("table", "add", _NAME, str(source)))
    return [
        *([] if known else [add]),
        Step(
            "Somebody asks for a marginal. It may go out, and does.",
            (*request, "sex,department", "--by", "ann", "--out", marginal, "--force"),
        ),
        Step("So may another one, together with the first.", (*request, "sex,contract", "--by", "ann")),
        Step(
            "A third one, harmless by itself, would give two people away together with these.",
            (*request, third, "--by", "bob"),
            1,
        ),
        Step("Why, for the officer: what each cell could still be.", ("table", "bounds", _NAME, "--and", third)),
    ]


def _run(context: Context, step: Step) -> int:
    """Run a command as the user would, shown with a comment; return its exit code."""
    from cli.app import run

    shared = ["--store", context.store_url] if context.store_url else []
    shared += ["--config", str(context.config_file)] if context.config_file else []
    if context.output.json or context.output.quiet:
        with contextlib.redirect_stdout(io.StringIO()):
            return run(["--quiet", *shared, *step.arguments])
    print(f"\n# {step.comment}\n$ auditor {' '.join(step.arguments)}", flush=True)
    code = run([*shared, *step.arguments])
    sys.stdout.flush()
    return code
