"""Section `[table]`: what the marginals of a table may give away."""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field, field_validator, model_validator

from auditor.policy.meaning import Meaning
from auditor.policy.values import Count, Section, in_order_of
from graphkit.tables.decisions.rules import DisclosureRules

Answer = Literal["release", "refuse", "coarsen", "simulate"]


class TablePolicy(Section):
    """Thresholds for the marginals of a table, against somebody who knows all that are out."""

    about = "what the marginals of a table may give away"
    sensitive: Annotated[
        Literal["small", "all", "named"],
        Meaning(
            "Threshold rules protect small cells. All is for tables in which to be in a cell at all is delicate; "
            "named for categories such as an illness, whatever the count.",
            ("small", "all"),
            ("oecd-threshold",),
        ),
    ] = Field(
        default="small",
        description="cells that are protected: small counts, all that are not zero, or named categories",
    )
    threshold: Annotated[
        Count,
        Meaning(
            "The minimum cell size. Agencies differ: three, five, ten or eleven, and twenty for some public files.",
            "higher",
            ("oecd-threshold", "el-emam-2013", "abs-datalab", "cms-cell-size", "uk-llc"),
        ),
    ] = Field(default=3, ge=2, description="counts from 1 to below it are small")
    named: Annotated[
        dict[str, Annotated[tuple[str, ...], AfterValidator(lambda given: tuple(sorted(set(given))))]],
        Meaning("All cells but zeros of these categories are protected: named = { illness = ['HIV'] }.", "more"),
    ] = Field(default_factory=dict, description="categories that are protected, by variable, for sensitive = 'named'")
    min_width: Annotated[
        Count,
        Meaning(
            "How much uncertainty the released marginals leave about a count. Bounds that are too tight disclose it; "
            "how tight that is no source says for marginals. The presets leave open as much as the rounding of "
            "statistics offices does.",
            "higher",
            ("dobra-fienberg-2001", "oecd-rounding", "stats-nz-rounding", "statcan-rounding"),
        ),
    ] = Field(default=3, ge=1, description="the smallest and the largest possible count are at least this far apart")
    min_relative_width: Annotated[
        float,
        Meaning(
            "A few respondents more or less mean little for a large count. No source was found that names a number.",
            "higher",
        ),
    ] = Field(
        default=0.0,
        ge=0,
        le=100,
        strict=True,
        allow_inf_nan=False,
        description="the same as a share of the count, at least",
    )
    hide_small: Annotated[
        bool,
        Meaning(
            "Minimum cell sizes hold for what can be derived, too: nobody should learn that a count is below the "
            "threshold, whatever it is.",
            "higher",
            ("cms-cell-size", "uk-llc"),
        ),
    ] = Field(default=True, strict=True, description="a small count could be as large as the threshold")
    min_values: Annotated[
        Count,
        Meaning(
            "An interval may have gaps, so that its width says less than it seems. No source was found that names a "
            "number.",
            "higher",
            ("dobra-fienberg-2001",),
        ),
    ] = Field(default=0, ge=0, description="at least this many different counts are possible; 0: not required")
    min_tables: Annotated[
        Count,
        Meaning(
            "If few tables have all released marginals, the whole table may be disclosed. No source was found that "
            "names a number.",
            "higher",
            ("dobra-fienberg-2001",),
        ),
    ] = Field(default=0, ge=0, description="at least this many tables have the marginals; 0: not required")
    group_disclosure: Annotated[
        bool,
        Meaning(
            "An attacker who knows that a person is in the group learns the category, however large the group is. "
            "Structural zeros (no pregnant men) violate it as well, so it is off by default.",
            "higher",
            ("abs-datalab",),
        ),
    ] = Field(default=False, strict=True, description="no marginal shows that no member of a group is in a category")
    answers: Annotated[
        tuple[Answer, ...],
        in_order_of(Answer),
        Meaning(
            "A proposal discloses a little more than a refusal; a simulated answer discloses nothing beyond the "
            "released marginals."
        ),
    ] = Field(
        default=("release", "refuse"),
        description="with coarsen, a refusal proposes merged categories; with simulate, counts come from a drawn table",
    )
    refusals: Annotated[
        Literal["plain", "sampled"],
        Meaning(
            "A refusal that depends on the data discloses something about them. A sampled one discloses at most that "
            "the marginal shows a protected count by itself. But then a release is only likely to be safe, not "
            "proven: neither is stricter.",
            sources=("kenthapadi-2005",),
        ),
    ] = Field(
        default="plain",
        description="sampled: refused where it shows a protected count by itself, else decided over tables drawn from "
        "what is released",
    )
    inference: Annotated[
        Literal["marginals", "policy-aware"],
        Meaning(
            "A reader who knows the policy also learns from what was not refused. The reader of a policy-aware "
            "release learns nothing more from it.",
            ("marginals", "policy-aware"),
            ("kenthapadi-2005",),
        ),
    ] = Field(
        default="marginals",
        description="policy-aware: safe also against a reader who excludes the tables that the policy would have "
        "refused",
    )
    most_tables: Annotated[
        int,
        Meaning("Memory and time for inference = 'policy-aware'. What needs more tables is undecided: not protection."),
    ] = Field(
        default=100_000,
        ge=1,
        le=10_000_000,
        strict=True,
        description="so many tables are listed for a policy-aware decision, at most; beyond it is undecided",
    )
    time_limit: Annotated[
        float, Meaning("An undecided marginal is not released: the limit concerns patience, not protection.")
    ] = Field(
        default=60.0,
        gt=0,
        strict=True,
        allow_inf_nan=False,
        description="seconds after which the clock ends a decision that its work has not ended; it is undecided then",
    )

    @field_validator("refusals", mode="before")
    @classmethod
    def _is_no_old_name(cls, given: object) -> object:
        if given == "simulatable":
            raise ValueError("'simulatable' is now called 'sampled', and refuses more; write refusals = \"sampled\"")
        return given

    @model_validator(mode="after")
    def _named_belong_together(self) -> "TablePolicy":
        if (self.sensitive == "named") != bool(self.named):
            raise ValueError("named categories and sensitive = 'named' belong together; give both or neither")
        if not {"release", "refuse"} <= set(self.answers):
            raise ValueError("answers must hold release and refuse; coarsen and simulate may be added")
        if self.refusals == "sampled" and self.inference == "policy-aware":
            raise ValueError(
                "refusals = 'sampled' and inference = 'policy-aware' do not go together: the first draws tables, the "
                "second lists them; give one of them"
            )
        return self

    def rules(self) -> DisclosureRules:
        """Return the thresholds as the engine takes them."""
        values = self.model_dump(exclude={"named", "time_limit", "answers", "refusals", "inference", "most_tables"})
        named = tuple((name, category) for name, categories in self.named.items() for category in categories)
        return DisclosureRules(**values, named=named)
