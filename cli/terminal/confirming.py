"""Ask before something is removed."""

import sys

import typer


def confirm_removal(name: str, question: str, *, yes: bool) -> None:
    """Ask on the terminal; go on only if the answer is yes.

    Parameters
    ----------
    name : str
        Of what is to be removed.
    question : str
        What is asked.
    yes : bool
        Whether `--yes` was said: then nothing is asked.

    Raises
    ------
    BadInput
        If there is no terminal to ask on.
    """
    from auditor.core.errors import BadInput

    if yes:
        return
    if not sys.stdin.isatty():
        raise BadInput(f"removing {name!r} needs a confirmation; pass --yes")
    typer.confirm(question, abort=True, err=True)
