"""The policy that somebody names: a file, a preset, the defaults, or one that the store kept."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from auditor.policy import Policy
    from cli.context import Context

__all__ = ["NamedPolicy", "find_policy", "value_shown"]

_DEFAULT = "default"
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
    from auditor.errors import NotFound
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


def value_shown(value: Any) -> object:
    """Return a value of a policy as a cell of a table."""
    return ", ".join(map(str, value)) or "none" if isinstance(value, list | tuple) else value


def _named(name: str, policy: Policy, preset: str | None = None) -> NamedPolicy:
    return NamedPolicy(name, policy.digest(), policy.model_dump(mode="json"), preset)


def _kept(context: Context, digest: str) -> NamedPolicy:
    import hashlib
    import json

    from auditor.errors import StoreCorrupt

    text = context.store.audits.policy_text(digest)
    if hashlib.sha256(text.encode()).hexdigest() != digest:
        raise StoreCorrupt("the text of that policy was changed after it was kept; see 'auditor ledger verify'")
    return NamedPolicy(digest, digest, json.loads(text))
