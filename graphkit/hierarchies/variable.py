"""A categorical variable of a table."""

from dataclasses import dataclass

from graphkit.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class Variable:
    """A name and its categories, in order.

    Raises
    ------
    InvalidInput
        If the name or a category is empty, there is no category, or one is there twice.

    Examples
    --------
    >>> Variable("smoking", ("no", "yes")).size
    2
    """

    name: str
    categories: tuple[str, ...]

    def __post_init__(self) -> None:
        if not self.name.strip():
            raise InvalidInput("a variable has no name; give every column one")
        if not self.categories:
            raise InvalidInput(f"variable '{self.name}' has no categories")
        if not all(category.strip() for category in self.categories):
            raise InvalidInput(f"variable '{self.name}' has a category without a name; write one, such as 'unknown'")
        if len(set(self.categories)) < len(self.categories):
            raise InvalidInput(f"variable '{self.name}' has the same category twice")

    @property
    def size(self) -> int:
        """Number of categories."""
        return len(self.categories)
