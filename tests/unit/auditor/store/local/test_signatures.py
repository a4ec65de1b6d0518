"""Jars without their signatures: as long as before, and the same but for these."""

from __future__ import annotations

import zipfile
from pathlib import Path

from auditor.store.local.signatures import remove_signatures

KEPT = {"META-INF/MANIFEST.MF": b"Name: a", "a/B.class": b"META-INF/KEY.SF", "META-INF/services/x.RSA": b"x", "SF": b""}
SIGNATURES = {"META-INF/KEY.SF": b"1", "META-INF/key.rsa": b"2", "META-INF/OTHER.DSA": b"3", "META-INF/E.EC": b"4"}


def _jar(path: Path, entries: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries.items():
            entry = zipfile.ZipInfo(name)
            entry.comment, entry.extra = b"META-INF/KEY.SF", b"\x01\x00\x02\x00ab"
            archive.writestr(entry, content)
    return path


def test_signature_files_get_names_that_mean_nothing_and_all_else_stays(tmp_path: Path) -> None:
    jar = _jar(tmp_path / "a.jar", KEPT | SIGNATURES)
    size = jar.stat().st_size
    remove_signatures(jar)
    assert jar.stat().st_size == size
    with zipfile.ZipFile(jar) as archive:
        assert archive.testzip() is None
        found = {name: archive.read(name) for name in archive.namelist()}
    assert found == KEPT | {f"{name[:-1]}_": content for name, content in SIGNATURES.items()}


def test_a_jar_without_signatures_and_a_file_that_is_none_are_left_alone(tmp_path: Path) -> None:
    jar, other = _jar(tmp_path / "a.jar", KEPT), tmp_path / "b.jar"
    other.write_bytes(b"META-INF/KEY.SF")
    before = jar.read_bytes()
    remove_signatures(jar)
    remove_signatures(other)
    assert (jar.read_bytes(), other.read_bytes()) == (before, b"META-INF/KEY.SF")
