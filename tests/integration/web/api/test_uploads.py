"""Files that are made to take all there is: read in a process of their own, within limits, and refused in a line."""

from __future__ import annotations

import bz2
import gzip
import io
import multiprocessing
import os
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from auditor.config import EdgeTableSettings, Settings
from auditor.core.errors import AuditorError, BadFile
from auditor.core.zstd import zstd
from auditor.formats.compression import COMPRESSION_SUFFIXES
from auditor.formats.networks.registry import known_formats
from auditor.formats.tables import TableOptions
from auditor.store import Store
from auditor.web import parsing
from auditor.web.parsing import ParseLimits, parsed_network, parsed_table
from auditor.web.service import Limits
from tests.support.web_service import NETWORK, SURVEY, ServedStore, served

SMALL = ParseLimits(unpacked=1 << 20)
LONG = b"1,2\n" * (1 << 19)


def npz() -> bytes:
    stream = io.BytesIO()
    np.savez_compressed(stream, edges=np.zeros((1 << 18, 2), dtype=np.int64), n=1)
    return stream.getvalue()


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("n.csv.gz", gzip.compress(LONG)),
        ("n.csv.bz2", bz2.compress(LONG)),
        ("n.csv.zst", zstd.compress(LONG)),
        ("n.npz", npz()),
        ("t.csv.gz", gzip.compress(b"a,count\n" + b"x,1\n" * (1 << 19))),
    ],
)
def test_what_grows_past_the_limit_is_refused(tmp_path: Path, name: str, content: bytes) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(BadFile):
        _read(path, SMALL)
    assert multiprocessing.active_children() == []


def test_what_fits_is_read(tmp_path: Path) -> None:
    for name, content in (("n.csv.gz", gzip.compress(NETWORK)), ("t.csv", SURVEY)):
        (tmp_path / name).write_bytes(content)
        _read(tmp_path / name, SMALL)
    assert multiprocessing.active_children() == []


def test_what_takes_too_long_is_ended(tmp_path: Path) -> None:
    (tmp_path / "n.csv").write_bytes(LONG)
    with pytest.raises(BadFile, match="longer than"):
        parsed_network(tmp_path / "n.csv", ParseLimits(seconds=0.01))
    assert multiprocessing.active_children() == []


def _takes_memory(path: Path) -> None:
    held = [bytes(1 << 20) for _ in range(1 << 20)]
    raise AssertionError(f"{len(held)} MB were there")


def _is_killed(path: Path) -> None:
    os.abort()


def _breaks(path: Path) -> None:
    raise ValueError("the count of the cell is 4711")


@pytest.mark.parametrize("read", [_takes_memory, _is_killed])
def test_what_takes_too_much_memory_ends_its_process_alone(tmp_path: Path, read: object) -> None:
    with pytest.raises(BadFile, match="more than 256 MB"):
        parsing._parsed(read, tmp_path / "x", ParseLimits(memory=256 << 20))  # type: ignore[arg-type]


def test_what_goes_wrong_in_it_is_told_by_its_class_alone(tmp_path: Path) -> None:
    with pytest.raises(AuditorError, match=r"internal error \(ValueError\)"):
        parsing._parsed(_breaks, tmp_path / "x", ParseLimits())


def _read(path: Path, limits: ParseLimits) -> None:
    if path.name.startswith("n"):
        parsed_network(path, limits)
    else:
        parsed_table(path, TableOptions(), EdgeTableSettings(), limits)


def test_what_unpacks_to_too_much_is_refused_before_it_is_understood(tmp_path: Path) -> None:
    path = tmp_path / "n.csv.gz"
    # a reader would refuse the first line
    path.write_bytes(gzip.compress(b"\0" + LONG))
    with pytest.raises(BadFile, match="holds more than 1 MB when decompressed"):
        parsed_network(path, SMALL)


@pytest.mark.neo4j
def test_the_service_refuses_a_bomb_and_goes_on(store: Store, neo4j_settings: Settings, tmp_path: Path) -> None:
    site: ServedStore = served(store, neo4j_settings, tmp_path, limits=Limits(parsing=SMALL))
    client = site.client("officer")
    for kind, name in (("networks", "n.csv.gz"), ("tables", "t.csv.gz")):
        content = gzip.compress(LONG if kind == "networks" else b"a,count\n" + b"x,1\n" * (1 << 19))
        answer = client.post(f"/api/v1/{kind}", data={"name": "bomb"}, files={"file": (name, content)})
        assert answer.status_code == 422
        assert answer.json()["detail"] == f"{name} holds more than 1 MB when decompressed; that is too much here"
    site.add_data()


def test_a_file_that_may_hold_no_network_is_told_of(site: ServedStore) -> None:
    # ids and names: every vertex has one edge
    people = "\n".join(["id,name", *(f"{number},name{number}" for number in range(30)), ""]).encode()
    answer = site.client("officer").post(
        "/api/v1/networks", data={"name": "people"}, files={"file": ("people.csv", people)}
    )
    assert answer.status_code == 201
    (warning,) = answer.json()["warnings"]
    assert "every vertex has one edge at most" in warning
    ties = site.client("officer").post("/api/v1/networks", data={"name": "ties"}, files={"file": ("ties.csv", NETWORK)})
    assert ties.json()["warnings"] == []
    stored = sent_by_form(site, "more", ("people.csv", people))
    assert stored.status_code == 201
    assert "the file may not hold a network" in stored.text
    assert "Every vertex has one edge at most" in stored.text


