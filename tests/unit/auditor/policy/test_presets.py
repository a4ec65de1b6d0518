"""Presets: no number without a source, and from lax to strict."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from auditor.core.errors import PolicyError
from auditor.policy import PRESETS, SOURCES, Policy, key_of, known_keys, parse_policy, preset_policy
from auditor.policy.meaning import direction_of


@pytest.mark.parametrize("name", PRESETS)
def test_every_choice_has_a_reason_and_a_source(name: str) -> None:
    for key, choice in PRESETS[name].choices.items():
        assert key_of(key) is not None, key
        assert choice.reason
        assert choice.sources, key
        assert set(choice.sources) <= set(SOURCES), key


def test_every_source_is_used_and_exists() -> None:
    used = {source for preset in PRESETS.values() for choice in preset.choices.values() for source in choice.sources}
    used |= {source for key in known_keys() for source in key.meaning.sources}
    assert used <= set(SOURCES)
    unused = set(SOURCES) - used
    # told of in what is said about practice
    assert unused <= {"ons-ls"}


def test_presets_go_from_lax_to_strict() -> None:
    for lax, strict in pairwise(PRESETS.values()):
        for key, choice in lax.choices.items():
            meaning = key_of(key).meaning  # type: ignore[union-attr]
            assert key in strict.choices
            assert direction_of(meaning, choice.value, strict.choices[key].value) in (None, "stricter"), key


@pytest.mark.parametrize("name", PRESETS)
def test_what_a_preset_does_not_set_has_its_default(name: str) -> None:
    policy, default = preset_policy(name).model_dump(), Policy().model_dump()
    for section, values in default.items():
        for key, value in values.items():
            if f"{section}.{key}" not in PRESETS[name].choices:
                assert policy[section][key] == value


def test_a_file_overrules_its_preset_key_by_key() -> None:
    policy = parse_policy({"preset": "public", "table": {"group_disclosure": False}, "roles": {}})
    expected = preset_policy("public").model_dump()
    expected["table"]["group_disclosure"] = False
    assert policy.model_dump() == expected


def test_a_preset_is_part_of_the_digest() -> None:
    assert len({Policy().digest(), *(preset_policy(name).digest() for name in PRESETS)}) == len(PRESETS) + 1
    written_out = parse_policy(PRESETS["public"].values())
    assert written_out.digest() == parse_policy({"preset": "public"}).digest() == preset_policy("public").digest()


@pytest.mark.parametrize(("preset", "message"), [("publik", "'public'"), ("x", "known: internal"), (3, "in quotes")])
def test_an_unknown_preset_is_refused(preset: Any, message: str) -> None:
    with pytest.raises(PolicyError, match=message):
        parse_policy({"preset": preset})
