"""Verify an exported ledger of disclosure-auditor with nothing but Python: this file alone can be handed over.

    python3 ledger_verifier.py LEDGER [--checkpoint FILE]... [--public-key FILE]... [--noted ENTRIES HEAD]...
    python3 ledger_verifier.py [LEDGER] --report FILE [--public-key FILE]...

Every entry must give its own hash and hold the one of the entry before. A checkpoint counts if one of the public keys
(PEM, Ed25519) has signed it; without one, or a head that was noted, a cut end or a chain written anew is not seen.
What the ledger was compared with is printed. That an entry is earlier than the one before it is a note and no fault:
the clock of the machine was set back.
A report on a month (JSON, or a page) must be signed by one of the public keys, letter for letter. With a ledger, every
entry that it names must be there, and what it says of entries, approvals, waivers and audits must follow from them.
Exit codes: 0 the ledger is what it was; 1 it is not, or a checkpoint is not what was signed; 2 something is unreadable,
holds no checkpoint, or a key is given without one.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import json
import re
import sys
from collections import Counter
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

_FIELDS = {"seq", "at", "actor", "kind", "subject", "payload", "previous", "hash"}
_SIGNED = {"at", "entries", "format", "head", "key", "ledger", "version"}
_SHOWN = 20
_REPORT = "disclosure-auditor month-end report"
_PAGE = '<script type="application/json" id="signed-report">', "</script>"
_ENDS = {"approved", "rejected", "withdrawn", "overtaken", "implied", "returned", "approved_as_agreed"}
_VIEWS = {"findings_shown", "review_shown", "labels_shown", "degrees_shown", "picture_shown", "records_shown"}
_VIEWS.update({"table_bounds", "table_frontier"})
_TOLD = ("waiver", "rule", "reason", "until"), ("approval", "asked_by", "kind", "reason", "agreed_by")
_Map = dict[str, Any]
_FORMAT = "disclosure-auditor ledger checkpoint"
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", re.ASCII)

# Ed25519, RFC 8032: the prime, the order of the base point, the curve's constant, a root of -1, the base point
_P = 2**255 - 19
_L = 2**252 + 27742317777372353535851937790883648493
_D, _ROOT = -121665 * pow(121666, -1, _P) % _P, pow(2, (_P - 1) // 4, _P)


def _add(a: tuple[int, ...], b: tuple[int, ...]) -> tuple[int, ...]:
    low, high = (a[1] - a[0]) * (b[1] - b[0]) % _P, (a[1] + a[0]) * (b[1] + b[0]) % _P
    cross, depth = 2 * a[3] * b[3] * _D % _P, 2 * a[2] * b[2] % _P
    e, f, g, h = high - low, depth - cross, depth + cross, high + low
    return e * f % _P, g * h % _P, f * g % _P, e * h % _P


def _times(number: int, point: tuple[int, ...]) -> tuple[int, ...]:
    total: tuple[int, ...] = (0, 1, 1, 0)
    for bit in f"{number:b}":
        total = _add(_add(total, total), point) if bit == "1" else _add(total, total)
    return total


def _point(data: bytes) -> tuple[int, ...]:
    sign, y = divmod(int.from_bytes(data, "little"), 1 << 255)
    square = (y * y - 1) * pow(_D * y * y + 1, -1, _P) % _P
    x = pow(square, (_P + 3) // 8, _P)
    x = x if x * x % _P == square else x * _ROOT % _P
    if y >= _P or x * x % _P != square or (x == 0 and sign):
        raise ValueError("not a point of the curve")
    return (x, y, 1, x * y % _P) if x & 1 == sign else (_P - x, y, 1, (_P - x) * y % _P)


_BASE = _point((4 * pow(5, -1, _P) % _P).to_bytes(32, "little"))


def is_signed(key: bytes, signature: bytes, text: bytes) -> bool:
    """Whether the key with these 32 bytes has signed a text."""
    number = int.from_bytes(signature[32:], "little")
    if len(signature) != 64 or number >= _L:
        return False
    try:
        nonce, public = _point(signature[:32]), _point(key)
    except ValueError:
        return False
    challenge = int.from_bytes(hashlib.sha512(signature[:32] + key + text).digest(), "little") % _L
    left, right = _times(number, _BASE), _add(nonce, _times(challenge, public))
    return not any((left[i] * right[2] - right[i] * left[2]) % _P for i in (0, 1))


def read_public_key(pem: str) -> bytes:
    """Return the 32 bytes of a public Ed25519 key; ValueError if it is none."""
    found = re.fullmatch(r"\s*-----BEGIN PUBLIC KEY-----(.*)-----END PUBLIC KEY-----\s*", pem, re.DOTALL)
    der = base64.b64decode("".join(found[1].split()), validate=True) if found else b""
    if len(der) != 44 or der[:12].hex() != "302a300506032b6570032100":
        raise ValueError("not a public Ed25519 key")
    return der[12:]


def _canonical(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def verify_lines(lines: list[str], kept: list[tuple[str, int, str]], notes: list[str] | None = None) -> list[str]:
    """Return what is wrong with a ledger, in words; `kept` elsewhere was: who says so, position, hash of an entry."""
    wrong, hashes, last, last_hash, sound, last_at = [], {}, 0, "0" * 64, True, ""
    notes = [] if notes is None else notes
    for number, line in enumerate(lines, start=1):
        try:
            entry = json.loads(line)
            whole, fields = _canonical(entry), set(entry)
            seq, bears = entry["seq"], entry.pop("hash")
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            fields = set()
        if fields != _FIELDS or type(seq) is not int:
            raise ValueError(f"line {number} is no entry of a ledger")
        content = _canonical(entry).encode("utf-8", "surrogatepass")
        was_sound, sound = sound, whole == line and hashlib.sha256(content).hexdigest() == bears
        if not sound:
            wrong.append(f"entry {seq}: edited, its content does not give its hash")
        if seq <= last:
            wrong.append(f"entry {seq}: there twice, or out of order (line {number})")
            continue
        if seq > last + 1:
            wrong.append(f"entry {last + 1}: missing" + (f", and so are those up to {seq - 1}" * (seq > last + 2)))
        elif sound and was_sound and entry["previous"] != last_hash:
            wrong.append(f"entry {seq}: does not continue the entry before it, one of them was exchanged")
        hashes[seq], last, last_hash, at = bears, seq, bears, str(entry["at"])
        if at < last_at and _TIME.fullmatch(at) and _TIME.fullmatch(last_at) and len(notes) < _SHOWN:
            notes.append(f"note: entry {seq} ({at}) is earlier than the one before it ({last_at})")
        last_at = at
    for origin, seq, value in sorted(kept, key=lambda item: item[1]):
        if hashes.get(seq) != value:
            what = "is not the one that was kept" if seq in hashes else f"is missing, the ledger ends at {last}"
            return [*wrong, f"entry {seq}: {what} ({origin}); the ledger was rewritten or cut at or before it"]
        notes.append(f"compared: entry {seq} is the one of {origin}")
    return wrong


def read_report(text: str, keys: dict[str, bytes], origin: str) -> tuple[dict[str, Any], list[str]]:
    """Return what a signed report says, and what is wrong with its signature; ValueError if it is no report."""
    page, line = None, text.removesuffix("\n")
    if text.lstrip().startswith("<"):
        before, opening, rest = text.partition(_PAGE[0])
        line, closing, after = rest.partition(_PAGE[1])
        page = hashlib.sha256((before + opening + closing + after).encode("utf-8", "surrogatepass")).hexdigest()
    try:
        values = json.loads(line)
        whole = _canonical(values)
        if page is not None:
            whole = whole.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
        signature = base64.b64decode(values.pop("signature"), validate=True)
        key, report, kind, version = (values[name] for name in ("key", "report", "format", "version"))
        if (kind, version, type(report), type(key)) != (_REPORT, 1, dict, str):
            raise ValueError("another format")
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise ValueError(f"{origin} is no signed report of this program, or one of a newer version") from None
    if key not in keys:
        return report, [f"{origin}: signed by another key ({key[:8]}) than the public ones given"]
    if whole != line or not is_signed(keys[key], signature, _canonical(values).encode("utf-8", "surrogatepass")):
        return report, [f"{origin}: not what was signed: the signature does not fit"]
    if values.get("page") != page:
        return report, [f"{origin}: the page was changed after it was signed"]
    return report, []


def anchors_of_report(report: dict[str, Any], origin: str) -> list[tuple[str, int, str]]:
    """Return the entries whose hashes a report names: who says so, position, hash."""
    ledger = report["ledger"]
    places = [place for place in (ledger["first"], ledger["last"], ledger["head"]) if place and place["entry"]]
    return [(origin, 1, ledger["ledger"])] * bool(places) + [(origin, one["entry"], one["hash"]) for one in places]


def derived_rows(report: _Map, known: list[_Map]) -> dict[str, list[_Map]]:
    """Return the rows of a report that follow from the entries up to its head, each with the keys that do."""
    since, until, as_of = (report["period"][name] for name in ("since", "until", "as_of"))
    rows: dict[str, list[_Map]] = {name: [] for name in ("decided", "failed_audits", "waivers_given")}
    waiting: _Map = {}
    waivers: _Map = {}
    for entry in [entry for entry in known if entry["at"] < until]:
        kind, payload, about = entry["kind"], entry["payload"], entry["payload"].get("approval")
        row = {"entry": entry["seq"], "at": entry["at"], "subject": entry["subject"] or "", "actor": entry["actor"]}
        told = {name: str(payload.get(name, "")) for name in _TOLD[kind in _ENDS]}
        here = rows if entry["at"] >= since else {name: [] for name in rows}
        if kind in _ENDS:
            waiting.pop(about, None)
            here["decided"].append({**row, **told, "decision": kind})
        elif kind in ("waiver", "waiver_revoked"):
            here["waivers_given"].append({**row, **told, "revoked": kind == "waiver_revoked"})
            ends = {"id": told["waiver"], "rule": told["rule"], "ends": told["until"] * (kind == "waiver")}
            waivers[told["waiver"]] = {**ends, "subject": row["subject"], "actor": row["actor"]}
        elif kind == "audit" and payload.get("verdict") != "passed":
            failed = {"verdict": payload.get("verdict", ""), "rules": payload.get("violated", [])}
            here["failed_audits"].append({**row, **failed})
        elif kind == "approval_wanted":
            waiting[about] = {"id": about, "subject": row["subject"], "asked_by": row["actor"], "by": payload["by"]}
        elif kind == "taken_over" and about in waiting:
            # whether it was for the earlier requester, who may spell the name in two ways, is not derived
            waiting[about] = {"id": about, "subject": row["subject"], "asked_by": row["actor"]}
    soon = datetime.fromisoformat(as_of[:-1]) + timedelta(days=30)
    ending = [one for one in waivers.values() if as_of < one["ends"] <= soon.isoformat(timespec="microseconds") + "Z"]
    return {**rows, "waiting": [*waiting.values()], "waivers_ending": ending}


def check_report(report: _Map, lines: list[str], origin: str) -> list[str]:
    """Return what a report says that does not follow from a ledger whose chain was verified, in words."""
    known = [entry for entry in map(json.loads, lines) if entry["seq"] <= report["ledger"]["head"]["entry"]]
    period, wrong = report["period"], []
    inside = {entry["seq"]: entry for entry in known if period["since"] <= entry["at"] < period["until"]}
    counted = Counter(entry["kind"] for entry in inside.values())
    if (counted, len(inside)) != (report["ledger"]["kinds"], report["ledger"]["entries"]):
        wrong.append("the entries of the period are other ones than the report counts")
    if period["as_of"] != min(period["until"], report["made"]["at"]):
        wrong.append("it is not as of the end of its period, or of the time at which it was made")
    sections: dict[str, list[_Map]] = {name: rows for name, rows in report.items() if type(rows) is list}
    for row in [row for rows in sections.values() for row in rows if "entry" in row]:
        entry = inside.get(row["entry"])
        if entry is None or any(row[key] != (entry[key] or "") for key in ("at", "actor", "subject")):
            wrong.append(f"entry {row['entry']} does not say what the report says of it")
    for name, found in derived_rows(report, known).items():
        said = {row.get("entry") or row.get("id"): row for row in report[name]}
        pairs = [(one, said.get(one.get("entry") or one["id"], {})) for one in found]
        if len(pairs) != len(report[name]) or any(row.get(key) != one[key] for one, row in pairs for key in one):
            wrong.append(f"{name} is not what follows from the ledger")
    seen = [entry for entry in inside.values() if entry["kind"] in _VIEWS or entry["payload"].get("explained")]
    views = Counter((entry["actor"], entry["kind"]) for entry in seen)
    if views != {(row["person"], kind): number for row in report["views"] for kind, number in row["kinds"].items()}:
        wrong.append("views is not what follows from the ledger")
    totals: _Map = {name: len(rows) for name, rows in sections.items()}
    totals.update(exports=totals["reverified"], views=sum(views.values()))
    totals["reverified"] = sum(row["times"] > 0 for row in report["reverified"])
    for name, key in ("released", "family"), ("refused", "role"), ("decided", "decision"):
        totals[f"{name}_by_{key}"] = Counter(row[key] or "no token" * (key == "role") for row in report[name])
    totals["decided_by_person"] = Counter(row["actor"] for row in report["decided"])
    totals["refused_by_rule"] = Counter(rule for row in report["refused"] for rule in row["rules"])
    if report["totals"] != totals or sum(row["views"] for row in report["views"]) != totals["views"]:
        wrong.append("the totals are not those of the rows")
    return [f"{origin}: {words}" for words in wrong]


def _read_checkpoints(paths: list[str], keys: dict[str, bytes]) -> tuple[list[tuple[str, int, str]], list[str]]:
    kept, wrong = [], []
    for path in paths:
        lines = list(filter(str.strip, Path(path).read_text(encoding="utf-8").splitlines()))
        if not lines:
            raise ValueError(f"{path} holds no checkpoint of a ledger")
        for line in lines:
            try:
                values = json.loads(line)
                signature = base64.b64decode(values.pop("signature", ""), validate=True)
                entries, key, at, text = (*(values[name] for name in ("entries", "key", "at")), _canonical(values))
                if set(values) != _SIGNED or (values["format"], values["version"], type(entries)) != (_FORMAT, 1, int):
                    raise ValueError("another format")
            except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
                raise ValueError(f"{path} holds what is no checkpoint of a ledger, or one of a newer version") from None
            if key not in keys or not is_signed(keys[key], signature, text.encode()):
                wrong.append(f"{path}: a checkpoint that no public key given has signed")
                continue
            origin = f"{path}, signed {at} with key {key[:8]}"
            kept += [(origin, 1, values["ledger"]), (origin, entries, values["head"])]
    return kept, wrong


def main(arguments: list[str] | None = None) -> int:
    """Verify what the command line names, print what was found, and return the exit code."""
    parser = argparse.ArgumentParser(description="Verify an exported ledger of disclosure-auditor.")
    parser.add_argument("ledger", nargs="?")
    for name in ("--checkpoint", "--public-key", "--report"):
        parser.add_argument(name, action="append", default=[], metavar="FILE")
    parser.add_argument("--noted", nargs=2, action="append", default=[], metavar=("ENTRIES", "HEAD"))
    given = parser.parse_args(arguments)
    notes: list[str] = []
    try:
        if given.public_key and not (given.checkpoint or given.report):
            raise ValueError("--public-key says whose checkpoints count; give --checkpoint too")
        if given.ledger is None and not given.report:
            raise ValueError("name the exported ledger, or a report with --report")
        publics = [read_public_key(Path(path).read_text(encoding="utf-8")) for path in given.public_key]
        keys = {hashlib.sha256(key).hexdigest(): key for key in publics}
        kept, wrong = _read_checkpoints(given.checkpoint, keys)
        kept += [("as noted", int(entries), head) for entries, head in given.noted]
        reports = []
        for path in given.report:
            report, faults = read_report(_read(path), keys, path)
            wrong += faults
            reports += [(path, report)] if not faults else []
            notes += [] if faults else [f"signed: {path}, on {report['period']['name']}"]
        lines: list[str] = []
        if given.ledger is not None:
            lines = _read(given.ledger).replace("\r\n", "\n").removesuffix("\n").split("\n")
            kept += [anchor for path, report in reports for anchor in anchors_of_report(report, path)]
            wrong += verify_lines(lines, kept, notes)
            for path, report in reports if not wrong else []:
                wrong += check_report(report, lines, path)
                notes.append(
                    f"compared: {path} with the ledger; not derived: what was released, refused, verified again"
                )
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        what = "no checkpoint of a ledger, or no report"
        print("cannot be verified:", error if isinstance(error, (OSError, ValueError)) else what)
        return 2
    if given.ledger is None:
        notes.append("compared: with no ledger; give one to see whether the report follows from it")
        print(*notes, *wrong[:_SHOWN], f"report: {'NOT WHAT WAS SIGNED' if wrong else 'as signed'}", sep="\n")
        return 1 if wrong else 0
    if not kept:
        notes.append("compared: with nothing that was kept elsewhere; a cut end, or a chain written anew, is not seen")
    print(*notes, *wrong[:_SHOWN], f"{len(lines)} entries: {'NOT INTACT' if wrong else 'intact'}", sep="\n")
    return 1 if wrong else 0


def _read(path: str) -> str:
    return Path(path).read_bytes().decode("utf-8")


if __name__ == "__main__":
    sys.exit(main())
