"""A generalized export of a file of records, from the request to the file: read, generalize, draw, publish."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import fsum
from typing import Any

import numpy as np

from auditor.core.origin import Origin
from auditor.exports.destination import Destination
from auditor.exports.publishing import Published, publish_release
from auditor.formats.records.categories import categories_of
from auditor.formats.records.errors import record_errors
from auditor.formats.records.opening import VIEW, OpenRecords
from auditor.formats.records.roles import Roles
from auditor.policy import Policy
from auditor.subjects.microdata.exports.generalized.claim_record import claim_for
from auditor.subjects.microdata.exports.generalized.domains import (
    CodedDomains,
    Domain,
    Generalizing,
    generalized_attributes,
    read_domains,
)
from auditor.subjects.microdata.exports.generalized.domains import coded as coded_values
from auditor.subjects.microdata.exports.generalized.effects import Kept, loss_curve, random_counts, what_is_kept
from auditor.subjects.microdata.exports.generalized.release import GeneralizedRelease
from auditor.subjects.microdata.exports.generalized.reusing import earlier_graph
from auditor.subjects.microdata.exports.generalized.sensitive import (
    Demanding,
    SensitiveValues,
    demands_for,
    read_sensitive,
)
from auditor.subjects.microdata.exports.released_file import check_records_place
from auditor.subjects.microdata.exports.stored_records import StoredRecords
from auditor.subjects.microdata.exports.unchanged import Unchanged, unchanged_columns
from auditor.subjects.microdata.policy import MicrodataPolicy
from graphkit.arrays import Floats, Ints
from graphkit.errors import BrokenClaim
from graphkit.machine import fresh_generator
from graphkit.microdata import generalize
from graphkit.microdata.generalization.diverse.demands import published_values
from graphkit.microdata.generalization.diverse.mixing import mixed
from graphkit.microdata.generalization.extents import joined, layout_of, losses_of
from graphkit.microdata.generalization.matchings import drawn
from graphkit.microdata.generalization.result import Generalization, loss_of_all
from graphkit.microdata.progress import Progress, silent
from graphkit.microdata.utility.counting import CountQueries
from graphkit.microdata.verify_diversity import fewest_seen, verify_matchings


@dataclass(frozen=True, slots=True)
class GeneralizationRequest:
    """What is to be generalized, how, for whom, and where it goes."""

    k: int
    destination: Destination | None
    """None: the figures are wanted alone."""
    roles: Roles = field(default_factory=Roles)
    attributes: tuple[str, ...] = ()
    """Columns to generalize; none: the quasi-identifiers."""
    choices: Generalizing = field(default_factory=Generalizing)
    engine: Mapping[str, Any] = field(default_factory=dict)
    """Settings of the engine by their names."""
    policy: Policy = field(default_factory=Policy)
    """Where its `exports.approval` says so, the export of stored records awaits a second person."""
    actor: str = ""
    """Who makes it."""
    keep_key: bool = True
    """Whether the store keeps which record is which, and which ones each released one stands for."""
    pictures: bool = False
    """Whether a report is wanted: what that shows is measured."""
    curve: bool = False
    """Whether other k are tried, too."""
    origin: Origin = field(default_factory=Origin)
    """The token of the request, and earlier requesters."""
    demanding: Demanding = field(default_factory=Demanding)
    """What originals are to see of sensitive columns."""
    policy_demands: bool = False
    """Whether they are to see what the policy demands, too."""
    suppress: float = 0.0
    """Share of the records that may be left out, at most, where the others lose less so."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What originals see of a sensitive column, or of households."""

    column: str
    demand: str
    """In words; empty where nothing is demanded."""
    fewest: int
    """Different values among the k records that cover an original, at least, as they are published; households, where
    the column tells these."""
    of_households: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class ExportedGeneralization:
    """What was reached, and what was published."""

    k: int
    """Among how many each record hides."""
    answer: Generalization | None
    """Of the engine; None where an earlier export of the same records gave the graph and the draw."""
    coded: CodedDomains
    """Protected."""
    extents: Ints
    """What each released record stands for, shape (released, width), by the record that it is made of. Protected."""
    suppressed: int
    """Number of records that were left out."""
    removed: tuple[str, ...]
    """Columns that did not leave."""
    unchanged: Unchanged
    """Columns that left as they were: the claim is not about them."""
    queries: CountQueries
    """How far random counts are off."""
    sensitive: tuple[Seen, ...] = ()
    """What originals see of sensitive columns that leave as they are."""
    kept: Kept | None = None
    """What pictures show; None where none were asked for. Protected."""
    published: Published | None = None
    """None where nothing was written."""

    @property
    def records(self) -> int:
        """Number of records, those that were left out among them."""
        return int(self.coded.codes.shape[0])

    @property
    def seconds(self) -> Mapping[str, float]:
        """Of the phases of the engine."""
        return {} if self.answer is None else self.answer.seconds

    @property
    def domains(self) -> tuple[Domain, ...]:
        """Of the attributes. Protected."""
        return self.coded.domains

    @property
    def gcp(self) -> float:
        """The global certainty penalty: the mean loss of all released records and attributes, by their weights."""
        return _mean(losses_of(self.coded.layout, self.extents))

    @property
    def gcp_with_suppressed(self) -> float:
        """The same of all records, of which those that were left out lose all: 1 each."""
        return loss_of_all(self.gcp, self.records - self.suppressed, self.suppressed)

    @property
    def losses(self) -> dict[str, float]:
        """NCP of each attribute, the mean of all released records."""
        return {
            domain.name: _mean(losses_of(layout_of([domain.attribute]), own))
            for domain, own in self.coded.own_extents(self.extents)
        }


