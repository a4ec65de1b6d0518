"""Where the private key comes from that signs checkpoints: a file, the environment, or a command that prints it."""

from __future__ import annotations

import shlex
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

from auditor.core.errors import BadFile, BadInput

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

_PEM = "-----BEGIN"
_SECONDS = 120


def find_private_key(key: str | None, command: str | None) -> Ed25519PrivateKey:
    """Return the private key that is named in one of two ways.

    Parameters
    ----------
    key : str or None
        A file, or the text of the key itself (PEM), as a variable of the environment may hold it.
    command : str or None
        A command that prints the key, such as one of a password manager. It is run without a shell, and may ask for a
        password on the terminal.

    Raises
    ------
    BadInput
        If there is not exactly one of them, or others than its owner may read the file.
    BadFile
        If that gives no private Ed25519 key. The message never holds what was read.
    """
    from auditor.ledger.keys import parse_private_key, read_private_key

    if (key is None) == (command is None):
        raise BadInput("say where the private key is: --key FILE, AUDITOR_LEDGER_KEY, or --key-command COMMAND")
    if command is not None:
        return parse_private_key(_output_of(command), "what the key command printed")
    assert key is not None
    if key.lstrip().startswith(_PEM):
        return parse_private_key(key.encode(), "AUDITOR_LEDGER_KEY")
    return read_private_key(Path(key))


def _output_of(command: str) -> bytes:
    try:
        words = shlex.split(command)
    except ValueError:
        words = []
    if not words:
        raise BadInput("the key command cannot be read as words; mind its quotes")
    try:
        done = subprocess.run(words, stdout=subprocess.PIPE, check=False, timeout=_SECONDS)
    except OSError as error:
        raise BadFile(f"the key command could not be run ({error.strerror or 'I/O error'}): {words[0]}") from None
    except subprocess.TimeoutExpired:
        raise BadFile(f"the key command did not end within {_SECONDS} seconds") from None
    if done.returncode:
        raise BadFile(f"the key command ended with exit code {done.returncode}")
    return done.stdout
