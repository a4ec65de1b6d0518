"""Policies: what a subject must satisfy before it goes out, and who decides. A TOML file, one section a concern."""

from typing import TYPE_CHECKING

from auditor.policy.difference import Difference, differences
from auditor.policy.exports import ExportPolicy
from auditor.policy.keys import Key, flat_values, key_of, key_of_rule, known_keys
from auditor.policy.loading import load_policy, parse_policy, preset_policy, stored_policy
from auditor.policy.notify import Channel, NotifyPolicy
from auditor.policy.presets import PRESETS
from auditor.policy.roles import RolePolicy
from auditor.policy.schema import policy_schema
from auditor.policy.sources import SOURCES
from auditor.policy.whole import policy_model

if TYPE_CHECKING:
    from auditor.policy.whole import Policy

__all__ = [
    "PRESETS",
    "SOURCES",
    "Channel",
    "Difference",
    "ExportPolicy",
    "Key",
    "NotifyPolicy",
    "Policy",
    "RolePolicy",
    "differences",
    "flat_values",
    "key_of",
    "key_of_rule",
    "known_keys",
    "load_policy",
    "parse_policy",
    "policy_schema",
    "preset_policy",
    "stored_policy",
]


def __getattr__(name: str) -> "type[Policy]":
    # made when it is first used: the sections of kinds of subjects, which are parts of it, import this package
    if name == "Policy":
        return policy_model()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
