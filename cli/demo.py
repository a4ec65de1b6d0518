"""`auditor demo`: the whole path, on a network that comes along."""

from __future__ import annotations

import contextlib
import io
import sys
from importlib import resources
from pathlib import Path
from typing import Annotated

import typer

from cli.context import Context, context_of

__all__ = ["app"]

app = typer.Typer()

_NAME = "demo"
_K = "5"


@app.command()
def demo(
    ctx: typer.Context,
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder for what the demo writes.")] = Path("auditor-demo"),
) -> None:
    """Run the whole path on a network of co-authors: load, audit, protect, verify, report.

    The network stays in the store as `demo`; a second run uses it again.

    Example: auditor demo --out auditor-demo
    """
    from auditor.errors import AuditorError

    context = context_of(ctx)
    out.mkdir(parents=True, exist_ok=True)
    released, report, public = out / "released.csv.gz", out / "report.html", out / "report-public.html"
    with resources.as_file(resources.files("auditor") / "data" / "ca-GrQc.csv.gz") as source:
        context.output.note("The first command that needs the store brings and starts a private Neo4j.")
        steps = [
            (["network", "audit", _NAME, "--k", _K], 1, "The answer is no: some authors can be told by their degree."),
            (
                ["network", "anonymize", _NAME, "--k", _K, "--out", str(released), "--force"],
                0,
                "A version in which every degree is shared, checked after it was written.",
            ),
            (["network", "audit", str(released), "--k", _K], 0, "What was written passes the same audit."),
            (["ledger", "verify"], 0, "Every step is an entry in a chain that nobody can change unseen."),
            (["report", _NAME, "--out", str(report), "--force"], 0, "A page about all of this, for you."),
            (["report", _NAME, "--public", "--out", str(public), "--force"], 0, "A page that may leave the house."),
        ]
        if not context.store.networks.exists(_NAME):
            steps.insert(0, (["network", "add", _NAME, str(source)], 0, "Load the network into the graph database."))
        context.close()
        for arguments, expected, comment in steps:
            code = _run(context, arguments, comment)
            if code != expected:
                raise AuditorError(
                    f"the step 'auditor {' '.join(arguments[:2])}' ended with exit code {code} instead of {expected}"
                )
    things = [("released network", released), ("report", report), ("public report", public)]
    ideas = [
        "auditor network list",
        f"auditor network bounds {_NAME} --k 2 --k 10 --k 50",
        f"auditor network compare {_NAME} {released}",
        "auditor network audit YOUR-FILE --k 5",
        "auditor store stop",
    ]
    context.output.answer(
        {"network": _NAME, "files": [path for _, path in things], "next": ideas},
        "",
        context.output.table(("what", "where"), things),
        *context.output.advice("Next:\n  " + "\n  ".join(ideas)),
    )


def _run(context: Context, arguments: list[str], comment: str) -> int:
    """Run a command as the user would, shown with a comment; return its exit code."""
    from cli.app import run

    shared = ["--store", context.store_url] if context.store_url else []
    shared += ["--config", str(context.config_file)] if context.config_file else []
    if context.output.json or context.output.quiet:
        with contextlib.redirect_stdout(io.StringIO()):
            return run(["--quiet", *shared, *arguments])
    print(f"\n# {comment}\n$ auditor {' '.join(arguments)}", flush=True)
    code = run([*shared, *arguments])
    sys.stdout.flush()
    return code
