"""Checkpoints: what was signed is told from what was not, and a rewritten chain from the one that was signed."""

from __future__ import annotations

import base64
import json
import shutil
import stat
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from auditor.core.errors import AlreadyExists, BadFile, BadInput, NotFound, Refused
from auditor.ledger.checkpoint import (
    SignedCheckpoint,
    head_anchor,
    parse_checkpoint,
    read_checkpoints,
)
from auditor.ledger.keys import (
    check_signature,
    create_key,
    key_id,
    public_path,
    read_private_key,
    read_public_keys,
    sign_report,
)
from auditor.ledger.verification import Anchor
from tests.support.ledgers import chain_of, check, relinked

AT = "2026-01-02T03:04:05.000000Z"
KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
KEYS = {key_id(KEY.public_key()): KEY.public_key()}
CHAIN = chain_of([{"i": i} for i in range(9)])


def signed(entries: int = 9) -> SignedCheckpoint:
    return sign_report(check(CHAIN[:entries]), KEY, at=AT)


def test_what_is_signed_and_how_is_fixed() -> None:
    made = sign_report(check(chain_of([{}])), KEY, at=AT)
    assert made.checkpoint.text() == (
        '{"at":"2026-01-02T03:04:05.000000Z","entries":1,"format":"disclosure-auditor ledger checkpoint",'
        f'"head":"{made.checkpoint.head}",'
        '"key":"56475aa75463474c0285df5dbf2bcab73da651358839e9b77481b2eab107708c",'
        f'"ledger":"{made.checkpoint.ledger}","version":1}}'
    )
    KEY.public_key().verify(base64.b64decode(made.signature), made.checkpoint.text().encode())
    # Ed25519 has one signature of a text: this one must not change with a version of the library
    assert made.signature == base64.b64encode(KEY.sign(made.checkpoint.text().encode())).decode()


def test_a_checkpoint_is_read_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "several"
    path.write_text("\n".join(signed(n).line() for n in (3, 9)) + "\n\n")
    read = read_checkpoints(path)
    assert [found.checkpoint for found in read] == [signed(3).checkpoint, signed(9).checkpoint]
    assert [found.origin for found in read] == [f"{path}, line 1", f"{path}, line 2"]
    for found in read:
        check_signature(found, KEYS)
    path.write_text(json.dumps(signed().values()))
    assert read_checkpoints(path)[0].origin == str(path)


@settings(max_examples=100)
@given(st.data())
def test_any_change_of_a_checkpoint_is_refused(data: st.DataObject) -> None:
    values = signed().values()
    name = data.draw(st.sampled_from(sorted(values)))
    value = values[name]
    if isinstance(value, int):
        values[name] = data.draw(st.integers(-1, 20).filter(lambda number: number != value))
    else:
        place = data.draw(st.integers(0, len(value) - 1))
        letter = data.draw(st.sampled_from("0a9fZ=+ ").filter(lambda letter: letter != value[place]))
        values[name] = value[:place] + letter + value[place + 1 :]
    with pytest.raises((BadFile, Refused)):
        check_signature(parse_checkpoint(json.dumps(values), "it"), KEYS)


def test_no_signature_and_that_of_another_are_refused() -> None:
    with pytest.raises(Refused, match="is not signed"):
        check_signature(replace(signed(), signature=""), KEYS)
    values = signed().values()
    del values["signature"]
    with pytest.raises(Refused, match="it is not signed"):
        check_signature(parse_checkpoint(json.dumps(values), "it"), KEYS)
    with pytest.raises(Refused, match="another key"):
        check_signature(signed(), {})
    other = Ed25519PrivateKey.generate()
    forged = sign_report(check(CHAIN), other, at=AT)
    with pytest.raises(Refused, match="does not fit"):
        check_signature(replace(forged, checkpoint=signed().checkpoint), KEYS)


