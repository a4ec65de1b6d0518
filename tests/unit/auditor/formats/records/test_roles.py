from __future__ import annotations

from pathlib import Path

import pytest

from auditor.core.errors import BadInput, NotFound
from auditor.formats.records.columns import Column
from auditor.formats.records.proposal import propose_roles
from auditor.formats.records.roles import Roles, parse_roles, read_roles


def test_a_file_declares_roles(tmp_path: Path) -> None:
    path = tmp_path / "roles.toml"
    path.write_text('quasi_identifiers = ["age", "sex"]\nweight = "w"\n', encoding="utf-8")
    roles = read_roles(path)
    assert roles == Roles(quasi_identifiers=("age", "sex"), weight="w")
    assert parse_roles(roles.data()) == roles
    assert roles.overruled(weight="v", sensitive=()) == Roles(quasi_identifiers=("age", "sex"), weight="v")
    assert [roles.of(name) for name in ("age", "w", "wage")] == ["quasi-identifier", "weight", "other"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("weigth = 'w'", "unknown key 'weigth'"),
        ("weight = ['w']", "weight must be the name"),
        ("sensitive = 'w'", "sensitive must be a list"),
        (
            "sensitive = ['w']\nweight = 'w'",
            "'w' has two roles, sensitive and weight: a weight is what a record counts",
        ),
        ("sensitive = ['w']\nstratum = 'w'", "'w' has two roles, sensitive and stratum: no protection mixes strata"),
        ("sensitive = ['w']\nquasi_identifiers = ['w']", "quasi-identifier and sensitive: an attacker knows"),
        ("identifiers = ['w']\nhousehold = 'w'", "identifier and household: an identifier is never released"),
        ("left_out = ['w']\nidentifiers = ['w']", "identifier and left out: what is left out"),
        ("sensitive = ['w', 'w']", "'w' is named twice as sensitive; name it once"),
        ("sensitive = [", "not valid TOML"),
    ],
)
def test_roles_that_cannot_be_meant_are_refused(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "roles.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadInput, match=said):
        read_roles(path)


def test_what_is_left_out_is_kept_back_and_names_nobody() -> None:
    roles = Roles(identifiers=("name",), record_key="person", left_out=("shoe",))
    assert roles.kept_back == ("name", "person", "shoe")
    assert (roles.naming, roles.of("shoe")) == (("name", "person"), "left out")


def test_roles_of_columns_that_are_not_there_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="there is no column 'job'; there are 'age'"):
        Roles(sensitive=("job",)).check(["age"])
    with pytest.raises(NotFound):
        read_roles(tmp_path / "no.toml")


def test_a_proposal_goes_by_names_and_types() -> None:
    columns = [Column(*one) for one in (
        ("person_id", "BIGINT"), ("age", "BIGINT"), ("sex", "VARCHAR"), ("hh_id", "BIGINT"), ("weight", "DOUBLE"),
        ("salary", "DOUBLE"), ("height", "DOUBLE"), ("region", "VARCHAR"), ("tags", "VARCHAR[]"),
        ("stratum", "VARCHAR"),
    )]  # fmt: skip
    assert propose_roles(columns) == Roles(
        identifiers=("person_id",), quasi_identifiers=("age", "sex", "region"), sensitive=("salary",), weight="weight",
        household="hh_id", stratum="stratum",
    )  # fmt: skip
