"""The verifier that is handed over: one file, Python alone, and it sees what the auditor itself sees."""

from __future__ import annotations

import ast
import base64
import json
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from auditor.approvals.record import APPROVAL_STATES
from auditor.core.errors import BadFile
from auditor.core.kinds import kinds
from auditor.core.ports.happening import LedgerEvent
from auditor.ledger import verifier as ledger_verifier
from auditor.ledger.chain import EntryRecord
from auditor.ledger.file import verify_file
from auditor.ledger.keys import create_key, read_private_key, sign_report
from auditor.ledger.verification import Anchor
from auditor.ledger.verifier import is_signed, main, read_public_key, verify_lines
from auditor.month_end import rows
from tests.support.ledgers import chain_of, check, relinked, timed_chain, write_lines

AT = "2026-01-02T03:04:05.000000Z"
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=5)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)
CHAINS = st.lists(st.dictionaries(TEXTS, VALUES, max_size=3), min_size=1, max_size=6).map(chain_of)


def raw(key: Ed25519PrivateKey) -> bytes:
    return key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)


def lines_of(entries: Sequence[EntryRecord]) -> list[str]:
    return [entry.json_line() for entry in entries]


def test_it_is_one_short_file_of_the_standard_library(tmp_path: Path) -> None:
    source = Path(ledger_verifier.__file__)
    text = source.read_text(encoding="utf-8")
    assert len(text.splitlines()) < 320
    # unions of types in annotations are of Python 3.10
    assert "from __future__ import annotations\n" in text
    assert ast.parse(text, feature_version=(3, 9))
    alone = tmp_path / "alone"
    alone.mkdir()
    shutil.copy(source, alone / "verify.py")
    entries = chain_of([{"i": i} for i in range(5)])
    create_key(tmp_path / "key")
    signed = sign_report(check(entries), read_private_key(tmp_path / "key"), at=AT)
    (tmp_path / "checkpoint").write_text(signed.line() + "\n")
    write_lines(tmp_path / "ledger.jsonl", entries)
    # no folder of this project, no installed package
    command = [sys.executable, "-I", "-S", str(alone / "verify.py"), "ledger.jsonl"]
    command += ["--checkpoint", "checkpoint", "--public-key", "key.pub"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    origin = f"checkpoint, signed {AT} with key {signed.checkpoint.key[:8]}"
    said = [f"compared: entry {seq} is the one of {origin}" for seq in (1, 5)]
    assert (done.returncode, done.stdout.splitlines(), done.stderr) == (0, [*said, "5 entries: intact"], "")
    write_lines(tmp_path / "ledger.jsonl", entries[:4])
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert f"entry 5: is missing, the ledger ends at 4 ({origin})" in done.stdout


@given(CHAINS)
def test_any_ledger_is_intact_as_it_was_exported(entries: list[EntryRecord]) -> None:
    kept = [("noted", entry.seq, entry.hash) for entry in entries]
    assert verify_lines(lines_of(entries), kept) == []


@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(CHAINS, st.data())
def test_it_agrees_with_the_auditor_on_any_damage(
    tmp_path: Path, entries: list[EntryRecord], data: st.DataObject
) -> None:
    """Lines edited, exchanged, removed, moved, repeated, cut, or characters changed: both say the same."""
    lines = lines_of(entries)
    place = data.draw(st.integers(0, len(lines) - 1), "place")
    other = data.draw(st.integers(0, len(lines) - 1), "other")
    what = data.draw(st.sampled_from(["edit", "character", "forge", "remove", "repeat", "swap", "cut", "nothing"]))
    if what == "edit":
        values = json.loads(lines[place])
        name = data.draw(st.sampled_from(sorted(values)))
        values[name] = data.draw(st.sampled_from(["eve", 7, None, {"a": 1}]))
        lines[place] = json.dumps(values, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    elif what == "character":
        at = data.draw(st.integers(0, len(lines[place]) - 1))
        letter = data.draw(st.sampled_from('a0" ,}'))
        lines[place] = lines[place][:at] + letter + lines[place][at + 1 :]
    elif what == "forge":
        forged = replace(entries[place], actor="eve")
        lines[place] = replace(forged, hash=forged.digest()).json_line()
    elif what == "remove":
        del lines[place]
    elif what == "repeat":
        lines.insert(other, lines[place])
    elif what == "swap":
        lines[place], lines[other] = lines[other], lines[place]
    elif what == "cut":
        del lines[place:]
    path = tmp_path / "ledger.jsonl"
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    kept = [("noted", len(entries), entries[-1].hash)]
    try:
        intact = verify_file(path, [Anchor(seq, value, origin) for origin, seq, value in kept]).intact
    except BadFile:
        assert main([str(path)]) == 2
        return
    assert (verify_lines(lines, kept) == []) is intact
    changed = lines != lines_of(entries)
    assert intact is not changed


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda lines: [*lines[:3], lines[3].replace('"ada"', '"eve"'), *lines[4:]], "entry 4: edited"),
        (lambda lines: [*lines[:3], lines[3].replace('"ada"', '"ada" '), *lines[4:]], "entry 4: edited"),
        (lambda lines: lines[:3] + lines[4:], "entry 4: missing"),
        (lambda lines: lines[:3] + lines[6:], "entry 4: missing, and so are those up to 6"),
        (lambda lines: lines[1:], "entry 1: missing"),
        (lambda lines: [*lines[:3], lines[4], lines[3], *lines[5:]], "entry 4: there twice, or out of order (line 5)"),
        (lambda lines: [*lines[:4], lines[3], *lines[4:]], "entry 4: there twice"),
        (lambda lines: lines[:7], "entry 9: is missing, the ledger ends at 7 (noted)"),
    ],
)
def test_the_entry_is_named(damage: object, said: str) -> None:
    entries = chain_of([{"i": i} for i in range(9)])
    found = verify_lines(damage(lines_of(entries)), [("noted", 9, entries[-1].hash)])  # type: ignore[operator]
    assert any(said in line for line in found), found


