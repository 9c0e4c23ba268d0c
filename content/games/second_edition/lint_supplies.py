"""The linter's chapter on tokens: whether the box has as many as the board can need at once."""

from collections import Counter
from collections.abc import Iterable, Iterator

from content.games.second_edition.reach import reach_by_clearing
from content.games.second_edition.schema.box import OF_TOKENS, Supply
from content.games.second_edition.schema.kinds import Kind
from content.games.second_edition.schema.pack import Pack
from content.games.second_edition.schema.scenario import Scenario, TokenCard
from content.language.findings import Finding


def supply_findings(pack: Pack, scenario: Scenario) -> Iterator[Finding]:
    """
    Yield the heaps from which a scenario could take more than there is. Rule LIMIT-2.

    Tokens from before the board is cleared do not count with later ones, nor do tokens on tiles
    that take turns in one place.
    """
    most: Counter[Supply] = Counter()
    for found in reach_by_clearing(pack, scenario):
        most |= _at_once(scenario, (t for t in scenario.tokens if found.has(Kind.TOKEN, t.id)))
    for heap, count in most.items():
        if count > pack.box.count(heap):
            reason = f"{count} tokens can be on the board at once, and the box has"
            yield Finding(scenario.id, heap.value, f"{reason} {pack.box.count(heap)}")


def _at_once(scenario: Scenario, tokens: Iterable[TokenCard]) -> Counter[Supply]:
    """Count the most tokens of each heap at one time; where tiles take turns, on one of them."""
    steads = {tile.id: tile.stead for tile in scenario.tiles}
    on_tiles = Counter((OF_TOKENS[token.kind], token.at.rpartition("/")[0]) for token in tokens)
    in_steads: Counter[tuple[Supply, str]] = Counter()
    for (heap, tile), count in on_tiles.items():
        in_steads |= Counter({(heap, steads.get(tile, tile)): count})
    most: Counter[Supply] = Counter()
    for (heap, _), count in in_steads.items():
        most[heap] += count
    return most
