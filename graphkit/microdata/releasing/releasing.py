"""Records of a frame as they may be published: aggregated in groups, in a new order, verified."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

import numpy as np

from graphkit.arrays import Floats
from graphkit.errors import BrokenClaim, InvalidInput
from graphkit.frames import check_names, chosen_columns
from graphkit.hierarchies.grouping import numbered
from graphkit.machine import fresh_permutation
from graphkit.microdata.microaggregation.aggregates import group_values
from graphkit.microdata.microaggregation.driver import DEFAULT_METHOD, microaggregate
from graphkit.microdata.microaggregation.scaling import Preparation
from graphkit.microdata.progress import Progress
from graphkit.microdata.releasing.attributes import Attributes, attributes_of
from graphkit.microdata.releasing.released import RecordKey, ReleasedRecords
from graphkit.microdata.verify import GroupClaim, OriginalRecords, verify_microaggregation

OfNumbers = Literal["mean", "median"]


def release(
    frame: Any,
    attributes: Sequence[str],
    k: int,
    *,
    keep: Sequence[str] = (),
    aggregates: Mapping[str, OfNumbers] | None = None,
    stratum: str | None = None,
    household: str | None = None,
    missing: Literal["error", "group"] = "error",
    method: str = DEFAULT_METHOD,
    seed: int | np.random.Generator = 0,
    effort: float | None = None,
    time_limit: float | None = None,
    gap: float | None = None,
    clock: Callable[[], float] | None = None,
    progress: Progress | None = None,
) -> tuple[ReleasedRecords, RecordKey]:
    """Return a version of records that may be published, and the key that may not.

    Parameters
    ----------
    frame : frame of pandas, polars or pyarrow, or mapping of str to values
        A row a record; it is not changed.
    attributes : sequence of str
        Columns that are aggregated together, all that an attacker may know: numbers by their mean, text and truth
        values by the most frequent one.
    k : int
        Least number of records that share the values of all attributes, at least 2.
    keep : sequence of str, optional
        Columns that are published as they are. All others stay behind.
    aggregates : mapping of str to str, optional
        Attributes of numbers that are replaced by the `median`.
    stratum : str, optional
        Column whose values no group mixes.
    household : str, optional
        Column of households whose records are in one group each; it stays behind.
    missing : str, optional
        A value that is missing is an error; or with `group`, records that lack the same ones are grouped together.
    method, seed, effort, time_limit, gap, clock, progress : optional
        As for :func:`~graphkit.microdata.microaggregation.driver.microaggregate`.

    Returns
    -------
    released : ReleasedRecords
        Every combination of values of the attributes is that of at least k records.
    key : RecordKey
        Which record is which, what was lost, and the bound proven on that.

    Raises
    ------
    InvalidInput
        If a column is not there, is named in two roles, or holds what cannot be aggregated, and as
        :func:`~graphkit.microdata.microaggregation.driver.microaggregate`.
    BrokenClaim
        If what would be released fails its check: our bug, and nothing is returned.

    Notes
    -----
    The order of the records is drawn from the operating system's randomness, independent of `seed`. What `keep` names
    must be nothing that an attacker knows. `auditor microdata microaggregate` does the same for files, with dates,
    orders of categories and rounding, reads back what it wrote, and records the release.

    Examples
    --------
    >>> people = {"name": ["ann", "bob", "eve", "dan"], "age": [20, 60, 22, 62], "ill": ["no", "yes", "no", "no"]}
    >>> released, key = release(people, ["age"], k=2, keep=["ill"])
    >>> released, sorted(released.columns), sorted(released.columns["age"])
    (ReleasedRecords(k=2, records=4, verified=True), ['age', 'ill'], [21.0, 21.0, 61.0, 61.0])
    """
    check_names(attributes, keep)
    roles = [*attributes, *keep, *filter(None, [household])]
    twice = next((name for name in roles if roles.count(name) > 1), None)
    if twice is not None:
        raise InvalidInput(f"column {twice!r} is named in two roles (attributes, keep, household); name it once")
    columns = chosen_columns(frame, list(dict.fromkeys([*roles, *filter(None, [stratum])])))
    held = attributes_of({name: columns[name] for name in attributes})
    strata, households = (
        None if name is None else np.array(numbered(columns[name]), dtype=np.int64) for name in (stratum, household)
    )
    chosen = _aggregates(held, aggregates or {})
    preparation = Preparation(nominal=held.nominal, missing=missing)
    result = microaggregate(
        held.values,
        k,
        method=method,
        strata=strata,
        households=households,
        preparation=preparation,
        seed=seed,
        effort=effort,
        time_limit=time_limit,
        gap=gap,
        clock=clock,
        progress=progress,
    )
    values = group_values(held.values, result.labels, chosen)[result.labels]
    rows = fresh_permutation(result.records)
    claim = GroupClaim(
        k,
        result.records,
        held.names,
        aggregates=dict(zip(held.names, chosen, strict=True)),
        missing=missing,
        stratum=stratum,
        household=household,
    )
    public = held.in_words(values[rows])
    original = OriginalRecords(held.values, strata, households)
    verification = verify_microaggregation(claim, _read_back(public, held), original, rows)
    if not verification.passed:
        raise BrokenClaim(f"what was to be released fails its check: {verification.failed}")
    public |= {name: [columns[name][row] for row in rows.tolist()] for name in keep}
    in_order = {name: tuple(public[name]) for name in columns if name in public}
    return ReleasedRecords(in_order, claim, verification), RecordKey(rows, result)


def _aggregates(held: Attributes, wanted: Mapping[str, OfNumbers]) -> list[Any]:
    for name, aggregate in wanted.items():
        if name not in held.names or name in held.categories:
            raise InvalidInput(f"{name!r} is no attribute of numbers; only those have a mean or a median")
        if aggregate not in ("mean", "median"):
            raise InvalidInput(f"unknown aggregate {aggregate!r}; known: mean, median")
    return ["mode" if name in held.categories else wanted.get(name, "mean") for name in held.names]


def _read_back(public: Mapping[str, Sequence[Any]], held: Attributes) -> Floats:
    """Return what would leave as numbers again, by the categories of the original."""
    columns = []
    for name in held.names:
        places = {category: float(at) for at, category in enumerate(held.categories.get(name, ()))}
        columns.append([np.nan if value is None else places[value] if places else value for value in public[name]])
    return np.array(columns, dtype=np.float64).T