@pytest.mark.parametrize(
    "content",
    [b"", b"\n \n", b"{}", b"[]", b"3", b"null", b"{", b"\xff\xfe", b"[" * 100_000, b"9" * 5000],
)
def test_what_is_no_checkpoint_is_one_line(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(content)
    with pytest.raises(BadFile, match="checkpoint of a ledger"):
        read_checkpoints(path)


@pytest.mark.parametrize(
    "change",
    [
        {"version": True},
        {"version": "1"},
        {"entries": 0},
        {"entries": True},
        {"entries": 1.5},
        {"head": "ab"},
        {"head": 3},
        {"at": 5},
        {"more": 1},
        {"format": "x"},
        {"signature": 5},
    ],
)
def test_a_checkpoint_of_another_form_is_refused(change: dict[str, object]) -> None:
    with pytest.raises(BadFile, match=r"^it: not a checkpoint"):
        parse_checkpoint(json.dumps({**signed().values(), **change}), "it")


def test_a_newer_version_is_named() -> None:
    with pytest.raises(BadFile, match="version 2; install a newer"):
        parse_checkpoint(json.dumps({**signed().values(), "version": 2}), "it")


def test_a_missing_file_and_a_folder_are_one_line(tmp_path: Path) -> None:
    for path in (tmp_path / "missing", tmp_path):
        with pytest.raises(BadFile, match="cannot be read"):
            read_checkpoints(path)
        with pytest.raises(BadFile, match="cannot be read"):
            read_public_keys([path])


def test_a_broken_and_an_empty_ledger_are_not_signed() -> None:
    with pytest.raises(Refused, match="not intact"):
        sign_report(check(CHAIN[1:]), KEY, at=AT)
    with pytest.raises(BadInput, match="no entries"):
        sign_report(check([]), KEY, at=AT)


def anchors(*places: int) -> list[Anchor]:
    return [anchor for place in places for anchor in replace(signed(place), origin=f"at {place}").anchors()]


@settings(max_examples=200)
@given(st.integers(1, 12), st.lists(st.integers(1, 12), min_size=1, max_size=4), st.data())
def test_rewriting_from_an_entry_on_is_found_by_every_checkpoint_at_or_after_it(
    start: int, places: list[int], data: st.DataObject
) -> None:
    original = chain_of([{"i": i} for i in range(12)])
    forged = list(original)
    forged[start - 1] = replace(original[start - 1], actor="eve")
    length = data.draw(st.integers(start, 12))
    forged = relinked(forged, start)[:length]
    kept = [
        anchor
        for place in places
        for anchor in replace(sign_report(check(original[:place]), KEY, at=AT), origin=f"at {place}").anchors()
    ]
    report = check(forged, kept, length, forged[-1].hash)
    # the chain by itself is in order
    assert report.faults == ()
    found = report.rewriting
    if start > max(places):
        assert found is None
        return
    assert found is not None
    assert found.first <= start <= found.last
    if start == 1:
        # every checkpoint holds the hash of entry 1
        assert (found.entries, found.first, found.last, found.cut) == (1, 1, 1, False)
        return
    first_after = min(place for place in places if place >= start)
    assert (found.origin, found.entries) == (f"at {first_after}", first_after)
    assert found.cut == (first_after > length)
    assert found.last == min(first_after, length + 1)
    assert found.first == max([1, *(place for place in places if place < start)]) + 1


def test_a_cut_chain_is_found() -> None:
    found = check(CHAIN[:5], anchors(3, 8)).rewriting
    assert found is not None
    assert (found.origin, found.entries, found.first, found.last, found.cut) == ("at 8", 8, 4, 6, True)
    assert "those from 6 on are missing" in found.sentence
    found = check(CHAIN[:5], anchors(5, 8)).rewriting
    assert found is not None
    assert (found.first, found.last) == (6, 6)
    assert found.sentence == (
        "at 8 (2026-01-02 03:04:05 UTC) does not fit: there were 8 entries, and those from 6 on are missing"
    )


def test_a_checkpoint_of_another_ledger_does_not_fit_from_the_first_entry_on() -> None:
    found = check(chain_of([{"other": 1}] * 9), anchors(9)).rewriting
    assert found is not None
    assert (found.entries, found.first, found.last) == (1, 1, 1)


def test_a_head_that_was_written_down_counts_too() -> None:
    assert check(CHAIN, head_anchor(4, CHAIN[3].hash)).intact
    assert not check(CHAIN, head_anchor(4, CHAIN[4].hash)).intact
    assert head_anchor(None, None) == []
    for entries, head in ((4, None), (None, CHAIN[3].hash), (4, "abc")):
        with pytest.raises(BadInput, match="--head"):
            head_anchor(entries, head)


def test_a_key_is_made_once_and_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "audit.key"
    identifier = create_key(path)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["audit.key", "audit.key.pub"]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(public_path(path).stat().st_mode) & 0o600 == 0o600
    assert b"PRIVATE" not in public_path(path).read_bytes()
    keys = read_public_keys([public_path(path)])
    assert list(keys) == [identifier]
    check_signature(sign_report(check(CHAIN), read_private_key(path), at=AT), keys)
    with pytest.raises(AlreadyExists, match="never overwritten"):
        create_key(path)
    path.unlink()
    # the public key of a lost private one is still needed
    with pytest.raises(AlreadyExists, match="never overwritten"):
        create_key(path)
    with pytest.raises(NotFound):
        create_key(tmp_path / "missing" / "key")
    with pytest.raises(BadInput, match="folder"):
        create_key(tmp_path)


def test_what_is_no_private_key_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "key"
    create_key(path)
    with pytest.raises(BadFile, match="no private Ed25519"):
        read_private_key(public_path(path))
    with pytest.raises(BadFile, match="no public Ed25519"):
        read_public_keys([path])
    path.chmod(0o640)
    with pytest.raises(BadInput, match="others may read"):
        read_private_key(path)
    path.chmod(0o600)
    other = ec.generate_private_key(ec.SECP256R1())
    for content, said in (
        (KEY.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(b"x")), "with a password"),
        (other.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()), "no private Ed25519"),
        (b"", "no private Ed25519"),
        (b"\x00\xff" * 9, "no private Ed25519"),
        (b"-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n", "no private Ed25519"),
    ):
        path.write_bytes(content)
        with pytest.raises(BadFile, match=said):
            read_private_key(path)
        with pytest.raises(BadFile, match="no public Ed25519"):
            read_public_keys([path])


