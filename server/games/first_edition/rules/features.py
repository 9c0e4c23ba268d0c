"""Features and markers: fire, darkness, corpses and what stands in spaces. Sections 25 and 26."""

from collections.abc import Iterable

from protocol.common.text import Text
from protocol.games.first_edition.events import FeaturePlaced, FeatureRemoved, Hid
from protocol.games.first_edition.table import PIT_SUPPLY, CharacterId, FeatureId, RoomId
from protocol.games.first_edition.words import Attribute, FeatureKind, TestKind
from server.games.first_edition.rules import adjacency, harm, pits
from server.games.first_edition.rules.play import Play
from server.games.first_edition.rules.tests import attribute_test


async def enter_fire(play: Play, who: CharacterId, room: RoomId) -> None:
    """Test the will of somebody who wants to enter a burning room. K-FIRE-2 to K-FIRE-4."""
    if not play.table.is_burning(room):
        return
    about = Text("about/fire_test", (who, room))
    if not await attribute_test(play, who, Attribute.WILLPOWER, kind=TestKind.FIRE, about=about):
        await harm.suffer(play, who, horror=1)


def place(play: Play, kind: FeatureKind, at: str) -> None:
    """
    Put a feature or a marker on the board. K-DECIDE-79, K-SUPPLY-2, K-SUPPLY-4, K-CORPSE-4.

    Without a corpse marker left nothing happens, nor where there can be none of the kind (`free`).
    """
    table = play.table
    if not free(play, kind, (at,)):
        return
    if kind is FeatureKind.CORPSE and not table.corpses_left:
        return
    if kind is FeatureKind.PIT:
        pits.place(play, at)
        return
    play.emit(FeaturePlaced(kind, at))
    room = at if kind.is_of_room else table.room_of(at)
    burn_corpses(play, room)


def free(play: Play, kind: FeatureKind, places: Iterable[str]) -> list[str]:
    """
    Return the places that can get a feature or a marker of a kind.

    A room has at most one fire and one darkness marker (K-DECIDE-78), a space one pit (W-PIT-14),
    as long as pits are left (W-PIT-9). A boat is beside a barrier (W-DECIDE-18).
    """
    table = play.table
    if kind is FeatureKind.BOAT:
        return [one for one in places if adjacency.across_barriers(table, one)]
    if kind is FeatureKind.PIT and not table.piles.get(PIT_SUPPLY):
        return []
    is_single = kind.is_of_room or kind is FeatureKind.PIT
    return [one for one in places if not (is_single and table.features_at(one, kind))]


def remove(play: Play, feature: FeatureId) -> None:
    """Remove a feature or a marker; an investigator hidden in it is no longer hidden. W-PIT-7."""
    for who in play.table.investigators.values():
        if who.hidden_in == feature:
            play.emit(Hid(who.investigator_id, None))
    if play.table.features[feature].kind is FeatureKind.PIT:
        pits.take_back(play, feature)
    else:
        play.emit(FeatureRemoved(feature))


def fire_can_spread_to(play: Play) -> tuple[RoomId, ...]:
    """
    Return the rooms that fire can reach, in the order of the board. K-CAMP-2, K-DECIDE-79.

    They are beside a burning room, or hold a campfire or are beside it, and do not burn yet. Doors
    do not stop fire, walls do.
    """
    table = play.table
    rooms = table.map.rooms
    alight = [one for one in rooms if table.is_burning(rooms[one])]
    hearths = [one.at for one in table.features.values() if one.kind is FeatureKind.CAMPFIRE]
    near = {
        rooms[other]
        for space in (*alight, *hearths)
        for other in (space, *adjacency.beside(table, space, ()))
    }
    found = [room for room in dict.fromkeys(rooms.values()) if room in near]
    return tuple(room for room in found if not table.is_burning(room))


def burn_corpses(play: Play, room: RoomId) -> None:
    """Discard the corpses in a burning room. K-CORPSE-3, K-SUPPLY-3."""
    if not play.table.is_burning(room):
        return
    for space in play.table.map.spaces_of(room):
        for corpse in play.table.features_at(space, FeatureKind.CORPSE):
            play.emit(FeatureRemoved(corpse.feature_id))
