"""Who runs a command, as the ledger records it."""

import getpass
import os


def current_actor() -> str:
    """Return `AUDITOR_ACTOR`, or the name of the user on this machine."""
    try:
        return os.environ.get("AUDITOR_ACTOR") or getpass.getuser()
    except (KeyError, OSError):
        return f"uid {os.getuid()}"