def _mean(losses: Floats) -> float:
    """Return a mean that does not depend on the order, which is that of the draw."""
    return fsum(losses.tolist()) / losses.size


def required_by(request: GeneralizationRequest) -> MicrodataPolicy | None:
    """Return the section of the policy whose demands on sensitive columns count."""
    return request.policy.microdata if request.policy_demands else None


def export_generalized(
    opened: OpenRecords,
    request: GeneralizationRequest,
    stored: StoredRecords | None = None,
    *,
    phase: Callable[[str], None] = lambda name: None,
    progress: Progress = silent,
) -> ExportedGeneralization:
    """Generalize records so that each hides among k, write aside, read back, verify, record, and publish.

    Parameters
    ----------
    opened : OpenRecords
        The records.
    request : GeneralizationRequest
    stored : StoredRecords, optional
        Where they are stored: the export is recorded there, and held against what was published of them before. An
        earlier export of the same attributes with the same k gives the graph and the draw: a second draw could be
        intersected with the first.
    phase, progress : callable, optional
        Called with what is being done, and with what the engine has reached.

    Raises
    ------
    BadInput
        If `k`, an attribute or a hierarchy cannot be used, or the destination.
    BadFile
        If the file or a hierarchy cannot be read.
    Refused
        If records would be singled out by this release together with earlier ones, or the policy demands more of
        sensitive columns.
    NotDelivered
        If the file system refuses; nothing appears then.
    VerificationFailed
        If what was written does not hold what it claims; nothing appears then.
    """
    if request.destination is not None:
        check_records_place(request.destination, (opened.source.path,))
    phase("read")
    names = generalized_attributes(opened, request.roles, request.attributes, request.choices)
    coded = read_domains(opened, names, request.choices, request.roles.stratum)
    opened.check_unchanged()
    demands = demands_for(opened, request.roles, names, request.demanding, required_by(request), request.k)
    sensitive = read_sensitive(opened, demands)
    answer, behind = None, None
    if stored is not None:
        behind = earlier_graph(
            stored,
            names,
            request.k,
            demands,
            suppress=request.suppress,
            together=request.policy.microdata.audit_together,
        )
    if behind is None:
        engine: dict[str, Any] = {"clock": time.monotonic, "progress": progress, **request.engine}
        engine |= {"strata": coded.stratum_codes, "demands": demands, "sensitive": sensitive.codes}
        engine["suppressed"] = request.suppress
        answer = generalize(coded.codes, coded.attributes, request.k, **engine)
        phase("draw")
        behind = _drawn(answer, sensitive)
    kept = np.flatnonzero(behind[:, 0] >= 0)
    extents = joined(coded.layout, coded.codes, behind[kept])
    claim = claim_for(coded, request.k, demands, len(behind) - kept.size)
    phase("measure")
    result = ExportedGeneralization(
        request.k,
        answer,
        coded,
        extents,
        claim.suppressed,
        (*request.roles.kept_back, *claim.withheld),
        unchanged_columns(opened, request.roles, names, (*request.roles.kept_back, *claim.withheld)),
        random_counts(coded, extents),
        _seen(opened, request.roles, names, sensitive, behind, kept),
    )
    if request.pictures or request.curve:
        result = replace(result, kept=_kept(opened, request, result))
    if request.destination is None:
        return result
    recorder = None
    if stored is not None:
        phase("compare")
        recorder = stored.recorder(request, "earlier export" if answer is None else answer.method, behind)
    leaving = tuple(column for column in opened.columns if column.name not in result.removed)
    release = GeneralizedRelease(opened, claim, leaving, coded, behind, extents, request.destination)
    return replace(result, published=publish_release(release, recorder, phase))


