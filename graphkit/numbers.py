"""Numbers as a reader meets them: on a page, at a terminal, in a notebook. One way for all of them."""

_MINUS = "−"
_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def count(value: int) -> str:
    """Return a whole number with its thousands apart.

    Examples
    --------
    >>> count(299067)
    '299,067'
    """
    return f"{value:,}".replace("-", _MINUS)


def counted(value: int, one: str, many: str) -> str:
    """Return a whole number with what it counts.

    Examples
    --------
    >>> counted(1, "edge", "edges"), counted(14484, "edge", "edges")
    ('1 edge', '14,484 edges')
    """
    return f"{count(value)} {one if value == 1 else many}"


def share(value: float) -> str:
    """Return a share as a percentage of three significant digits; never 0 % or 100 % where it is not.

    Examples
    --------
    >>> share(0.05954), share(0.0), share(0.00001), share(0.99999)
    ('5.95\xa0%', '0\xa0%', '<\xa00.01\xa0%', '>\xa099.9\xa0%')
    """
    if 0 < value < 0.0001:
        return "<\N{NO-BREAK SPACE}0.01\N{NO-BREAK SPACE}%"
    if 0.9995 <= value < 1:
        return ">\N{NO-BREAK SPACE}99.9\N{NO-BREAK SPACE}%"
    return f"{_trimmed(100 * value, 3)}\N{NO-BREAK SPACE}%"


def figure(value: float) -> str:
    """Return a measured figure: whole numbers whole, others with four significant digits.

    Examples
    --------
    >>> figure(81.0), figure(0.529635), figure(-0.0000123), figure(12345.6)
    ('81', '0.5296', '−0.0000123', '12,346')
    """
    return count(round(value)) if float(value).is_integer() or abs(value) >= 10_000 else _trimmed(value, 4)


def signed(value: float, digits: int = 3) -> str:
    """Return a difference with its sign, with some significant digits unless it is whole.

    Examples
    --------
    >>> signed(216.0), signed(-0.00414), signed(0.0)
    ('+216', '−0.00414', '0')
    """
    if value == 0:
        return "0"
    text = count(round(abs(value))) if float(value).is_integer() else _trimmed(abs(value), digits)
    return (_MINUS if value < 0 else "+") + text


def signed_share(value: float) -> str:
    """Return a relative difference as a percentage, with its sign unless it is tiny.

    Examples
    --------
    >>> signed_share(0.01491), signed_share(-0.2), signed_share(0.0)
    ('+1.5\xa0%', '−20\xa0%', '0\xa0%')
    """
    if 0 < abs(value) < 0.0001:
        return share(abs(value))
    return f"{signed(100 * value, 2)}\N{NO-BREAK SPACE}%"


def tick(value: float) -> str:
    """Return the label of a tick of a logarithmic axis, short whatever its size.

    Examples
    --------
    >>> tick(1000), tick(100000), tick(2000000), tick(250000)
    ('1,000', '10⁵', '2·10⁶', '250,000')
    """
    exponent = len(str(round(value))) - 1
    leading = round(value / 10**exponent)
    if value < 100_000 or leading * 10**exponent != value:
        return figure(value)
    power = "10" + str(exponent).translate(_SUPERSCRIPTS)
    return power if leading == 1 else f"{leading}·{power}"


def _trimmed(value: float, digits: int) -> str:
    """Return a number with some significant digits, in decimal notation, without trailing zeros."""
    if value == 0:
        return "0"
    rounded = float(f"{value:.{digits - 1}e}")
    decimals = max(0, digits - 1 - int(f"{rounded:e}".split("e")[1]))
    text = f"{rounded:,.{decimals}f}"
    return (text.rstrip("0").rstrip(".") if "." in text else text).replace("-", _MINUS)
