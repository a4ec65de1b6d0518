"""`auditor config`: which settings are in force, and where each of them came from."""

import os
from collections.abc import Mapping
from typing import Any

from cli.terminal.commands import group
from cli.terminal.context import Context

# what can stand in the environment alone; of these only the first one may be shown
_VARIABLES = (
    "AUDITOR_ACTOR",
    "AUDITOR_SMTP_PASSWORD",
    "AUDITOR_LEDGER_KEY",
    "AUDITOR_LEDGER_KEY_COMMAND",
)
_HIDDEN = "(hidden)"


def show(context: Context) -> None:
    """Show every setting, its value, and what gave it: an option, a variable, the configuration file or a default.

    Secrets are never shown. A value that does not fit is named, and nothing else is done. No store is asked or started.

    Example: auditor config show
    """
    from pydantic import SecretStr

    from auditor.config import load_sourced_settings

    found = load_sourced_settings(context.config_file, context.store_url)
    settings: list[dict[str, Any]] = []
    for key, value in found.values().items():
        shown = _HIDDEN if isinstance(value, SecretStr) else value
        settings.append({"key": key, "value": shown, "source": found.source(key)})
    for name in _VARIABLES:
        value = os.environ.get(name) or None
        hidden = value if value is None or name == _VARIABLES[0] else _HIDDEN
        settings.append({"key": name, "value": hidden, "source": name if value else "default"})
    rows = [(item["key"], _text(item["value"]), item["source"]) for item in settings]
    is_there = os.path.isfile(found.file)
    remark = "" if is_there else " (not there, and need not be)"
    context.output.answer(
        {"file": found.file, "file_exists": is_there, "settings": settings},
        f"configuration file: {found.file}{remark}",
        context.output.table(("setting", "value", "from"), rows),
    )


def _text(value: object) -> str | None:
    if isinstance(value, bool):
        return "true" if value else "false"
    # as a variable of the environment has them
    if isinstance(value, Mapping):
        return ", ".join(f"{key}={one}" for key, one in value.items()) or None
    if isinstance(value, tuple):
        return " ".join(map(str, value)) or None
    # numbers as they are written in the file, not grouped as counts are
    return None if value is None else str(value)


app = group(show=show)