def _kept(opened: OpenRecords, request: GeneralizationRequest, result: ExportedGeneralization) -> Kept:
    times = [domain.name for domain in result.coded.domains if opened.named(domain.name).sort == "time"]
    kept = what_is_kept(result.coded, result.extents, request.k, times)
    if not request.curve:
        return kept
    return replace(kept, curve=loss_curve(result.coded, request.k, result.extents, result.gcp, request.suppress))


def _drawn(answer: Generalization, sensitive: SensitiveValues) -> Ints:
    """Return what each released record covers, by the record that is drawn to be it; −1 for those that are left out."""
    covered, rng = answer.covered, fresh_generator()
    kept = covered[:, 0]
    behind = np.full((kept.size + answer.suppressed.size, answer.k), -1, dtype=np.int64)
    if answer.matchings is None:
        behind[kept[drawn(np.searchsorted(kept, covered), rng)]] = covered
        return behind
    # what is demanded holds among the records that are there
    codes = published_values([column[kept] for column in sensitive.codes])
    matchings = kept[mixed(np.searchsorted(kept, answer.matchings), sensitive.demands, codes, rng)]
    if not verify_matchings(covered, matchings, sensitive.demands, sensitive.codes).passed:
        raise BrokenClaim("a matching misses what is demanded of sensitive values")
    # whichever it is: to refuse one would make the others more probable
    behind[matchings[int(rng.integers(len(matchings)))]] = covered
    return behind


def _seen(
    opened: OpenRecords, roles: Roles, names: Sequence[str], sensitive: SensitiveValues, behind: Ints, kept: Ints
) -> tuple[Seen, ...]:
    """Return what originals see of sensitive columns, whether something is demanded of them or not."""
    demanded = {demand.sensitive: demand.text for demand in sensitive.demands}
    known = {demand.sensitive: codes for demand, codes in zip(sensitive.demands, sensitive.codes, strict=True)}
    columns = dict.fromkeys((*demanded, *(name for name in roles.sensitive if name not in names)))
    found = []
    with record_errors(opened.source):
        for name in columns:
            codes = known.get(name)
            if codes is None:
                codes = coded_values(opened.connection, VIEW, name, categories_of(opened.connection, VIEW, name))
            fewest = fewest_seen(behind[kept], codes[kept])
            found.append(Seen(name, demanded.get(name, ""), fewest, name == roles.household))
    return tuple(found)