@pytest.mark.skipif(shutil.which("openssl") is None, reason="needs the program openssl")
def test_another_program_checks_the_signature(tmp_path: Path) -> None:
    path = tmp_path / "key"
    create_key(path)
    made = sign_report(check(CHAIN), read_private_key(path), at=AT)
    (tmp_path / "text").write_text(made.checkpoint.text())
    (tmp_path / "signature").write_bytes(base64.b64decode(made.signature))
    command = "openssl pkeyutl -verify -pubin -inkey key.pub -rawin -in text -sigfile signature"
    done = subprocess.run(command.split(), cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_what_was_compared_is_told() -> None:
    old, new = (replace(signed(n), origin=f"at {n}") for n in (3, 9))
    known = [*old.anchors(), *new.anchors(), *head_anchor(5, CHAIN[4].hash)]
    whole = check(CHAIN, known)
    assert [(found.origin, found.entries, found.fits) for found in whole.compared] == [
        ("at 3", 3, True),
        ("at 9", 9, True),
        ("the head given", 5, True),
    ]
    assert whole.compared[0].key == key_id(KEY.public_key())
    cut = check(CHAIN[:8], known)
    assert [(found.origin, found.fits) for found in cut.compared] == [
        ("at 3", True),
        ("at 9", False),
        ("the head given", True),
    ]
    assert "signed 2026-01-02 03:04:05 UTC with key 56475aa7: entries 1 to 9 are not" in cut.compared[1].sentence
    assert check(CHAIN).compared == ()


@pytest.mark.parametrize("beside", [b"-----BEGIN", b"x", b"\n# note"])
def test_a_key_file_holds_one_key_and_nothing_else(beside: bytes, tmp_path: Path) -> None:
    create_key(tmp_path / "key")
    create_key(tmp_path / "other")
    for name in ("key", "key.pub"):
        file = tmp_path / name
        content = file.read_bytes()
        read = read_private_key if name == "key" else lambda path: read_public_keys([path])
        other = (tmp_path / name.replace("key", "other")).read_bytes()
        for wrong in (content + beside, content + other, beside + content):
            file.write_bytes(wrong)
            with pytest.raises(BadFile, match="more than one key"):
                read(file)
        file.write_bytes(b"\n" + content + b" \n")
        read(file)


def test_a_file_of_checkpoints_is_read_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The line that is cut off could be the checkpoint that does not fit."""
    path = tmp_path / "several"
    path.write_text(signed(3).line() + "\n" + signed(9).line() + "\n")
    monkeypatch.setattr("auditor.ledger.checkpoint._LARGEST_FILE", len(signed(3).line()) + 1)
    with pytest.raises(BadFile, match="smaller files"):
        read_checkpoints(path)
