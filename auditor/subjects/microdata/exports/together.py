"""Releases of the same respondents, held together: each one is in the intersection of the groups."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from auditor.config import EdgeTableSettings
from auditor.core.errors import BadFile, Refused
from auditor.core.finding import Finding
from auditor.exports.record import Export
from auditor.exports.repository import Exports
from auditor.store import Store
from auditor.subjects.microdata.exports.claim_record import least_of
from auditor.subjects.microdata.exports.key import read_key
from auditor.subjects.microdata.exports.same_respondents import common_records, read_record_key
from auditor.subjects.microdata.policy import MicrodataPolicy
from auditor.subjects.microdata.port import open_unchanged, present_checksum
from auditor.subjects.microdata.repository import Microdata, MicrodataInfo
from graphkit.arrays import Ints
from graphkit.microdata.risk.together import restricted, shared_sizes
from graphkit.numbers import counted


@dataclass(frozen=True, slots=True)
class Together:
    """What releases of the same respondents disclose together."""

    fewer: int
    """Records that share their groups of all releases with fewer than k records."""
    unknown: tuple[str, ...]
    """Ids of exports of which nobody knows the groups any more, or whose they were."""
    others: int
    """Number of exports that were looked for."""


def check_together(
    store: Store, info: MicrodataInfo, hiding: Ints, k: int, policy: MicrodataPolicy
) -> frozenset[str] | None:
    """Make sure that a release discloses no more together with those that are out.

    Parameters
    ----------
    store : Store
    info : MicrodataInfo
        The records.
    hiding : ndarray of int, shape (n,) or (n, k)
        Among whom every record hides in what is to be published: its group, or candidates of its own.
    k : int
        Among how many.
    policy : MicrodataPolicy

    Returns
    -------
    frozenset of str or None
        Ids of the exports of these records that are out; None where the policy does not ask for any of this.

    Raises
    ------
    Refused
        If records would hide among fewer than `k`, or nobody knows the groups of an export that is out.
    """
    if not policy.audit_together:
        return None
    # before the groups are read: what comes out meanwhile is noticed when the export is recorded
    beside = Exports(store).out_of(f"microdata:{info.name}")
    found = look_together(store, info, hiding, k)
    earlier = counted(found.others, "earlier export", "earlier exports")
    if found.unknown:
        which = counted(len(found.unknown), "earlier export", "earlier exports")
        raise Refused(
            f"nobody knows any more who is in which group of {which} "
            f"({found.unknown[0]}), nor what is disclosed together; publish what is out already instead of another one"
        )
    if found.fewer:
        raise Refused(
            f"together with {earlier} of these respondents, {counted(found.fewer, 'record', 'records')} would share "
            f"their groups with fewer than {k}; publish the same groups again (same attributes, k, method and seed)"
        )
    return beside


def together_finding(
    store: Store, info: MicrodataInfo, export: Export, hiding: Ints, policy: MicrodataPolicy
) -> tuple[Finding, ...]:
    """Return what an export discloses together with all others of its respondents that are out.

    Parameters
    ----------
    store : Store
    info : MicrodataInfo
        The records.
    export : Export
    hiding : ndarray of int, shape (n,) or (n, k)
        Among whom every record hides in it.
    policy : MicrodataPolicy
    """
    if not policy.audit_together:
        return ()
    found = look_together(store, info, hiding, least_of(export), but=export.id)
    others = counted(found.others, "other export", "other exports")
    if found.fewer:
        message = (
            f"together with {others} of these respondents, {counted(found.fewer, 'record', 'records')} share their "
            f"groups with fewer than {least_of(export)}"
        )
        return (Finding("audit_together", "exports", "violation", found.fewer / info.records, 0, message),)
    if found.unknown:
        message = (
            f"nobody knows any more who is in which group of {len(found.unknown)} of {others} of these respondents, "
            "nor what is disclosed together"
        )
        return (Finding("audit_together", "exports", "undecided", len(found.unknown), 0, message),)
    return ()


def state_together(store: Store, export: Export) -> str:
    """Return what an audit of an export depends on beside its files: the original, and what is out of all versions."""
    origin = Exports(store).origin(export)
    if origin is None:
        return "gone"
    microdata = Microdata(store)
    info = microdata.show(origin.name)
    versions = [info, *microdata.versions(info)]
    exports = [other for one in versions for other in Exports(store).list(f"microdata:{one.name}") if other.is_out]
    # the key of another version is read from its file
    files, out = [str(present_checksum(one)) for one in versions], sorted(other.id for other in exports)
    return "+".join((*files, *out, str(sum(other.key_kept for other in exports))))


def look_together(store: Store, info: MicrodataInfo, hiding: Ints, k: int, but: str = "") -> Together:
    """Return what a release discloses together with all exports that are out: of these records, and of other versions.

    Notes
    -----
    Respondents who are in one version only are in no intersection.
    """
    own = _known_groups(store, info, but)
    releases = [hiding, *own.told]
    fewer, unknown, others = _fewer(releases, k), list(own.unknown), own.count
    mine: Sequence[str | None] | None = None
    for version in Microdata(store).versions(info):
        theirs = _known_groups(store, version, but)
        others += theirs.count
        unknown += theirs.unknown
        if not theirs.told:
            continue
        try:
            mine = _record_key(info) if mine is None else mine
            here, there = common_records(mine, _record_key(version))
        except BadFile:
            unknown += theirs.ids
            continue
        common = [restricted(release, here) for release in releases]
        common += [restricted(release, there) for release in theirs.told]
        fewer = max(fewer, _fewer(common, k))
    return Together(fewer, tuple(unknown), others)


@dataclass(frozen=True, slots=True, eq=False)
class _Known:
    told: list[Ints]
    ids: list[str]
    unknown: list[str]

    @property
    def count(self) -> int:
        return len(self.ids) + len(self.unknown)


def _known_groups(store: Store, info: MicrodataInfo, but: str) -> _Known:
    """Return the groups of the exports of records that are out, or about to be."""
    found = _Known([], [], [])
    for export in Exports(store).list(f"microdata:{info.name}"):
        if export.is_out and export.id != but:
            key = read_key(store, export)
            if key is None:
                found.unknown.append(export.id)
            else:
                found.told.append(key.hiding)
                found.ids.append(export.id)
    return found


def _fewer(releases: list[Ints], k: int) -> int:
    # the groups of one release alone are what was verified
    return int(np.count_nonzero(shared_sizes(releases) < k)) if len(releases) > 1 else 0


def _record_key(info: MicrodataInfo) -> Sequence[str | None]:
    with open_unchanged(info, EdgeTableSettings()) as opened:
        return read_record_key(opened, info.declared)
