"""What the page about a released file shows to everybody.

It is made from the released file and its manifest alone, so that nothing of the original gets onto it. Information loss
and linkage are left out with the rest: beside the means, the loss of two or three groups can tell the values in them.
"""

import shlex
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

_RELEASED: Series = ("after", "this file")


def public_page(report: ReleaseReport) -> dict[str, Any]:
    """Return what the public template shows; the released file is read again.

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
    file, claim = published.files[0], claim_of(manifest.claim)
    values = read_published(file, claim)
    sizes = np.bincount(value_groups(values))
    shown = measured_attributes(claim, values)
    found = [histogram(claim.attributes[place], values[:, place], values[:, place]) for place in shown]
    charts = [group_sizes_chart(sizes, claim.k)]
    return {
        "file": file.name,
        "quoted_file": shlex.quote(file.name),
        "quoted_attributes": shlex.quote(",".join(claim.attributes)),
        "files": manifest.files,
        "check_lines": check_lines(manifest.files),
        "export": manifest.export,
        "verified_at": manifest.created_at,
        "version": __version__,
        "claim": claim,
        "checks": manifest.verification.checks,
        "verdict": Verdict(
            True,
            f"Every record shares the aggregated values with {_others(claim.k)}",
            ("The file was read back and checked after it was written.",),
        ),
        "meaning": meaning_of_groups(claim.k),
        "groups": int(sizes.size),
        "smallest_group": int(sizes.min()),
        "charts": charts,
        "distributions": [
            distribution_chart(one.attribute, one.borders, [(_RELEASED, one.after)], place=place, least=claim.k)
            for place, one in enumerate(found[:MOST_PICTURES])
        ],
    }


def _others(k: int) -> str:
    return "at least one other" if k == 2 else f"at least {count(k - 1)} others"
