"""Compiles the moves of tables for this machine, as `make engines` does: no command without a store reaches them."""

import numpy as np

from graphkit.tables.moves.basic_moves import BasicMoves
from graphkit.tables.moves.walks import TableWalk

if __name__ == "__main__":
    pairs = ((0, 1), (0, 2), (1, 2))
    walk = TableWalk(BasicMoves.of((3, 3, 3), pairs), pairs, np.arange(27) % 3)
    walk.towards(0, 9, np.random.default_rng(1))
