"""Which names are one person's: neither spelling, nor unseen letters, nor look-alike letters make a second person."""

import unicodedata

from auditor.access._letters import is_ignorable, script_of, skeleton
from auditor.core.errors import BadInput

# of one name: a script alone, or what is written together ("highly restrictive" of UTS #39)
_TOGETHER = (
    frozenset({"Latn", "Hani", "Hira", "Kana"}),
    frozenset({"Latn", "Hani", "Bopo"}),
    frozenset({"Latn", "Hani", "Hang"}),
)
# marks that belong to several scripts: accents on Latin, Greek and Cyrillic letters, vowels of Arabic
_ACCENTS = frozenset(range(0x0300, 0x0370)) - {0x034F}
_TASHKIL = frozenset(range(0x064B, 0x0656)) | {0x0670}
# letters of no script: apostrophes of Hawaiian and Ukrainian, the sign for a long vowel of Japanese
_COMMON = {"\u02bb": None, "\u02bc": None, "\u30fc": "Kana"}
# here a letter that looks like punctuation is a sign of phoneticians; in Hebrew it is one of every day
_OURS = frozenset({"Latn", "Grek", "Cyrl"})
_PUNCTUATION = frozenset("\u2019\u2013\u00b7")
_MOST_MARKS = 3


def person_key(name: str) -> str:
    """Return what two spellings of one person's name have in common; empty if nothing of it can be seen.

    Notes
    -----
    Case, blanks, ways of writing a letter, and everything that is no letter, no number and no mark on a letter: what an
    allowed name may have stays, so that two names that differ in anything else are the same one.

    Examples
    --------
    >>> person_key("  Ann\\u00a0 LEE "), person_key("ａｎｎ"), person_key("Zoe\\u0308") == person_key("ZO\\u00cb")
    ('ann lee', 'ann', True)
    >>> [person_key(f"ann{letter}") for letter in ("\\u200b", "\\u3164", "\\u2800", "\\ufe0f", "\\U000e0100")]
    ['ann', 'ann', 'ann', 'ann', 'ann']
    """
    # folding may take letters apart again
    return " ".join(unicodedata.normalize("NFKC", _seen(name).casefold()).split())


def looks_like(first: str, second: str) -> bool:
    """Whether two names cannot be told apart by looking at them.

    Compared are the letters and numbers in lower case, whatever blanks and punctuation are between them; and everything
    but blanks, in the case that it has.

    Examples
    --------
    >>> looks_like("\\u0430nn", "Ann"), looks_like("AIan", "Alan"), looks_like("ann", "anna"), looks_like("Ian", "Lan")
    (True, True, False, False)
    >>> looks_like("O\\u2019Neil", "o'neil"), looks_like("ann\\u2010lee", "Ann Lee"), looks_like("a|ice", "Alice")
    (True, True, True)
    """
    return any(shape(first) == shape(second) for shape in (_small_shape, _shape))


def is_one_of(name: str, *others: str) -> bool:
    """Whether a name is a spelling of one of others: to have what is theirs, looking alike is not enough.

    Examples
    --------
    >>> is_one_of("ANN ", "bob", "ann"), is_one_of("\\u0430nn", "ann")
    (True, False)
    """
    return person_key(name) in map(person_key, others)


def is_same_person(first: str, second: str) -> bool:
    """Whether two names are those of one person, or could be: then neither is a second person for the other.

    Examples
    --------
    >>> is_same_person("ann", "Ann "), is_same_person("ann", "anna"), is_same_person("ann", "\\u0430nn")
    (True, False, True)
    """
    return looks_like(first, second)


def check_asker(name: str, what: str) -> None:
    """Refuse a name of who asks that the ledger could not show on a line, or that could be taken for another one.

    Raises
    ------
    BadInput
        Calling it `what`.
    """
    if not name.strip() or not name.isprintable():
        raise BadInput(f"{what} must name the requester, on one line, for the ledger")
    check_person(name, what)


