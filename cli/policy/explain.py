"""`auditor policy explain`."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from auditor.core.errors import NotFound
from cli.policy.named import value_shown
from cli.terminal.context import Context

if TYPE_CHECKING:
    from auditor.policy import Key

_STRICTER = {
    "higher": "larger values are stricter",
    "lower": "smaller values are stricter, none requires nothing",
    "more": "longer lists are stricter",
    "fewer": "shorter lists are stricter",
}


def explain(
    context: Context,
    key: Annotated[
        str | None, typer.Argument(metavar="[KEY]", help="For example table.threshold, or a section; default: all.")
    ] = None,
) -> None:
    """Explain a key of a policy: description, reason, source, and the values of the presets.

    Example: auditor policy explain

    Example: auditor policy explain table.threshold
    """
    from auditor.policy import known_keys

    if key is None:
        _list(context, known_keys())
        return
    found = _find(key.strip("."))
    if len(found) == 1:
        _tell(context, found[0])
    else:
        _list(context, found)


def _find(name: str) -> tuple[Key, ...]:
    """Return the key of that name, those of that section, or the only ones whose last part it is.

    Raises
    ------
    NotFound
        If there is none.
    """
    from auditor.policy import key_of, known_keys
    from auditor.policy.keys import nearest

    known = known_keys()
    if exact := key_of(name):
        return (exact,)
    for fits in (
        [key for key in known if key.name.startswith(f"{name}.")],
        [key for key in known if key.name.rpartition(".")[2] == name],
    ):
        if fits:
            return tuple(fits)
    names = [key.name if "." in name else key.name.rpartition(".")[2] for key in known]
    hint = nearest(name, set(names))
    said = hint if hint.startswith("did") else "'auditor policy explain' lists all"
    raise NotFound(f"there is no key {name!r}; {said}")


def _list(context: Context, keys: tuple[Key, ...]) -> None:
    rows = [[key.name, "required" if key.required else value_shown(key.default or None), key.asks] for key in keys]
    for row, key in zip(rows, keys, strict=True):
        if isinstance(key.default, bool | int | float | str):
            row[1] = key.default
    context.output.answer(
        {"keys": [_summary(key) for key in keys]},
        context.output.page(context.output.table(["key", "default", "meaning"], rows)),
    )


def _tell(context: Context, key: Key) -> None:
    from auditor.policy import PRESETS, SOURCES

    choices = {name: preset.choices.get(key.name) for name, preset in PRESETS.items()}
    sources = {name: SOURCES[name] for name in key.meaning.sources}
    sources |= {name: SOURCES[name] for choice in choices.values() if choice for name in choice.sources}
    data = {
        **_summary(key),
        "why": key.meaning.why,
        "sources": sources,
        "presets": {name: asdict(choice) if choice else None for name, choice in choices.items()},
    }
    lines = [f"{key.name}: {key.asks}", key.meaning.why, f"stricter: {_stricter(key)}"]
    lines.append("it has no default and must be given" if key.required else f"default: {_written(key.default)}")
    rows = [[name, choice.value, choice.reason] for name, choice in choices.items() if choice]
    shown: list[Any] = list(lines)
    if rows:
        shown.append(context.output.page(context.output.table(["preset", "value", "because"], rows)))
    elif not key.name.startswith("notify."):
        shown.append("no preset sets it")
    if sources:
        listed = [[source.citation, source.says, source.read] for source in sources.values()]
        shown.append(context.output.page(context.output.table(["source", "says", "what was read"], listed)))
        # an address that is wrapped cannot be opened
        shown += [source.address for source in sources.values()]
    context.output.answer(data, *shown)


def _summary(key: Key) -> dict[str, Any]:
    return {
        "key": key.name,
        "asks": key.asks,
        "default": key.default,
        "required": key.required,
        "stricter": key.meaning.stricter,
    }


def _written(value: Any) -> str:
    """Return a value as a policy file has it."""
    return "none" if value in (None, {}) else json.dumps(value, ensure_ascii=False)


def _stricter(key: Key) -> str:
    rule = key.meaning.stricter
    if rule is None:
        return "no value is known to be"
    if isinstance(rule, tuple):
        return f"from lax to strict: {', '.join(rule)}"
    return "true is stricter" if isinstance(key.default, bool) else _STRICTER[rule]
