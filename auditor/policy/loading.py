"""Policies from files, mappings and presets; what is wrong is told in one line."""

import json
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from auditor.core.errors import BadFile, NotFound, PolicyError
from auditor.policy.keys import known_parts, nearest
from auditor.policy.presets import preset_named
from auditor.policy.whole import Policy, policy_model

_RENAMED = {("table", "refusals"): {"simulatable": "sampled"}}
"""Values of earlier versions, by section and key, and what they are called now. A new file must say it as it is now."""


def load_policy(path: Path) -> Policy:
    """Return the policy in a TOML file.

    Raises
    ------
    NotFound
        If there is no such file.
    BadFile
        If it cannot be read or is no TOML.
    PolicyError
        If it does not fit the schema.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise NotFound(f"policy file {path} does not exist") from None
    except UnicodeDecodeError:
        raise BadFile(f"policy file {path} is not UTF-8 text") from None
    except OSError as error:
        raise BadFile(f"policy file {path} cannot be read ({error.strerror})") from error
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadFile(f"policy file {path} is not valid TOML: {error}") from None
    return parse_policy(data, where=str(path))


def parse_policy(data: Mapping[str, Any], where: str = "policy") -> Policy:
    """Return the policy that a mapping describes; with `preset`, what it says itself overrules the preset, key by key.

    Raises
    ------
    PolicyError
        If a key or preset is unknown (the nearest known one is named) or a value does not fit.

    Examples
    --------
    >>> parse_policy({"network": {"k": 10}}).network.k
    10
    >>> policy = parse_policy({"preset": "public", "network": {"k": 20}})
    >>> policy.network.k, policy.table.threshold
    (20, 11)
    """
    try:
        return policy_model().model_validate(_over_preset(data, where))
    except ValidationError as error:
        found = error.errors(include_url=False, include_input=False)
        # a key that is misspelt is missing under its right name as well: its own line says more
        first = next((item for item in found if item["type"] == "extra_forbidden"), found[0])
        # the last part of the place of a bad name is a mark of the checker's
        place = [str(part) for part in first["loc"] if part != "[key]"]
        key = _printable(".".join(place))
        if first["type"] == "extra_forbidden":
            hint = nearest(place[-1], known_parts(place[:-1]))
            raise PolicyError(f"{where}: unknown key {key!r}; {hint}") from None
        said = first["msg"].removeprefix("Value error, ")
        raise PolicyError(f"{where}: {key}: {said}" if key else f"{where}: {said}") from None


def stored_policy(text: str, where: str = "stored policy") -> Policy:
    """Return the policy whose canonical text a store kept; names of earlier versions are translated.

    Parameters
    ----------
    text : str
        As :meth:`auditor.policy.Policy.text` gave it, in this version or an earlier one.
    where : str, optional
        What it is the policy of, for messages.

    Raises
    ------
    PolicyError
        If it does not fit the schema.

    Examples
    --------
    >>> stored_policy('{"table": {"refusals": "simulatable"}}').table.refusals
    'sampled'
    """
    data = json.loads(text)
    for (section, key), values in _RENAMED.items():
        below = data.get(section, {})
        if below.get(key) in values:
            data[section] = {**below, key: values[below[key]]}
    return parse_policy(data, where)


def preset_policy(name: str) -> Policy:
    """Return the policy of a preset.

    Raises
    ------
    PolicyError
        If there is none of that name.

    Examples
    --------
    >>> preset_policy("research").table.threshold
    5
    """
    return parse_policy(preset_named(name).values())


def _over_preset(data: Mapping[str, Any], where: str) -> dict[str, Any]:
    given = dict(data)
    if "preset" not in given:
        return given
    try:
        found: dict[str, Any] = dict(preset_named(given.pop("preset")).values())
    except PolicyError as error:
        raise PolicyError(f"{where}: {error}") from None
    for section, values in given.items():
        below = found.get(section)
        found[section] = {**below, **values} if isinstance(below, dict) and isinstance(values, dict) else values
    return found


def _printable(text: str) -> str:
    return text if text.isprintable() else text.encode("unicode_escape").decode("ascii")
