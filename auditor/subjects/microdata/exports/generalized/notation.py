"""How values are written in a generalized file, in plain words, for the reader who has nothing but the file."""

from collections.abc import Mapping

_OF_KIND = {
    "range": {
        "a..b": "any value from a to b, both included",
        r"\N..b": "no value, or any value up to b",
    },
    "set": {
        "{a|b}": r"one of the values between the bars; \N among them is no value",
        r"\{  \|  \}  \\": r"the character {, |, } or \ itself, as part of a value",
    },
    "tree": {"the name of a group": "any value of that group of the hierarchy; a star at its end is any further text"},
}
_OF_ALL = {"any other text": "this very value", "an empty cell": "no value"}


def notation_of(sorts: Mapping[str, str]) -> dict[str, str]:
    """Return what each form means that can occur in the generalized columns of a file.

    Parameters
    ----------
    sorts : mapping of str to str
        ``range``, ``set`` or ``tree`` of each column.

    Examples
    --------
    >>> notation_of({"age": "range"})["a..b"], list(notation_of({"job": "tree"}))
    ('any value from a to b, both included', ['the name of a group', 'any other text', 'an empty cell'])
    """
    kinds = [kind for kind in _OF_KIND if kind in sorts.values()]
    return {form: meaning for kind in kinds for form, meaning in _OF_KIND[kind].items()} | _OF_ALL
