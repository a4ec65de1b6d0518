"""The policy that somebody names: a file, a preset, the defaults, or one that the store kept."""

from __future__ import annotations

import hashlib
import json
import re
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from auditor.core.errors import AuditorError, NotFound, StoreCorrupt
from auditor.store.policies import policy_text
from cli.terminal.context import Context

if TYPE_CHECKING:
    from auditor.policy import Policy

_DEFAULT = "default"
_TOLD = 3
_DIGEST = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class NamedPolicy:
    """A policy as it stands, also if it is from another version of this program."""

    name: str
    digest: str
    values: dict[str, Any]
    preset: str | None = None
    """The preset that it is."""


def find_policy(context: Context, name: str) -> NamedPolicy:
    """Return the policy that has this name.

    Parameters
    ----------
    name : str
        A preset, ``default``, a digest of 64 characters that the store knows, or a file; a file that is called like one
        of the others is named with its folder, as in ``./public``.

    Raises
    ------
    NotFound
        If there is nothing of that name.
    StoreCorrupt
        If the text that was kept does not have the digest.
    BadInput
        As :func:`auditor.policy.load_policy`.
    """
    from auditor.policy import PRESETS, Policy, load_policy, preset_policy

    if name == _DEFAULT:
        return _named(name, Policy())
    if name in PRESETS:
        return _named(name, preset_policy(name), preset=name)
    if _DIGEST.fullmatch(name):
        return _kept(context, name)
    if not Path(name).exists() and "/" not in name and not name.endswith(".toml"):
        known = ", ".join([_DEFAULT, *PRESETS])
        raise NotFound(f"there is no policy {name!r}: name a file, a digest of 64 characters, or one of {known}")
    return _named(name, load_policy(Path(name)))


def name_of_policy(digest: str, *, path: Path | None = None) -> str | None:
    """Return how people call the policy of a digest: a preset, the defaults, a file; None where it has no name here.

    Parameters
    ----------
    digest : str
        Of a policy that the store keeps.
    path : Path, optional
        A policy file that may be the one.

    Examples
    --------
    >>> from auditor.policy import Policy, preset_policy
    >>> name_of_policy(Policy().digest()), name_of_policy(preset_policy("public").digest())
    ('the default policy', 'the preset public')
    """
    from auditor.policy import PRESETS, Policy, load_policy, preset_policy

    if path is not None:
        with suppress(AuditorError):
            if load_policy(path).digest() == digest:
                return str(path)
    if digest == Policy().digest():
        return "the default policy"
    return next((f"the preset {name}" for name in PRESETS if preset_policy(name).digest() == digest), None)


def change_of_policy(context: Context, before: str, now: Policy, *, path: Path | None = None) -> str:
    """Return in words from which policy to which: by name where both have one, else by the keys that differ."""
    from auditor.policy import differences

    names = name_of_policy(before, path=path), name_of_policy(now.digest(), path=path)
    called = f"{names[0] or 'another policy'} before, {names[1] or 'one of its own'} now"
    if None not in names:
        return called
    found = differences(_kept(context, before).values, now.model_dump(mode="json"))
    told = [f"{one.key} {value_shown(one.before)} → {value_shown(one.after)}" for one in found[:_TOLD]]
    more = [f"{len(found) - _TOLD} more"] if len(found) > _TOLD else []
    return f"{called}: {', '.join(told + more)}"


def value_shown(value: Any) -> object:
    """Return a value of a policy as a cell of a table."""
    return ", ".join(map(str, value)) or "none" if isinstance(value, list | tuple) else value


def _named(name: str, policy: Policy, preset: str | None = None) -> NamedPolicy:
    return NamedPolicy(name, policy.digest(), policy.model_dump(mode="json"), preset)


def _kept(context: Context, digest: str) -> NamedPolicy:
    text = policy_text(context.store, digest)
    if hashlib.sha256(text.encode()).hexdigest() != digest:
        raise StoreCorrupt("the text of that policy was changed after it was kept; see 'auditor ledger verify'")
    return NamedPolicy(digest, digest, json.loads(text))
