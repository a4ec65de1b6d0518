"""Categories inside compiled loops: how far it is from one to another."""

from graphkit.kernels import kernel


@kernel
def step_to_other(category: int, other: int) -> int:
    """Return how far it is from a category to one of the others, these numbered from 0."""
    return other + (other >= category) - category
