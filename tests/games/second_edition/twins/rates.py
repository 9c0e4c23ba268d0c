"""Rates: the share of pairs in which a planted leak is found.

python -m tests.games.second_edition.twins.rates [LEAK ...]

measures them for the pairs in which the leak can show.
"""

import sys
from collections.abc import Iterator

import pytest

from content.games.second_edition.schema.pack import Pack
from tests.games.second_edition.house_pack import house
from tests.games.second_edition.spellbook import spellbook
from tests.games.second_edition.twins import faults, faults_of_chance  # noqa: F401  # declare leaks
from tests.games.second_edition.twins.games import Spec, play_first
from tests.games.second_edition.twins.leaks import LEAKS, Game
from tests.games.second_edition.twins.packs import random_pack
from tests.games.second_edition.twins.twin import Knower, knowers, play_twin
from tests.games.twins.leaks import Leak


def found(
    leak: Leak[Game], twins: int = 1, soon: tuple[int, int | None] = (0, None)
) -> Iterator[bool]:
    """Yield for each pair in which a leak can show whether it is found.

    Args:
        twins: number of twins of a game for each group of viewers.
        soon: index of the game to play first, and the seat whose viewers come first.
    """
    place, seat = soon
    others = (*leak.games[:place], *leak.games[place + 1 :])
    for source, scenario, seed in (leak.games[place], *others):
        pack = _pack(source)
        scenario = scenario or list(pack.scenarios)[seed % 4]  # noqa: PLW2901 (its own)
        spec = Spec(source, scenario, seed, 3, leak.steps, comes=leak.concerns)
        with pytest.MonkeyPatch.context() as patch:
            leak.plant(patch)
            first = play_first(spec, pack)
            every = sorted(knowers(first), key=lambda knower: knower.seat != seat)
            for number in range(twins):
                for knower in every:
                    if not _concerns(leak, knower, spec):
                        continue
                    for compared in play_twin(first, knower, number).comparisons:
                        if compared.viewer.split()[0] in leak.kinds:
                            yield compared.found is not None


def _pack(source: str) -> Pack:
    if source.startswith("random"):
        return random_pack(int(source.split()[1]))
    return house() if source == "house" else spellbook()


def _concerns(leak: Leak[Game], knower: Knower, spec: Spec) -> bool:
    """True if some viewers with this knowledge can see the leak."""
    if knower.is_heir:
        return "Heir" in leak.kinds
    if {*leak.kinds} <= {"LogReader", "NextPart", "Operator"} or spec.is_delayed:
        return knower.seat is None
    is_bot = knower.seat is not None and not spec.is_persons(knower.seat)
    return is_bot if leak.kinds == ("Bot",) else leak.kinds != ("Heir",)


def main(names: list[str]) -> None:
    """Measure and print the rates of some leaks, or of all."""
    for name in names or LEAKS:
        results = list(found(LEAKS[name], twins=2))
        share = sum(results) / max(len(results), 1)
        sys.stdout.write(f"{name:52} {sum(results):4} of {len(results):4} {share:6.1%}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
