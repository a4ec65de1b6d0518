"""Files of records at an address: fetched whole, checked, and gone afterwards."""

import hashlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from auditor.core.errors import BadFile, BadInput
from auditor.formats.records.remote import fetched, is_remote, name_at, remote_digest
from tests.support.object_store import ObjectStore, object_store

DATA = b"age,sex\n" + b"".join(b"%d,%d\n" % (age, age % 2) for age in range(20_000))


@pytest.fixture
def objects(monkeypatch: pytest.MonkeyPatch) -> Iterator[ObjectStore]:
    with object_store(monkeypatch) as found:
        found.objects["town/2026/people.csv"] = DATA
        yield found


@pytest.mark.usefixtures("objects")
def test_a_copy_is_that_of_its_owner_and_is_gone_at_the_end(tmp_path: Path) -> None:
    with fetched("s3://town/2026/people.csv", tmp_path) as path:
        assert path.read_bytes() == DATA
        assert path.name == "people.csv"
        assert (path.stat().st_mode & 0o777, path.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    assert list(tmp_path.iterdir()) == []
    assert remote_digest("s3://town/2026/people.csv") == hashlib.sha256(DATA).hexdigest()


@pytest.mark.usefixtures("objects")
@pytest.mark.parametrize(
    ("address", "error", "words"),
    [
        ("s3://town/nobody.csv", BadFile, "there is no file at s3://town/nobody.csv"),
        ("s3:///people.csv", BadInput, "no address of a known file system"),
        ("s3://reader:word@town/people.csv", BadInput, "must not hold credentials"),
        ("s3://[town/people.csv", BadInput, "is not one"),
        ("quark://town/people.csv?word=secret", BadInput, "no address of a known file system"),
        ("s3://town", BadInput, "s3://town"),
    ],
)
def test_what_cannot_be_fetched_is_one_line(tmp_path: Path, address: str, error: type[BadInput], words: str) -> None:
    with pytest.raises(error, match=words.replace("[", r"\[")) as caught, fetched(address, tmp_path):
        pass
    said = str(caught.value)
    assert "\n" not in said
    assert "word@" not in said
    assert "secret" not in said
    assert list(tmp_path.iterdir()) == []


def test_a_server_that_refuses_is_one_line(objects: ObjectStore) -> None:
    objects.forbidden.add("town/2026/people.csv")
    with pytest.raises(BadFile, match="cannot be read; check the address") as caught:
        remote_digest("s3://town/2026/people.csv?region=eu-west-1")
    assert "127.0.0.1" not in str(caught.value)
    assert "region" not in str(caught.value)


@pytest.mark.parametrize("text", ["people.csv", "microdata:people", "./s3/people.csv", "C:/people.csv", "S3"])
def test_paths_and_names_are_no_addresses(text: str) -> None:
    assert not is_remote(text)
    assert not is_remote(Path(text))


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("s3://town/a/b.parquet", "b.parquet"),
        ("s3://town", "records"),
        ("s3://town/", "records"),
        ("s3://town/..", "records"),
        (f"s3://town/{'x' * 300}.csv", "records"),
    ],
)
def test_a_copy_has_the_name_at_the_address_if_it_is_one(address: str, name: str) -> None:
    assert name_at(address) == name
