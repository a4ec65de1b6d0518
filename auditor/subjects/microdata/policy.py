"""Section `[microdata]`: how exposed a file of records may be."""

from typing import Annotated

from pydantic import Field

from auditor.policy.meaning import Meaning
from auditor.policy.values import Count, Section, Share


class MicrodataPolicy(Section):
    """Thresholds for records against an attacker who knows the quasi-identifiers of a respondent."""

    about = "how exposed a file of records may be"
    k: Annotated[
        int,
        Meaning(
            "An attacker who knows the quasi-identifiers of a respondent finds at least k records with them, and "
            "guesses right once in k times at best. Agencies take three, five, ten or eleven, as for cells of tables.",
            "higher",
            ("el-emam-2013", "acro", "abs-datalab"),
        ),
    ] = Field(
        default=5, ge=2, strict=True, description="every combination of quasi-identifiers occurs at least k times"
    )
    max_share_below_k: Annotated[
        Share,
        Meaning(
            "0 requires k-anonymity of all; more tolerates that some are found, for files that stay inside.",
            "lower",
        ),
    ] = Field(default=0.0, description="share of records in classes of fewer than k that is tolerated")
    max_unique_records: Annotated[
        Count,
        Meaning(
            "A record that is alone in its combination is found without any guess, if its respondent is known to be in "
            "the file. It matters only where a share is tolerated.",
            "lower",
        ),
    ] = Field(default=0, ge=0, description="records that are alone in their combination, at most")
    distinct_l: Annotated[
        int,
        Meaning(
            "Where all records of a class have the same sensitive value, an attacker learns it without finding the "
            "record. 1 asks for nothing. No source was found that names a number.",
            "higher",
            ("machanavajjhala-2007",),
        ),
    ] = Field(default=2, ge=1, strict=True, description="each class has at least so many values of a sensitive column")
    entropy_l: Annotated[
        float,
        Meaning(
            "One value may be far more frequent than the others of its class. The entropy of a class is at least that "
            "of so many equally frequent values; 1 asks for nothing. No source was found that names a number.",
            "higher",
            ("machanavajjhala-2007",),
        ),
    ] = Field(
        default=1.0,
        ge=1,
        le=1_000_000,
        strict=True,
        allow_inf_nan=False,
        description="effective number of values of a sensitive column in each class, at least",
    )
    t: Annotated[
        Share | None,
        Meaning(
            "What an attacker learns of a group beyond what the whole file tells. For numbers and times the distance "
            "goes by ranks. No source was found that names a number.",
            "lower",
            ("li-2007",),
        ),
    ] = Field(default=None, description="distance of a sensitive column in each class from the whole file, at most")
    max_special_share: Annotated[
        Share | None,
        Meaning(
            "A record that few of its quasi-identifiers single out is found by an attacker who knows little. Measured "
            "only where it is limited or asked for. No source was found that names a number.",
            "lower",
            ("elliot-2002",),
        ),
    ] = Field(default=None, description="share of records that few quasi-identifiers single out, at most")
    special_size: Annotated[
        int,
        Meaning("How many quasi-identifiers count as few.", "higher", ("elliot-2002",)),
    ] = Field(default=3, ge=1, le=4, strict=True, description="quasi-identifiers of the largest such combination")
    special_work: Annotated[
        Count,
        Meaning(
            "Counted in records times combinations, each of 20 000 at least; what is left is undecided.",
            "higher",
        ),
    ] = Field(default=4_000_000_000, ge=1, description="work that the search for such combinations may do")
    max_risk: Annotated[
        Share | None,
        Meaning(
            "The estimated chance that a record is the respondent who is looked for in the population; of households "
            "where these are declared. Without weights the file is the population. No source was found that names a "
            "number.",
            "lower",
            ("franconi-polettini-2004",),
        ),
    ] = Field(default=None, description="individual risk of each record, at most")
    max_share_above_risk: Annotated[
        Share,
        Meaning("0 allows no record above it; more tolerates some, for files that stay inside.", "lower"),
    ] = Field(default=0.0, description="share of records above max_risk that is tolerated")
    min_unit_population: Annotated[
        int | None,
        Meaning(
            "A small area singles out whoever lives there. The unit is the combination of the columns declared as "
            "geography; its population comes from the file declared as populations, or is estimated by the weights. "
            "Without either the rule is undecided; without a declared geography it says nothing. The safe harbor asks "
            "for more than 20 000 people where three digits of a ZIP code stay.",
            "higher",
            ("hipaa-safe-harbor",),
            optional=True,
        ),
    ] = Field(default=None, ge=1, strict=True, description="people in each geographic unit, at least")
    audit_together: Annotated[
        bool,
        Meaning(
            "An attacker who finds a respondent in several releases of the same records looks where their groups "
            "overlap: two releases of which each is k-anonymous may leave one record there.",
            "higher",
            ("ganta-2008",),
        ),
    ] = Field(default=True, strict=True, description="exports of the same records must hold k together")
    forbid_identifiers: Annotated[
        bool,
        Meaning(
            "Names, addresses and numbers of persons are removed before anything else is asked. An original has them, "
            "so that this is for files that are about to leave.",
            "higher",
            ("hipaa-safe-harbor",),
        ),
    ] = Field(default=False, strict=True, description="no column is declared as a direct identifier")
