"""What each page is for, in a few sentences, and the page of the documentation that says more."""

from collections.abc import Iterable
from dataclasses import dataclass

from auditor.core.kinds import kinds


@dataclass(frozen=True, slots=True)
class HelpTopic:
    """The help on a page.

    Parameters
    ----------
    path : str
        Of the page; pages below it have the same help unless they have their own.
    title : str
    text : str
    document : str
        The page of the documentation, without its suffix.
    """

    path: str
    title: str
    text: str
    document: str


_SHARED = (
    HelpTopic(
        "/",
        "Overview",
        "Every subject with the verdict of its latest audit, those with open violations first. Choose a total to see "
        "only those subjects, or a column to sort by it.",
        "web",
    ),
    HelpTopic(
        "/findings",
        "Findings",
        "What the latest audits found and nobody waived. Each finding names its rule, what the policy allows and what "
        "would mend it. A waiver accepts a finding until a day; then it counts again.",
        "audits",
    ),
    HelpTopic(
        "/audits",
        "Audits",
        "One audit: its verdict, the policy it was made under and its findings. Locations and figures are shown on "
        "request, and the ledger records the view.",
        "audits",
    ),
    HelpTopic(
        "/schedules",
        "Schedules",
        "Audits at set times. A schedule names subjects and times; a worker runs it.",
        "schedules",
    ),
    HelpTopic(
        "/schedules-new",
        "New schedule",
        "First look at the times at which the schedule would be due, then save it.",
        "schedules",
    ),
    HelpTopic(
        "/jobs",
        "Jobs",
        "Work in the background: audits, exports and searches. The list follows running jobs. A job that was cancelled "
        "or interrupted can be run again.",
        "web",
    ),
    HelpTopic(
        "/approvals",
        "Approvals",
        "Releases that a second person decides about. Nobody decides about their own request.",
        "approvals",
    ),
    HelpTopic(
        "/ledger",
        "Ledger",
        "Who did what, as a chain of entries that cannot be changed unnoticed. Filter by kind, subject, person and "
        "time; each entry shows its JSON on demand.",
        "ledger",
    ),
    HelpTopic(
        "/month",
        "Month-end report",
        "What was released and refused in a month or any period, what waits, who decided, which waivers end, which "
        "exports were verified again, which audits failed, and who viewed protected figures. The page prints on A4.",
        "month-end",
    ),
    HelpTopic(
        "/tokens",
        "Tokens",
        "Who may log in, as what and until when. The text of a token is shown once, when it is created.",
        "access",
    ),
    HelpTopic(
        "/policy",
        "Policy",
        "The rules that audits and requests are decided by, each with what it asks for and why.",
        "policy",
    ),
    HelpTopic(
        "/search",
        "Search",
        "Finds subjects, exports, open findings and help by their names and words. The key / moves to the search "
        "field on every page.",
        "web",
    ),
    HelpTopic("/help", "Help", "What each page is for, and the documentation.", "web"),
    HelpTopic("/login", "Log in", "Each person logs in with their own token.", "access"),
)


def help_topics() -> tuple[HelpTopic, ...]:
    """Return the help on all pages: those of the kinds of subjects, and those that all share."""
    return (*(HelpTopic(*topic) for kind in kinds() for topic in kind.help), *_SHARED)


def find_help(path: str) -> HelpTopic:
    """Return the help on a page: its own, or else that of the nearest page above it.

    Examples
    --------
    >>> find_help("/audits/7f").title, find_help("/tables/survey/marginal").title, find_help("/nowhere").title
    ('Audits', 'Tables', 'Overview')
    """
    return max(_above(path), key=lambda topic: len(topic.path))


def _above(path: str) -> Iterable[HelpTopic]:
    return (topic for topic in help_topics() if topic.path == "/" or f"{path}/".startswith(f"{topic.path}/"))
