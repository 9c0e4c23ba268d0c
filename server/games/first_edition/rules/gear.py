"""Feature actions: barricades are moved, and corpses burnt. K-BARR-1, K-BARR-2, K-CAMP-1."""

import functools
from collections.abc import Iterator

from protocol.boards.maps import Boundary
from protocol.common.text import Text
from protocol.games.first_edition.events import BarricadeSet, FeatureRemoved
from protocol.games.first_edition.table import Feature, FeatureId, InvestigatorId, SpaceId
from protocol.games.first_edition.words import FeatureKind
from server.games.first_edition.rules import places, turn
from server.games.first_edition.rules.play import Play
from server.kernel.asks import Option
from server.rulekit.offers import Offers, together


def offers(play: Play, who: InvestigatorId) -> Offers:
    """Offer the actions of the features in the own space. K-ACT-2."""
    here = play.table.investigators[who].space
    barricades = play.table.features_at(here, FeatureKind.BARRICADE)
    return together(
        [
            *(offer for barricade in barricades for offer in _of_barricade(play, who, barricade)),
            _of_campfire(play, who, here),
        ]
    )


def _of_barricade(play: Play, who: InvestigatorId, barricade: Feature) -> Iterator[Offers]:
    """Yield the ways to move a barricade: before a door of its space, or away. K-DECIDE-84."""
    point = (places.at_feature(barricade.feature_id),)
    ways: list[tuple[Text, SpaceId | None]] = []
    if barricade.against is not None:
        behind = places.name(play.table, barricade.against)
        ways.append((Text("choice/unblock", (behind,)), None))
    else:
        ways += [
            (Text("choice/block", (places.name(play.table, space),)), space)
            for space in doors(play, barricade.at)
        ]
    for text, against in ways:
        move = functools.partial(move_barricade, play, who, barricade.feature_id, against)
        yield turn.no_action(play, text, "feature") or Offers((Option(move, text, point, "use"),))


def doors(play: Play, space: SpaceId) -> tuple[SpaceId, ...]:
    """Return the spaces behind the doors of a space."""
    edges = play.table.map.edges_of(space)
    return tuple(edge.across(space) for edge in edges if edge.line is Boundary.DOOR)


async def move_barricade(
    play: Play, who: InvestigatorId, barricade: FeatureId, against: SpaceId | None
) -> None:
    """Move a barricade of the own space, which blocks or frees a door. K-BARR-1, K-BARR-2."""
    if not await turn.begin_action(play, who, "feature"):
        return
    feature = play.table.features.get(barricade)
    if feature is not None and feature.at == play.table.investigators[who].space:
        play.emit(BarricadeSet(barricade, against))


def _of_campfire(play: Play, who: InvestigatorId, here: SpaceId) -> Offers:
    corpses = play.table.features_at(here, FeatureKind.CORPSE)
    if not corpses or not play.table.features_at(here, FeatureKind.CAMPFIRE):
        return Offers()
    text = Text("choice/burn_corpses")
    return turn.no_action(play, text, "feature") or Offers(
        (Option(functools.partial(burn_corpses, play, who), text, (), "use"),)
    )


async def burn_corpses(play: Play, who: InvestigatorId) -> None:
    """Burn one or more corpses at the campfire of the own space, by one action. K-CAMP-1."""
    if not await turn.begin_action(play, who, "feature"):
        return
    here = play.table.investigators[who].space
    corpses = play.table.features_at(here, FeatureKind.CORPSE)
    count = len(corpses)
    if count > 1:
        options = [Option(n, Text("choice/burn_count", (n,))) for n in range(count, 0, -1)]
        count = await play.choose(
            play.seat_of(who),
            options,
            rule="K-CAMP-1",
            about=Text("about/burn_corpses", (who,)),
            prompt=Text("ask/burn_corpses", (who,)),
        )
    for corpse in corpses[:count]:
        play.emit(FeatureRemoved(corpse.feature_id))