def test_a_chain_written_anew_is_found_by_what_was_kept() -> None:
    entries = chain_of([{"i": i} for i in range(9)])
    forged = relinked([*entries[:4], replace(entries[4], actor="eve"), *entries[5:]], 5)
    assert verify_lines(lines_of(forged), []) == []
    (found,) = verify_lines(lines_of(forged), [("a", 3, entries[2].hash), ("b", 8, entries[7].hash)])
    assert found == ("entry 8: is not the one that was kept (b); the ledger was rewritten or cut at or before it")


@settings(max_examples=30, deadline=None)
@given(st.binary(min_size=32, max_size=32), st.binary(max_size=40), st.integers(0, 511))
def test_its_signatures_are_those_of_the_library(seed: bytes, text: bytes, bit: int) -> None:
    key = Ed25519PrivateKey.from_private_bytes(seed)
    signature = key.sign(text)
    assert is_signed(raw(key), signature, text)
    assert not is_signed(raw(key), signature, text + b"x")
    flipped = bytearray(signature)
    flipped[bit // 8] ^= 1 << bit % 8
    assert not is_signed(raw(key), bytes(flipped), text)


def test_a_signature_has_one_form() -> None:
    key = Ed25519PrivateKey.from_private_bytes(bytes(32))
    signature = key.sign(b"text")
    number = int.from_bytes(signature[32:], "little") + 2**252 + 27742317777372353535851937790883648493
    assert not is_signed(raw(key), signature[:32] + number.to_bytes(32, "little"), b"text")
    for wrong in (b"", signature[:63], signature + b"x"):
        assert not is_signed(raw(key), wrong, b"text")
    # neither is a point of the curve
    assert not is_signed((2).to_bytes(32, "little"), signature, b"text")
    assert not is_signed(b"\xff" * 32, signature, b"text")


def test_a_vector_of_the_specification() -> None:
    """RFC 8032, 7.1, test 2."""
    key = bytes.fromhex("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c")
    signature = bytes.fromhex(
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
        "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
    )
    assert is_signed(key, signature, b"\x72")


def test_a_checkpoint_that_is_not_signed_counts_for_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    entries = chain_of([{"i": i} for i in range(4)])
    ledger = str(write_lines(tmp_path / "ledger", entries))
    create_key(tmp_path / "key")
    create_key(tmp_path / "other")
    signed = sign_report(check(entries), read_private_key(tmp_path / "key"), at=AT)
    checkpoint = tmp_path / "checkpoint"
    words = [ledger, "--checkpoint", str(checkpoint)]
    checkpoint.write_text(signed.line() + "\n\n" + signed.line() + "\n")
    assert main([*words, "--public-key", str(tmp_path / "key.pub"), "--public-key", str(tmp_path / "other.pub")]) == 0
    for keys in ([], ["--public-key", str(tmp_path / "other.pub")]):
        assert main([*words, *keys]) == 1
    checkpoint.write_text(signed.line().replace(AT, AT.replace("3", "4")))
    assert main([*words, "--public-key", str(tmp_path / "key.pub")]) == 1
    assert "no public key given has signed" in capsys.readouterr().out
    assert main([ledger, "--noted", "4", entries[-1].hash]) == 0
    assert main([ledger, "--noted", "3", entries[-1].hash]) == 1


@pytest.mark.parametrize(
    "content", [b"", b"\n", b"{}\n", b"[]", b"3", b"\xff", b"[" * 100_000, b"9" * 5000, b'{"seq":1}']
)
def test_what_is_no_ledger_is_one_line(content: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "file"
    path.write_bytes(content)
    assert main([str(path)]) == 2
    assert main([str(write_lines(tmp_path / "good", chain_of([{}]))), "--checkpoint", str(path)]) == 2
    assert main([str(tmp_path / "missing")]) == 2
    assert all(line for line in capsys.readouterr().out.splitlines())


@pytest.mark.parametrize("content", ["", "\n", " \n\t\n", "\ufeff", "\x1c\n"])
def test_a_checkpoint_file_without_a_checkpoint_is_no_comparison(
    content: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    entries = chain_of([{"i": i} for i in range(4)])
    ledger = str(write_lines(tmp_path / "ledger", entries))
    create_key(tmp_path / "key")
    key = ["--public-key", str(tmp_path / "key.pub")]
    good, empty = tmp_path / "good", tmp_path / "empty"
    good.write_text(sign_report(check(entries), read_private_key(tmp_path / "key"), at=AT).line())
    empty.write_text(content, encoding="utf-8")
    # alone and beside one that fits, in either order
    for files in ([empty], [good, empty], [empty, good]):
        assert main([ledger, *key, *(word for file in files for word in ("--checkpoint", str(file)))]) == 2
        assert f"{empty} holds" in capsys.readouterr().out
    assert main([ledger, *key, "--checkpoint", str(good)]) == 0
    assert main([ledger, *key]) == 2
    assert "--checkpoint" in capsys.readouterr().out


def test_it_says_that_it_compared_with_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    entries = chain_of([{"i": i} for i in range(4)])
    ledger = str(write_lines(tmp_path / "ledger", entries))
    assert main([ledger]) == 0
    assert "compared: with nothing that was kept elsewhere" in capsys.readouterr().out
    assert main([ledger, "--noted", "4", entries[-1].hash]) == 0
    assert "compared: entry 4 is the one of as noted" in capsys.readouterr().out


@pytest.mark.parametrize("change", [{"format": "x"}, {"version": 2}, {"more": 1}, {"entries": "4"}, {"entries": True}])
def test_another_text_that_the_key_signed_is_no_checkpoint(change: dict[str, object], tmp_path: Path) -> None:
    entries = chain_of([{"i": i} for i in range(4)])
    ledger = str(write_lines(tmp_path / "ledger", entries))
    create_key(tmp_path / "key")
    key = read_private_key(tmp_path / "key")
    values = {**sign_report(check(entries), key, at=AT).values(), **change}
    del values["signature"]
    text = json.dumps(values, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    values["signature"] = base64.b64encode(key.sign(text.encode())).decode()
    (tmp_path / "checkpoint").write_text(json.dumps(values))
    words = [ledger, "--checkpoint", str(tmp_path / "checkpoint"), "--public-key", str(tmp_path / "key.pub")]
    assert main(words) == 2


def test_several_checkpoints_are_all_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    entries = chain_of([{"i": i} for i in range(6)])
    create_key(tmp_path / "key")
    key = read_private_key(tmp_path / "key")
    signed = [sign_report(check(entries[:n]), key, at=AT).line() for n in (2, 4, 6)]
    (tmp_path / "two").write_text("\n".join(signed[:2]))
    (tmp_path / "one").write_text(signed[2])
    forged = relinked([*entries[:4], replace(entries[4], actor="eve"), entries[5]], 5)
    ledger = str(write_lines(tmp_path / "ledger", forged))
    files = ["--checkpoint", str(tmp_path / "one"), "--checkpoint", str(tmp_path / "two")]
    assert main([ledger, *files, "--public-key", str(tmp_path / "key.pub")]) == 1
    out = capsys.readouterr().out
    assert f"compared: entry 4 is the one of {tmp_path / 'two'}" in out
    assert f"entry 6: is not the one that was kept ({tmp_path / 'one'}" in out


def test_an_entry_that_is_earlier_is_a_note(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    entries = timed_chain([5, 7, 6, 8, 8])
    path = write_lines(tmp_path / "ledger", entries)
    assert main([str(path)]) == 0
    assert [line for line in capsys.readouterr().out.splitlines() if line.startswith("note")] == [
        f"note: entry 3 ({entries[2].at}) is earlier than the one before it ({entries[1].at})"
    ]
    report = verify_file(path)
    assert report.intact
    assert [note.seq for note in report.notes] == [3]


def test_what_is_no_public_key_is_refused(tmp_path: Path) -> None:
    create_key(tmp_path / "key")
    assert len(read_public_key((tmp_path / "key.pub").read_text())) == 32
    for text in ("", (tmp_path / "key").read_text(), "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n"):
        with pytest.raises(ValueError, match=r"key|base64|padded"):
            read_public_key(text)


def test_it_knows_every_way_in_which_an_approval_ends() -> None:
    assert rows.DECISIONS == ledger_verifier._ENDS >= {*APPROVAL_STATES} - {"pending"}


def test_it_knows_every_disclosure_view() -> None:
    told = {"answer": "pending", "verdict": "passed", "export": "x"}
    ports = [(kind.load(), name) for kind in kinds() for name in kind.entries]
    views = {
        name for port, name in ports for one in port.happenings(LedgerEvent(name, "", told)) if one.what == "viewed"
    }
    assert views | rows._SHARED_VIEWS == ledger_verifier._VIEWS
