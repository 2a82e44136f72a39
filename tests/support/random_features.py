"""Random feature models with all kinds of templates, and random encoded columns."""

from __future__ import annotations

import random

import numpy as np
from crossarc.features.address import FUNCTIONS, Address
from crossarc.features.template import FeatureModel, Part, Template
from plain_configurations import SIZES, Columns


def random_columns(dice: random.Random, lengths: list[int]) -> Columns:
    """Random encoded columns. Values: 0 for no node, 1 for node 0, 2 for unknown, 3 and more for known values."""
    width = max(lengths) + 2
    columns: Columns = {}
    for name, size in SIZES.items():
        shape = (len(lengths), width) if size.most is None else (len(lengths), width, size.most)
        columns[name] = np.zeros(shape, np.int32)
        for row, n in enumerate(lengths):
            if size.most is None:
                columns[name][row, 0] = 1
                columns[name][row, 1 : n + 1] = [dice.randrange(2, size.values) for _ in range(n)]
            else:
                for word in range(1, n + 1):
                    atoms = dice.sample(range(3, size.values), dice.randint(0, size.most))
                    columns[name][row, word, : len(atoms)] = atoms
    return columns


def every_template(sources: tuple[str, ...], dice: random.Random) -> FeatureModel:
    """A feature model with every function on every source, and with random merges."""
    addresses = [Address(source, k) for source in sources for k in range(3)]
    addresses += [Address(source, k, (f,)) for source in sources for k in range(2) for f in FUNCTIONS]
    addresses += [Address(dice.choice(sources), 0, tuple(dice.choices(list(FUNCTIONS), k=2))) for _ in range(25)]
    parts = [Part("column", (address,), column="form") for address in addresses]
    parts += [Part("deprel", (address,)) for address in addresses]
    parts += [Part("arity", (dice.choice(addresses),), side=side) for side in ("left", "right", "") for _ in range(5)]
    parts += [Part("distance", (dice.choice(addresses), dice.choice(addresses))) for _ in range(15)]
    sets = [Part("column", (a,), column=name) for name in ("feats", "single", "empty") for a in addresses[:8]]
    sets += [Part("dependents", (dice.choice(addresses),), side=side) for side in ("left", "right") for _ in range(9)]
    sets = list(dict.fromkeys(sets))
    templates = [Template((part,)) for part in [*parts, *sets]]
    for _ in range(30):
        merged = dice.sample(parts, dice.randint(2, 5))
        if dice.random() < 0.4:
            merged.insert(dice.randrange(len(merged)), dice.choice(sets))
        templates.append(Template(tuple(merged)))
    return FeatureModel(tuple(dict.fromkeys(templates)))