def test_the_page_says_what_of_a_network_was_dropped_as_the_command_line_does(site: ServedStore) -> None:
    ties = b"source,target,<b>weight\na,b,1\nb,a,2\na,b,3\nc,c,4\nb,c,5\n"
    stored = sent_by_form(site, "more", ("ties.csv", ties))
    assert stored.status_code == 201
    assert "It is stored." in stored.text
    for remark in (
        "Read as csv: edges from columns source and target, separated by commas, below a header line; "
        "3 vertices, 2 edges.",
        "Dropped 1 loop.",
        "Dropped 1 repeated edge.",
        "Dropped 1 edge given in both directions: a tie has no direction here",
        "Column &lt;b&gt;weight is not used and not published",
    ):
        assert remark in stored.text.replace("<wbr>", "")
    # it is not kept
    assert "Dropped" not in site.logged_in("officer").get("/networks/more").text
    answer = site.client("officer").post("/api/v1/networks", data={"name": "ties"}, files={"file": ("ties.csv", ties)})
    assert "dropped 1 loop" in answer.json()["remarks"]


def test_the_form_says_which_files_it_takes(site: ServedStore) -> None:
    shown = site.logged_in("officer").get("/networks").text
    assert all(suffix in shown for info in known_formats() for suffix in info.suffixes)
    assert all(suffix in shown for suffix in COMPRESSION_SUFFIXES)


def test_a_directed_network_is_stored_once_its_directions_may_be_forgotten(site: ServedStore) -> None:
    directed = ("x.net", b"*Vertices 2\n*Arcs\n1 2\n")
    refused = sent_by_form(site, "directed", directed)
    assert refused.status_code == 422
    assert "&#39;Forget directions&#39; on the page" in refused.text
    stored = sent_by_form(site, "directed", directed, symmetrize="true")
    assert stored.status_code == 201
    assert "Directions of edges were forgotten." in stored.text
    # what was entered is there again
    again = sent_by_form(site, "directed", directed, symmetrize="true")
    assert again.status_code == 409
    assert 'name="symmetrize" value="true" checked' in again.text
    officer = site.client("officer")
    for more, status in (({}, 422), ({"symmetrize": "true"}, 201)):
        answer = officer.post("/api/v1/networks", data={"name": "by-api", **more}, files={"file": directed})
        assert answer.status_code == status


def test_the_page_of_a_new_table_says_once_how_its_file_was_read(site: ServedStore) -> None:
    clinic = b"district,<b>sex,patients\nN,f,5\nN,m,6\nS,f,7\nS,m,2\nW,f,1\nW,m,9\n"
    stored = sent_by_form(site, "clinic", ("clinic.csv", clinic), kind="tables")
    assert stored.status_code == 201
    assert "It is stored." in stored.text
    assert "How the file was read" in stored.text
    said = "Column patients was read as the counts; if every row is a person, say --records (&#39;a person&#39;"
    assert said in stored.text.replace("<wbr>", "")
    assert "How the file was read" not in site.logged_in("officer").get("/tables/clinic").text
    # what the store makes of it: a second name, and a name with other data
    again = sent_by_form(site, "again", ("t.csv", clinic), kind="tables").text
    assert "The store had the same data before: its releases still count." in again
    assert "has the same respondents: releases of either count for both." in again
    other = ("t.csv", clinic.replace(b"9", b"8"))
    refused = sent_by_form(site, "clinic", other, kind="tables")
    assert (refused.status_code, "add --new-version (&#39;New version&#39; on the page)" in refused.text) == (409, True)
    never = sent_by_form(site, "never", other, kind="tables", new_version="true")
    assert "leave out --new-version (&#39;New version&#39; on the page)" in never.text
    later = sent_by_form(site, "clinic", other, kind="tables", new_version="true")
    assert "This is version 2 of the data: releases of earlier ones still count." in later.text


def test_the_api_says_how_the_file_of_a_table_was_read(site: ServedStore) -> None:
    officer = site.client("officer")
    clinic = b"district,sex,simulated_count\nN,f,5\nN,m,6\n"
    added = officer.post("/api/v1/tables", data={"name": "clinic"}, files={"file": ("clinic.csv", clinic)})
    said = "clinic.csv holds the counts of a simulated table (column simulated_count), not of people"
    assert added.json()["remarks"] == [said]
    site.add_data()
    other = SURVEY.replace(b"12", b"11")
    alike = officer.post("/api/v1/tables", data={"name": "alike"}, files={"file": ("alike.csv", other)})
    (asked,) = alike.json()["remarks"]
    assert asked.startswith("the table 'survey' has nearly the same counts by")


def test_a_table_of_which_there_is_nothing_to_say_has_a_page_that_can_be_loaded_again(site: ServedStore) -> None:
    stored = sent_by_form(site, "plain", ("t.csv", b"a,count\nx,3\ny,4\n"), kind="tables")
    assert (stored.status_code, stored.headers["Location"]) == (303, "/tables/plain?said=added")


def test_column_names_that_were_read_as_an_edge_can_be_named_on_the_page(site: ServedStore) -> None:
    said = "name them source and target or say --header"
    assert said in sent_by_form(site, "more", ("ties.csv", b"one,other\na,b\nb,c\na,c\n")).text
    assert said not in sent_by_form(site, "titled", ("ties.csv", b"source,target\na,b\nb,c\na,c\n")).text


def sent_by_form(site: ServedStore, name: str, file: tuple[str, bytes], *, kind: str = "networks", **more: str) -> Any:
    """Return the answer after a file was sent by the form of its kind."""
    browser = site.logged_in("officer")
    csrf = re.search(r'name="csrf" value="([^"]+)"', browser.get(f"/{kind}").text)
    assert csrf is not None
    return browser.post(f"/{kind}", data={"name": name, "csrf": csrf[1], **more}, files={"file": file})
