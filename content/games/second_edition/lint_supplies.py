"""The linter's chapter on tokens: whether the box has as many as the board can need at once."""

from collections import Counter
from collections.abc import Iterator

from content.games.second_edition.reach import reach_by_clearing
from content.games.second_edition.schema.box import OF_TOKENS, Supply
from content.games.second_edition.schema.kinds import Kind
from content.games.second_edition.schema.pack import Pack
from content.games.second_edition.schema.scenario import Scenario
from content.language.findings import Finding


def supply_findings(pack: Pack, scenario: Scenario) -> Iterator[Finding]:
    """
    Yield findings for heaps from which a scenario could take more tokens than there are. LIMIT-2.

    Only tokens that can be on the board at once are added up. A board before it is cleared and the
    board afterwards are counted separately. Of tiles that take turns in one place, only the one
    with the most tokens counts.
    """
    steads = {tile.id: tile.stead for tile in scenario.tiles}
    most: Counter[Supply] = Counter()
    for found in reach_by_clearing(pack, scenario):
        tokens = [t for t in scenario.tokens if found.has(Kind.TOKEN, t.id)]
        on_tiles = Counter((OF_TOKENS[t.kind], t.at.rpartition("/")[0]) for t in tokens)
        # Where tiles take turns, only the one with the most tokens counts.
        in_steads: Counter[tuple[Supply, str]] = Counter()
        for (heap, tile), count in on_tiles.items():
            in_steads |= Counter({(heap, steads.get(tile, tile)): count})
        at_once: Counter[Supply] = Counter()
        for (heap, _), count in in_steads.items():
            at_once[heap] += count
        # The greater count of each heap, not the sum: boards follow one another.
        most |= at_once
    for heap, count in most.items():
        if count > pack.box.count(heap):
            reason = f"{count} tokens can be on the board at once, and the box has"
            yield Finding(scenario.id, heap.value, f"{reason} {pack.box.count(heap)}")
