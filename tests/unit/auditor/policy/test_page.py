"""The page about policies says what the models say."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from auditor.policy import PRESETS, SOURCES, known_keys, parse_policy
from auditor.policy.page import policy_page

DOCS = Path(__file__).resolve().parents[4] / "docs"
PAGE = (DOCS / "policy.md").read_text(encoding="utf-8")


def test_the_page_is_current() -> None:
    assert policy_page() == PAGE, "run 'make docs'"


@pytest.mark.parametrize("key", known_keys(), ids=lambda key: key.name)
def test_every_key_stands_on_the_page(key: object) -> None:
    assert key.asks in PAGE  # type: ignore[attr-defined]
    assert key.name.partition(".")[2].replace("*", "NAME") in PAGE  # type: ignore[attr-defined]


def test_every_preset_and_source_stands_on_the_page() -> None:
    assert all(preset.practice in PAGE for preset in PRESETS.values())
    assert all(source.citation in PAGE for source in SOURCES.values())


def test_the_example_of_the_page_is_a_policy() -> None:
    (example,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    policy = parse_policy(tomllib.loads(example))
    assert (policy.network.k, policy.table.threshold, policy.exports.reverify_after_days) == (5, 10, 365)
    assert set(policy.notify.channels) == {"office", "collector"}
