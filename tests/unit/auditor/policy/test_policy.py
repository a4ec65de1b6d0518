"""Sections of a policy: what they take, what they refuse, and what is the same policy."""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_args

import pytest

from auditor.core import finding
from auditor.core.errors import PolicyError
from auditor.policy import Policy, load_policy, parse_policy, stored_policy
from auditor.policy.values import Severity
from auditor.subjects.tables.policy import TablePolicy

HOOK = {"kind": "webhook", "address": "https://hooks.example.org/a", "secret_env": "OFFICE_KEY"}


def channel(**values: Any) -> dict[str, Any]:
    return {"notify": {"channels": {"office": values}}}


def refusal(data: dict[str, Any]) -> str:
    with pytest.raises(PolicyError) as caught:
        parse_policy(data, "p.toml")
    text = str(caught.value)
    assert text.startswith("p.toml: ")
    assert text.isprintable()
    return text


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"export": {}}, "'export'; did you mean 'exports'?"),
        ({"prset": "public"}, "did you mean 'preset'?"),
        ({"exports": {"aproval": "none"}}, "'exports.aproval'; did you mean 'approval'?"),
        ({"roles": {"aprove": []}}, "did you mean 'approve'?"),
        ({"notify": {"chanels": {}}}, "'notify.chanels'; did you mean 'channels'?"),
        (channel(kind="webhook", adress="x"), "'notify.channels.office.adress'; did you mean 'address'?"),
        (channel(adress="x"), "did you mean 'address'?"),
        ({"table": {"treshold": 3}}, "did you mean 'threshold'?"),
        ({"gardens": {"k": 3}}, "known: exports, microdata, network, notify, preset, roles, table"),
    ],
)
def test_an_unknown_key_is_refused_with_the_nearest_one(data: dict[str, Any], message: str) -> None:
    assert message in refusal(data)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"network": {"max_share_below_k": float("nan")}}, "network.max_share_below_k"),
        ({"network": {"max_share_below_k": True}}, "network.max_share_below_k"),
        ({"network": {"max_share_below_k_ego": "0.1"}}, "network.max_share_below_k_ego"),
        ({"network": {"k": True}}, "network.k"),
        ({"table": {"hide_small": 1}}, "table.hide_small"),
        ({"table": {"time_limit": 0}}, "table.time_limit"),
        ({"table": {"answers": ["refuse"]}}, "answers must hold release and refuse"),
        ({"table": {"sensitive": "named"}}, "belong together"),
        ({"table": {"refusals": "simulatable"}}, "table.refusals: 'simulatable' is now called 'sampled'"),
        ({"table": {"refusals": "sampled", "inference": "policy-aware"}}, "do not go together"),
        ({"table": {"most_tables": 0}}, "table.most_tables"),
        ({"exports": {"approval": "second person"}}, "exports.approval"),
        ({"exports": {"reverify_after_days": 0}}, "exports.reverify_after_days"),
        ({"exports": {"reverify_after_days": 1.5}}, "exports.reverify_after_days"),
        ({"roles": {"approve": ["viewer"]}}, "roles.approve"),
        ({"roles": {"waive": ["requester"]}}, "roles.waive"),
        ({"roles": {"see_proposals": ["viewer"]}}, "roles.see_proposals"),
        (
            {"exports": {"approval": "second-person"}, "roles": {"approve": []}},
            "roles.approve allows nobody to approve",
        ),
        ({"exports": 3}, "exports"),
    ],
)
def test_a_value_that_does_not_fit_is_refused(data: dict[str, Any], message: str) -> None:
    assert message in refusal(data)


@pytest.mark.parametrize(
    "values",
    [
        {"kind": "webhook", "address": "https://hooks.example.org/a"},
        {"kind": "webhook", "secret_env": "OFFICE_KEY"},
        {**HOOK, "address_env": "OFFICE_HOOK"},
        {**HOOK, "address": "http://hooks.example.org/a"},
        {**HOOK, "address": "ftp://hooks.example.org/a"},
        {**HOOK, "address": "https://"},
        {**HOOK, "address": "https://[::1"},
        {**HOOK, "address": "https://hooks.example.org:99999/"},
        {**HOOK, "address": "https://hooks.example.org/a b"},
        {**HOOK, "address": "https://hooks.example.org/\r\nX: y"},
        {**HOOK, "events": []},
        {**HOOK, "events": ["finding-old"]},
        {**HOOK, "min_severity": "loud"},
        {"kind": "email", "address": "officer"},
        {"kind": "email", "address": "a@example.org, b@example.org"},
        {"kind": "email", "address": "a@example.org\r\nBcc: b@example.org"},
        {"kind": "email", "address": "a@example.org", "secret_env": "OFFICE_KEY"},
        {"kind": "file", "address": "findings.jsonl"},
        {"kind": "file", "address": "/var/log/"},
        {"kind": "pigeon", "address": "/roof"},
        {"kind": "file"},
    ],
)
def test_a_channel_that_cannot_work_is_refused(values: dict[str, Any]) -> None:
    assert "notify.channels.office" in refusal(channel(**values)) or "channel office" in refusal(channel(**values))


