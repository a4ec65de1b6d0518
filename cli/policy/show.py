"""`auditor policy show`."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Annotated, Any

import typer

from auditor.core.errors import BadInput
from cli.policy.named import find_policy, value_shown
from cli.terminal.context import Context
from cli.terminal.output import Output
from cli.terminal.policy_option import PresetOption


def show(
    context: Context,
    policy: Annotated[
        str | None,
        typer.Argument(metavar="[FILE|DIGEST]", help="Policy file, or digest of a stored policy."),
    ] = None,
    preset: PresetOption = None,
) -> None:
    """Show a policy with all defaults; without an argument the defaults.

    The text of every policy under which something was audited or answered is kept: its digest shows it as it was, also
    keys that this version no longer has. A preset is shown with its reasons and sources.

    Example: auditor policy show

    Example: auditor policy show policy.toml --json

    Example: auditor policy show --preset public

    Example: auditor policy show DIGEST
    """
    from auditor.policy.presets import preset_named

    if policy is not None and preset is not None:
        raise BadInput("name either a policy or --preset; 'auditor policy diff' shows two")
    if preset is not None:
        policy = preset_named(preset).name
    found = find_policy(context, policy or "default")
    data: dict[str, Any] = {"digest": found.digest, "policy": found.values}
    shown = [context.output.table(["section", "key", "value", "meaning"], _rows(found.values))]
    if found.preset is not None:
        data["preset"] = _preset_data(found.preset)
        shown.append(_reasons(context.output, data["preset"]))
    context.output.answer(data, *shown, f"digest {found.digest}")


def _rows(values: Mapping[str, Any]) -> list[list[object]]:
    from auditor.policy import flat_values, key_of

    rows: list[list[object]] = []
    for name, value in flat_values(values).items():
        section, _, rest = name.partition(".")
        known = key_of(name)
        asks = known.asks if known else _sections(name)
        rows.append([section, rest, value_shown(value), asks])
    return rows


def _sections(name: str) -> str:
    """Return what an empty section is for; else the key is from another version."""
    from auditor.policy import known_keys

    if any(key.name.startswith(f"{name}.") for key in known_keys()):
        return "nothing is set"
    return "(a key of another version of this program)"


def _preset_data(name: str) -> dict[str, Any]:
    from auditor.policy import PRESETS, SOURCES

    preset = PRESETS[name]
    choices = {
        key: {**asdict(choice), "sources": [SOURCES[source] for source in choice.sources]}
        for key, choice in preset.choices.items()
    }
    return {**asdict(preset), "choices": choices}


def _reasons(output: Output, preset: Mapping[str, Any]) -> Any:
    rows = [
        [key, choice["value"], choice["reason"], "; ".join(source.citation for source in choice["sources"])]
        for key, choice in preset["choices"].items()
    ]
    table = output.table(["key", "value", "because", "source"], rows, title=f"{preset['name']}: {preset['purpose']}")
    table.caption, table.caption_justify = preset["practice"], "left"
    return table