def check_person(name: str, what: str) -> None:
    """Refuse a name that others may not be able to read, or to tell from another one.

    Allowed are the letters of one script that names are written in (Japanese, Chinese and Korean names may mix theirs,
    with Latin letters among them), their marks, the digits 0 to 9, blanks, and the punctuation of ASCII.

    Parameters
    ----------
    name : str
    what : str
        What it is called in the message.

    Raises
    ------
    BadInput
        If it has another letter, letters of several scripts, or more marks on a letter than anybody can read. A letter
        is named by its number: it may be one that nobody sees.

    Examples
    --------
    >>> for name in ("Ann Lee", "Zoë", "O'Neil-2", "Анна", "山田 太郎", "김 Kim"):
    ...     check_person(name, "the name")
    >>> check_person("ann\\u3164", "the name")
    Traceback (most recent call last):
    ...
    auditor.core.errors.BadInput: the name has a letter that names are not written with (U+3164); leave it out
    >>> check_person("\\u0430nn", "the name")
    Traceback (most recent call last):
    ...
    auditor.core.errors.BadInput: the name mixes letters of several scripts (Cyrl, Latn); write it with those of one
    """
    scripts: set[str] = set()
    for letter in unicodedata.normalize("NFC", name):
        if not _is_allowed(letter):
            raise BadInput(f"{what} has a letter that names are not written with (U+{ord(letter):04X}); leave it out")
        script = _COMMON.get(letter) or script_of(letter)
        if script is not None:
            scripts.add(script)
    _check_marks(unicodedata.normalize("NFD", name), what)
    if len(scripts) > 1 and not any(scripts <= together for together in _TOGETHER):
        raise BadInput(
            f"{what} mixes letters of several scripts ({', '.join(sorted(scripts))}); write it with those of one"
        )


def _check_marks(name: str, what: str) -> None:
    """Refuse marks that are on no letter, and more of them, or the same one again, than anybody can read."""
    base, marks = "", ""
    for letter in name:
        if not unicodedata.category(letter).startswith("M"):
            base, marks = letter, ""
            continue
        if not base.isalpha():
            raise BadInput(f"{what} has a mark that is on no letter (U+{ord(letter):04X}); leave it out")
        if letter in marks or len(marks) == _MOST_MARKS:
            raise BadInput(f"{what} has too many marks on a letter; leave some out")
        marks += letter


def _is_allowed(letter: str) -> bool:
    if letter.isascii():
        return letter.isprintable()
    if letter in _COMMON or letter in _PUNCTUATION or ord(letter) in _ACCENTS | _TASHKIL:
        return True
    # what is another letter in another form is written as that one
    if script_of(letter) is None or unicodedata.normalize("NFKC", letter) != letter:
        return False
    # some letters look like punctuation, which tells nobody apart
    return script_of(letter) not in _OURS or any(map(_is_letter, skeleton(letter)))


def _seen(name: str) -> str:
    """Return a name in one way of writing, without all that is neither letter nor number nor mark on a letter."""
    spaced = "".join(" " if letter.isspace() else letter for letter in unicodedata.normalize("NFKC", name))
    return unicodedata.normalize("NFC", "".join(letter for letter in spaced if _is_seen(letter)))


def _small_shape(name: str) -> str:
    """Return what the letters and numbers of a name look like in lower case; punctuation tells nobody apart."""
    letters = (letter for letter in person_key(name) if _is_letter(letter) or any(map(_is_letter, skeleton(letter))))
    return skeleton("".join(letters)).casefold()


def _shape(name: str) -> str:
    """Return what a name looks like, but for its blanks."""
    normal = unicodedata.normalize("NFKC", name)
    kept = (one for one in normal if _is_seen(one) or unicodedata.category(one).startswith("P"))
    return "".join(skeleton("".join(kept)).split())


def _is_letter(letter: str) -> bool:
    return unicodedata.category(letter)[0] in "LMN"


def _is_seen(letter: str) -> bool:
    if letter.isascii():
        return letter.isprintable()
    kind = unicodedata.category(letter)[0]
    if kind == "M":
        return _is_allowed(letter)
    return kind in "LN" and not is_ignorable(letter)
