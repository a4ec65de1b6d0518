"""What the page about a released file shows to everybody.

It is made from the released file and its manifest alone, so that nothing of the original gets onto it. Information loss
and linkage are left out with the rest: beside the means, the loss of two or three groups can tell the values in them.
"""

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np

from auditor import __version__
from auditor.core.errors import Refused
from auditor.exports.manifest import check_lines
from auditor.reports.charts.drawing import Series
from auditor.reports.verdict import Verdict
from auditor.subjects.microdata.charts.distribution import distribution_chart
from auditor.subjects.microdata.charts.group_sizes import group_sizes_chart
from auditor.subjects.microdata.exports.attributes.aggregating import measured_attributes
from auditor.subjects.microdata.exports.claim_record import claim_of
from auditor.subjects.microdata.exports.key import value_groups
from auditor.subjects.microdata.exports.reading_back import read_published
from auditor.subjects.microdata.report.release_page import MOST_PICTURES, ReleaseReport, meaning_of_groups
from graphkit.microdata.utility import histogram
from graphkit.numbers import count
from graphkit.verification import Check

_RELEASED: Series = ("after", "this file")


@dataclass(frozen=True, slots=True, eq=False)
class PublicRelease:
    """A released file, as everybody may know it: of the original it holds nothing."""

    file: Path
    files: Mapping[str, str]
    """SHA-256 of every file by its name."""
    export: str
    checked_at: datetime
    claim: Mapping[str, Any]
    """As the manifest holds it."""
    checks: Sequence[Check]
    not_checked: Sequence[str] = ()
    required_k: int | None = None
    """What a policy asks of it besides its claim; None where nobody asked."""

    @property
    def holds(self) -> bool:
        """Whether its claim is what was asked for."""
        return self.required_k is None or int(self.claim["k"]) >= self.required_k


def public_release(report: ReleaseReport) -> PublicRelease:
    """Return what everybody may know of a version that was just published.

    Raises
    ------
    Refused
        If nothing was written, or it awaits approval.
    """
    published, manifest = report.result.published, report.manifest
    if published is None or manifest is None:
        raise Refused("nothing was written, so there is nothing to say in public")
    if published.approval is not None:
        raise Refused("the release awaits approval: there is nothing to say in public before that")
    return PublicRelease(
        published.files[0],
        manifest.files,
        manifest.export,
        manifest.created_at,
        manifest.claim,
        manifest.verification.checks,
    )


def public_page(release: PublicRelease) -> dict[str, Any]:
    """Return what the public template of groups shows; the released file is read again."""
    claim = claim_of(release.claim)
    values = read_published(release.file, claim)
    sizes = np.bincount(value_groups(values))
    shown = measured_attributes(claim, values)
    found = [histogram(claim.attributes[place], values[:, place], values[:, place]) for place in shown]
    headline = f"Every record shares the aggregated values with {_others(claim.k)}"
    return {
        **common_parts(release, headline),
        "quoted_attributes": shlex.quote(",".join(claim.attributes)),
        "claim": claim,
        "meaning": meaning_of_groups(claim.k),
        "groups": int(sizes.size),
        "smallest_group": int(sizes.min()),
        "charts": [group_sizes_chart(sizes, claim.k)],
        "distributions": [
            distribution_chart(one.attribute, one.borders, [(_RELEASED, one.after)], place=place, least=claim.k)
            for place, one in enumerate(found[:MOST_PICTURES])
        ],
    }


def common_parts(release: PublicRelease, headline: str) -> dict[str, Any]:
    """Return what the public page of any released file shows."""
    sentences = ["The file was read back and checked after it was written."]
    if release.required_k is not None:
        asked = f"policy that was asked for (k = {count(release.required_k)})"
        sentences.append(f"It meets the {asked}." if release.holds else f"It does not meet the {asked}.")
    if not release.holds:
        headline = "This file does not meet the policy"
    return {
        "file": release.file.name,
        "quoted_file": shlex.quote(release.file.name),
        "files": release.files,
        "check_lines": check_lines(dict(release.files)),
        "export": release.export,
        "verified_at": release.checked_at,
        "version": __version__,
        "checks": release.checks,
        "not_checked": release.not_checked,
        "verdict": Verdict(release.holds, headline, tuple(sentences)),
    }


def _others(k: int) -> str:
    return "at least one other" if k == 2 else f"at least {count(k - 1)} others"
