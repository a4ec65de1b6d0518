"""What is known about keys: meanings, differences, the JSON Schema."""

from __future__ import annotations

import json
from typing import Any

import pytest

from auditor.policy import Policy, differences, flat_values, key_of, known_keys, parse_policy, policy_schema
from auditor.policy.meaning import Meaning, direction_of

HOOK = {"kind": "webhook", "address": "https://hooks.example.org/a", "secret_env": "OFFICE_KEY"}


def as_json(policy: Policy) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(policy.text())
    return found


@pytest.mark.parametrize("key", known_keys(), ids=lambda key: key.name)
def test_every_key_says_what_it_asks_and_why(key: Any) -> None:
    assert key.asks
    assert key.meaning.why.endswith((".", "."))


def test_every_value_of_a_policy_is_of_a_known_key() -> None:
    policy = parse_policy({"notify": {"channels": {"office": HOOK}}})
    values = flat_values(as_json(policy))
    assert {name for name in values if key_of(name) is None} == set()
    assert {key.name for key in known_keys()} == {key_of(name).name for name in values}  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("before", "after", "directions"),
    [
        ({}, {"network": {"k": 9}}, {"network.k": "stricter"}),
        ({"network": {"k": 9}}, {}, {"network.k": "laxer"}),
        ({}, {"network": {"max_share_below_k_ego": 0.1}}, {"network.max_share_below_k_ego": "stricter"}),
        ({}, {"network": {"max_share_below_k": 0.1}}, {"network.max_share_below_k": "laxer"}),
        ({}, {"table": {"hide_small": False}}, {"table.hide_small": "laxer"}),
        ({}, {"table": {"sensitive": "all"}}, {"table.sensitive": "stricter"}),
        (
            {},
            {"table": {"sensitive": "named", "named": {"ill": ["a"]}}},
            {"table.sensitive": None, "table.named.ill": "stricter"},
        ),
        ({}, {"table": {"refusals": "sampled"}}, {"table.refusals": None}),
        ({}, {"table": {"inference": "policy-aware"}}, {"table.inference": "stricter"}),
        ({}, {"exports": {"approval": "second-person"}}, {"exports.approval": "stricter"}),
        ({}, {"exports": {"reverify_after_days": 9}}, {"exports.reverify_after_days": "stricter"}),
        ({}, {"roles": {"approve": ["officer", "administrator"]}}, {"roles.approve": "laxer"}),
        ({}, {"roles": {"see_proposals": []}}, {"roles.see_proposals": "stricter"}),
        ({"roles": {"approve": ["officer"]}}, {"roles": {"approve": ["administrator"]}}, {"roles.approve": None}),
        ({}, {"notify": {"allow_private": ["a"]}}, {"notify.allow_private": "laxer"}),
    ],
)
def test_a_difference_tells_the_key_and_the_direction(
    before: dict[str, Any], after: dict[str, Any], directions: dict[str, str | None]
) -> None:
    found = differences(as_json(parse_policy(before)), as_json(parse_policy(after)))
    assert {item.key: item.direction for item in found} == directions


def test_a_channel_that_came_or_went_is_told_by_its_keys() -> None:
    found = differences(as_json(Policy()), as_json(parse_policy({"notify": {"channels": {"office": HOOK}}})))
    assert {item.key for item in found} == {
        f"notify.channels.office.{name}" for name in ("address", "events", "kind", "min_severity", "secret_env")
    }
    assert all(item.before is None and item.direction is None for item in found)


def test_a_policy_of_another_version_is_compared_as_it_stands() -> None:
    old = {"network": {"k": 5, "max_gossip": 3}}
    found = {item.key: item for item in differences(old, as_json(Policy()))}
    assert (found["network.max_gossip"].before, found["network.max_gossip"].after) == (3, None)
    assert found["table.threshold"].direction is None
    assert "network.k" not in found


@pytest.mark.parametrize(
    ("meaning", "before", "after"),
    [(None, 1, 2), (Meaning("", "higher"), 1, "2"), (Meaning("", ("a", "b")), "a", "z"), (Meaning("", "more"), [], ())],
)
def test_a_direction_that_is_not_known_is_not_told(meaning: Meaning | None, before: Any, after: Any) -> None:
    assert direction_of(meaning, before, after) is None


def test_the_schema_names_every_key_and_no_other() -> None:
    schema = policy_schema()
    assert schema["additionalProperties"] is False
    assert set(schema["properties"]) == {"preset", *Policy.model_fields}
    for name, model in schema["$defs"].items():
        assert model["additionalProperties"] is False, name
        assert all(value.get("description") for value in model["properties"].values()), name
    assert json.loads(json.dumps(schema)) == schema
