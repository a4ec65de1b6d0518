"""From a file of ties to a network in which no degree singles anybody out."""

from __future__ import annotations

from cli.start.guide import Guide, Likeness, Looked
from cli.start.walk import NOT_COUNTED, Walk

_ENDS = {
    "source", "target", "from", "to", "head", "tail", "node1", "node2", "ego", "alter", "follower", "followee",
    "sender", "receiver", "recipient", "caller", "callee",
}  # fmt: skip


class NetworkGuide(Guide):
    """See :class:`~cli.start.guide.Guide`."""

    line = "a tie between two people: a network"

    def likeness(self, looked: Looked) -> Likeness:
        """Return whether there are two columns of one kind, named or filled as ends are, or a format of networks."""
        from auditor.formats.networks.registry import format_of_name

        if not looked.columns:
            return 2 if format_of_name(looked.path.name) is not None else 0
        first, *rest = looked.columns
        if not rest or first.sort != rest[0].sort or format_of_name(looked.path.name) is None:
            return 0
        named = {first.name.lower(), rest[0].name.lower()} <= _ENDS
        return 2 if named or looked.values.has_shared_ends or len(looked.columns) == 2 else 1

    def lead(self, walk: Walk, looked: Looked) -> None:
        """Audit it, write a protected version, and audit that one."""
        walk.ask_for_whom("network")
        k, file = walk.smallest_group("network"), str(looked.path)
        walk.say(
            f"Who knows how many ties a person has may find them. At least {k} people should share each number "
            "(--k changes that). A tie has no direction here, and nothing but the ties is read."
        )
        if walk.run("network", "audit", file, "--k", str(k)):
            walk.say("\nNo degree singles anybody out. The release takes the names away.")
        else:
            walk.say("\nAs it is, it should not be released. The protected version has a few more ties and no names.")
        out = walk.place_for(looked.path)
        walk.run("network", "anonymize", file, "--k", str(k), "--out", str(out))
        if walk.run("network", "audit", str(out), "--k", str(k)):
            walk.released = out
            walk.say(
                "\nIt protects from those who know how many ties a person has. Those who know more, such as how many "
                "ties the neighbours have, may still find people: the first command below counts how many."
            )
        walk.say(NOT_COUNTED)
        walk.then(
            f"auditor network audit {out} --knowledge all",
            f"auditor network compare {file} {out}",
            f"auditor network add {looked.stem} {file}",
        )
