"""`auditor policy diff`."""

from typing import Annotated

import typer

from cli.policy.named import find_policy, value_shown
from cli.terminal.context import Context

_HELP = "Policy file, preset, 'default', or digest of a policy that the store keeps."


def diff(
    context: Context,
    before: Annotated[str, typer.Argument(metavar="A", help=_HELP)],
    after: Annotated[str, typer.Argument(metavar="B", help="The same.")],
) -> None:
    """Compare two policies key by key, and tell which of them is stricter where that is known.

    Stricter and laxer are said of B, key by key, all others being equal: no word is said on the whole.

    Example: auditor policy diff policy.toml public

    Example: auditor policy diff DIGEST policy.toml
    """
    from auditor.policy import differences

    one, other = find_policy(context, before), find_policy(context, after)
    found = differences(one.values, other.values)
    rows = [[d.key, value_shown(d.before), value_shown(d.after), d.direction] for d in found]
    said = "the policies are the same" if one.digest == other.digest else f"they differ in {len(found)} keys"
    context.output.answer(
        {
            "before": {"name": before, "digest": one.digest},
            "after": {"name": after, "digest": other.digest},
            "same": one.digest == other.digest,
            "differences": found,
        },
        *([context.output.table(["key", "A", "B", "B is"], rows)] if found else []),
        said,
    )