@pytest.mark.parametrize(
    "values",
    [
        {**HOOK, "address": "https://user:canary@hooks.example.org/"},
        {**HOOK, "address": "https://canary@hooks.example.org/"},
        {**HOOK, "address": "https://hooks.example.org/?token=canary"},
        {**HOOK, "address": "https://hooks.example.org/#canary"},
        {**HOOK, "secret_env": "whsec_canary"},
        {**HOOK, "secret": "canary"},
        {"kind": "email", "address": "canary canary@example.org"},
    ],
)
def test_a_secret_is_refused_and_never_repeated(values: dict[str, Any]) -> None:
    assert "canary" not in refusal(channel(**values))


@pytest.mark.parametrize("name", ["Office", "my office", "a\nb", "", "-a"])
def test_the_name_of_a_channel_is_plain(name: str) -> None:
    assert "notify.channels." in refusal({"notify": {"channels": {name: HOOK}}})


def test_plain_http_goes_only_to_hosts_that_are_named() -> None:
    inside = {**HOOK, "address": "http://Hooks.intern:8080/a"}
    data = channel(**inside)
    assert "allow_private" in refusal(data)
    data["notify"]["allow_private"] = ["HOOKS.intern."]
    assert parse_policy(data).notify.allow_private == ("hooks.intern",)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"network": {"max_share_below_k": 0}}, {"network": {"max_share_below_k": 0.0}}),
        (
            {"table": {"answers": ["simulate", "refuse", "release", "refuse"]}},
            {"table": {"answers": ["release", "refuse", "simulate"]}},
        ),
        (
            {"table": {"sensitive": "named", "named": {"ill": ["b", "a", "b"]}}},
            {"table": {"sensitive": "named", "named": {"ill": ["a", "b"]}}},
        ),
        ({"roles": {"approve": ["administrator", "officer"]}}, {"roles": {"approve": ["officer", "administrator"]}}),
        ({"notify": {"allow_private": ["b", "a", "A"]}}, {"notify": {"allow_private": ["a", "b"]}}),
        ({}, {"exports": {"approval": "none"}, "roles": {}, "notify": {"channels": {}}}),
    ],
)
def test_what_means_the_same_has_the_same_digest(one: dict[str, Any], other: dict[str, Any]) -> None:
    assert parse_policy(one).digest() == parse_policy(other).digest()


def test_a_policy_comes_back_from_its_text() -> None:
    policy = parse_policy(
        {**channel(**HOOK), "preset": "public", "table": {"sensitive": "named", "named": {"i": ["a"]}}}
    )
    assert Policy.model_validate_json(policy.text()) == policy
    assert policy.digest() != Policy().digest()


def test_the_thresholds_of_a_table_are_those_of_the_engine() -> None:
    rules = TablePolicy(sensitive="named", named={"ill": ("a", "b")}, min_width=4).rules()
    assert (rules.named, rules.min_width, rules.sensitive) == ((("ill", "a"), ("ill", "b")), 4, "named")


def test_severities_are_those_of_findings() -> None:
    assert get_args(Severity) == get_args(finding.Severity)


def test_a_file_with_every_section_is_read(tmp_path: Path) -> None:
    path = tmp_path / "policy.toml"
    path.write_text(
        """
preset = "research"
[network]
k = 7
[exports]
reverify_after_days = 365
[roles]
see_proposals = ["requester", "officer"]
[notify]
allow_private = ["hooks.intern"]
[notify.channels.office]
kind = "email"
address = "officer@example.org"
min_severity = "violation"
[notify.channels.collector]
kind = "webhook"
address_env = "COLLECTOR_URL"
secret_env = "COLLECTOR_KEY"
events = ["finding-gone", "finding-new"]
""",
        encoding="utf-8",
    )
    policy = load_policy(path)
    assert (policy.network.k, policy.table.threshold, policy.exports.approval) == (7, 5, "second-person")
    assert policy.notify.channels["collector"].events == ("finding-new", "finding-gone")


def test_a_stored_policy_with_an_old_name_opens() -> None:
    kept = Policy().text().replace('"refusals":"plain"', '"refusals":"simulatable"')
    assert stored_policy(kept) == parse_policy({"table": {"refusals": "sampled"}})
    assert stored_policy(Policy().text()) == Policy()
    # what a version before the key was there kept
    assert stored_policy('{"table":{"refusals":"simulatable"}}').table.refusals == "sampled"
    with pytest.raises(PolicyError, match="policy of a schedule: unknown key 'tabel'"):
        stored_policy('{"tabel":{}}', "policy of a schedule")
