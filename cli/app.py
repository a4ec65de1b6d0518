"""The program `auditor`: its groups, and the one place where an error becomes a line and an exit code.

Nothing heavy is imported here: `auditor --help` answers before NumPy would have been found.
"""

import contextlib
import json
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from types import FrameType
from typing import Annotated, Any, ClassVar

import typer

from auditor import __version__
from auditor.core.errors import NotDelivered, NotFound
from auditor.core.kinds import kinds
from cli.terminal.context import Context
from cli.terminal.ending import AskedToEnd
from cli.terminal.failure import failure_of, report_failure
from cli.terminal.help import lay_out
from cli.terminal.lazy import LazyCommand, LazyGroup, add_common_options


def in_source_tree() -> bool:
    """Whether this runs from the source tree of the project, benchmarks and all, and not from a distribution."""
    return (Path(__file__).parent.parent / "benchmarks" / "runner.py").is_file()


class Root(LazyGroup):
    """The groups and commands of `auditor`, in the order of the overview: first those of the kinds of subjects."""

    members: ClassVar[dict[str, LazyCommand]] = {
        **{kind.name: LazyCommand(*kind.commands) for kind in kinds() if kind.commands is not None},
        "report": LazyCommand("cli.report", "Reports about a network, microdata or a month; verify a signed one."),
        "audit": LazyCommand("cli.audit", "Audits: run, list, show, waive findings."),
        "approval": LazyCommand("cli.approval", "Approvals by a second person: list, approve, reject."),
        "schedule": LazyCommand("cli.schedule", "Audits at set times: add, show, pause, run."),
        "notify": LazyCommand("cli.notify", "Notifications: send, list, retry, test a channel."),
        "ledger": LazyCommand("cli.ledger", "The hash chain of all decisions: verify, show, export."),
        "policy": LazyCommand("cli.policy", "Policies: check, show and explain them."),
        "token": LazyCommand("cli.token", "Tokens for the service: create, list, revoke."),
        "serve": LazyCommand("cli.serve", "Serve the web pages and the API."),
        "store": LazyCommand("cli.store", "The graph database: start, stop, back up, copy."),
        "config": LazyCommand("cli.config", "Settings: effective values and their origin."),
        "metrics": LazyCommand("cli.metrics", "Metrics of the store, for Prometheus."),
        "health": LazyCommand("cli.health", "Whether the store can be used."),
        "start": LazyCommand("cli.start", "From a file to a verdict and a release, by questions."),
        "demo": LazyCommand("cli.demo", "A tour on a sample network and a sample table."),
    }
    if in_source_tree():
        # a distribution has no benchmarks to run
        members["benchmark"] = LazyCommand("cli.benchmark", "Measure speed and quality on this machine.")


app = typer.Typer(name="auditor", cls=Root, no_args_is_help=True)


def _print_version(ctx: typer.Context, value: bool) -> None:
    if value:
        context = ctx.find_root().obj
        # the option that is read first answers: whether --json stands behind it is not known to the parser yet
        as_json = isinstance(context, Context) and "--json" in context.arguments
        shown = {"name": "disclosure-auditor", "version": __version__}
        typer.echo(json.dumps(shown, indent=2) if as_json else f"auditor {__version__}")
        raise typer.Exit


@app.callback()
def auditor(
    version: Annotated[
        bool, typer.Option("--version", metavar="", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Find out whether a publication would single people out, and make a version that does not.

    Exit codes: 0 done or passed, 1 the answer is no, 2 wrong usage or bad input, 3 could not complete, 4 not delivered,
    130 interrupted.

    Example: auditor --version
    """


def root_command() -> Any:
    """Return the command tree of `auditor`; its members are still unloaded."""
    command = typer.main.get_command(app)
    add_common_options_to_root(command)
    return command


def add_common_options_to_root(command: Any) -> None:
    """Lay out the help of the root and add the common options to it: its members get theirs when they are loaded."""
    stubs, command.commands = command.commands, {}
    lay_out(command)
    add_common_options(command)
    command.commands = stubs


def run(arguments: Sequence[str] | None = None) -> int:
    """Run `auditor` with these arguments (those of the process by default) and return its exit code."""
    arguments = sys.argv[1:] if arguments is None else list(arguments)
    context = Context(arguments=tuple(arguments))
    try:
        try:
            _invoke(arguments, context)
        finally:
            context.close()
        sys.stdout.flush()
        return 0
    except typer.Exit as stop:
        return stop.exit_code
    except AskedToEnd as asked:
        return _failed(asked, arguments, context)
    except SystemExit as stop:
        if isinstance(stop.__context__, BrokenPipeError):
            # rich ends the process with 1, which here means that the answer is no
            return failure_of(stop.__context__).exit_code
        return stop.code if isinstance(stop.code, int) else 0
    except BaseException as error:
        return _failed(error, arguments, context)


def _failed(error: BaseException, arguments: Sequence[str], context: Context) -> int:
    """Report an error, and return the exit code."""
    # a wrong option ends parsing before --json was seen
    code = report_failure(error, as_json=context.output.json or "--json" in arguments)
    _discard_unwritten_output()
    return code


def _invoke(arguments: list[str], context: Context) -> None:
    command = root_command()
    if "_AUDITOR_COMPLETE" in os.environ:
        command.main(args=arguments, prog_name="auditor", obj=context)
    # not main(): typer turns errors into exit codes of its own, a closed pipe into our "the answer is no"
    with contextlib.closing(context), command.make_context("auditor", arguments, obj=context) as ctx:
        try:
            command.invoke(ctx)
        except NotFound as error:
            from cli.terminal.suggesting import with_suggestion

            raise with_suggestion(error, context) from error


def main() -> None:
    """Run the program and end the process: the console script."""
    _check_streams()
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _stop)
    sys.exit(run())


def _check_streams() -> None:
    """Make sure that there is something to write to: a closed stream is None in Python."""
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 (for the whole life of the process)
    if sys.stdout is None:
        print("auditor: standard output is closed; give it somewhere to go", file=sys.stderr)
        sys.exit(NotDelivered.exit_code)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def _stop(number: int, frame: FrameType | None) -> None:
    raise AskedToEnd(number)


def _discard_unwritten_output() -> None:
    """Keep the interpreter from failing once more at exit on what could not be written."""
    try:
        sys.stdout.flush()
    except OSError:
        with contextlib.suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    main()
