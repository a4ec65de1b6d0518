"""Every method is named where users look for methods."""

from pathlib import Path

import pytest

from graphkit.networks import DEFAULT_METHOD, METHODS

ROOT = Path(__file__).parents[5]


@pytest.mark.parametrize("name", sorted(METHODS))
def test_a_method_is_in_the_help_of_the_command_and_on_the_page(name: str) -> None:
    option = next(
        line for line in (ROOT / "docs/commands.md").read_text(encoding="utf-8").splitlines() if "| `--method`" in line
    )
    assert name in option
    assert f"`{name}`" in (ROOT / "docs/degree-anonymity.md").read_text(encoding="utf-8").replace('"', "`")


def test_the_default_is_a_method_and_names_are_their_keys() -> None:
    assert DEFAULT_METHOD in METHODS
    assert all(method.name == name and method.summary and method.reference for name, method in METHODS.items())
