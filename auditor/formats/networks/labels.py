"""How vertex ids become labels: integers where every id is one, text otherwise; never changed otherwise."""

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from auditor.formats.networks.loaded import LabelArray

_INTEGER = re.compile(r"0|-?[1-9][0-9]*")
_PADDED_INTEGER = re.compile(r"[ \t]*(0|-?[1-9][0-9]*)[ \t]*")
_INTEGRAL = re.compile(r"[ \t]*(0|-?[1-9][0-9]*)(?:\.0*)?[ \t]*")
_MISSING_WORDS = frozenset({"", "na", "n/a", "nan", "null", "none", "nil", "<na>", "-nan"})


def canonical_labels(texts: Sequence[str]) -> LabelArray:
    """Return ids as int64 where every one is an integer that int64 holds, else as text.

    Notes
    -----
    An integer has no leading zero, plus sign or blank, so that ``007`` and ``7`` stay different vertices.
    Text is kept as it is, without Unicode normalization. O(n) time.

    Examples
    --------
    >>> canonical_labels(["10", "9"]), canonical_labels(["007", "9"])
    (array([10,  9]), array(['007', '9'], dtype=object))
    """
    if all(map(_INTEGER.fullmatch, texts)) and max(map(len, texts), default=0) <= 20:
        try:
            return np.array(list(map(int, texts)), dtype=np.int64)
        except OverflowError:
            pass
    return text_array(texts)


def text_array(texts: Sequence[str]) -> NDArray[np.object_]:
    """Return an object array of str of shape (n,)."""
    array = np.empty(len(texts), dtype=object)
    array[:] = texts
    return array


def as_texts(labels: LabelArray | Sequence[str]) -> list[str]:
    """Return labels as a list of str."""
    if isinstance(labels, np.ndarray):
        return list(map(str, labels.tolist()))
    return list(labels)


def is_storable(texts: Sequence[str]) -> bool:
    """Whether all texts are valid Unicode without NUL, so that every format and the store can hold them."""
    joined = "".join(texts)
    if "\0" in joined:
        return False
    try:
        joined.encode()
    except UnicodeEncodeError:
        return False
    return True


def is_missing_word(text: str) -> bool:
    """Whether a text is what programs write for a missing value."""
    return text.strip().lower() in _MISSING_WORDS


def repaired(texts: list[str], strip_blanks: bool) -> tuple[list[str], str, bool]:
    """Undo what programs do to integer ids in text tables: blanks around them, a fraction ``.0``, words for missing.

    Parameters
    ----------
    texts : list of str
        The distinct ids as they stand in the file.
    strip_blanks : bool
        The file puts blanks after its delimiter: they belong to no id.

    Returns
    -------
    tuple
        The ids, no longer distinct where two were written differently; a remark or the empty string; and whether
        an id is missing: empty, or ``nan``, ``NA`` and the like where all others are numbers.

    Notes
    -----
    Other text is left alone: ``1.5``, and ``None`` as the name of somebody among names, are labels.

    Examples
    --------
    >>> repaired(["1.0", "2"], False)
    (['1', '2'], 'ids written with a fraction of 0 were read as integers', False)
    """
    if strip_blanks:
        texts = [text.strip(" \t") for text in texts]
    if all(map(_INTEGER.fullmatch, texts)):
        return texts, "", False
    if "" in texts:
        return texts, "", True
    numbers = [_INTEGRAL.fullmatch(text) for text in texts]
    if all(number or is_missing_word(text) for number, text in zip(numbers, texts, strict=True)) and any(numbers):
        if not all(numbers):
            return texts, "", True
        fraction = not all(map(_PADDED_INTEGER.fullmatch, texts))
        remark = "ids written with a fraction of 0 were read as integers" if fraction else ""
        return [number[1] for number in numbers if number], remark, False
    if len({text.strip(" \t") for text in texts}) < len(texts):
        return texts, "some ids differ only by blanks around them and were taken as different vertices", False
    return texts, "", False
