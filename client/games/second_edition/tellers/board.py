"""Events on the board, in words."""

from collections.abc import Iterator

from client.games.second_edition.tellers.base import DICE, SecondEditionContext, one_line, tells
from client.tellers.base import Told, Tone
from protocol.boards.maps import Boundary, Covering
from protocol.games.second_edition import events as se
from protocol.games.second_edition.table import Phase

one_line(se.InvestigatorJoined, "joined", lambda e, at: (at.who(e.investigator), at.seat(e.seat)))


@tells(se.TilePlaced)
def _(event: se.TilePlaced, at: SecondEditionContext) -> Iterator[Told]:
    rooms = dict.fromkeys(room for _, room in event.tile.rooms)
    names = ", ".join(at.speaker.name("room", room) for room in rooms)
    yield Tone.ACTION, at.say("tile_placed", names)


@tells(se.TileRemoved)
def _(event: se.TileRemoved, at: SecondEditionContext) -> Iterator[Told]:
    tile = next(tile for tile in at.game_before.tiles if tile.tile == event.tile)
    rooms = dict.fromkeys(room for _, room in tile.rooms)
    names = ", ".join(at.speaker.name("room", room) for room in rooms)
    yield Tone.ACTION, at.say("tile_removed", names)


@tells(se.CoveringPlaced)
def _(event: se.CoveringPlaced, at: SecondEditionContext) -> Iterator[Told]:
    key = "wall_placed" if event.covering.line is Boundary.WALL else "door_placed"
    yield Tone.ACTION, at.say(key, _beside(event.covering, at))


@tells(se.CoveringRemoved)
def _(event: se.CoveringRemoved, at: SecondEditionContext) -> Iterator[Told]:
    coverings = at.game_before.coverings
    covering = next(c for c in coverings if c.covering == event.covering)
    key = "wall_removed" if covering.line is Boundary.WALL else "door_removed"
    yield Tone.ACTION, at.say(key, _beside(covering, at))


def _beside(covering: Covering, at: SecondEditionContext) -> str:
    """Return the names of the map rooms on both sides of a Wall or Door token."""
    return " / ".join(at.space(space) for space in at.game.map.beside(covering.cells))


@tells(se.TokenPlaced)
def _(event: se.TokenPlaced, at: SecondEditionContext) -> Iterator[Told]:
    token, game = event.token, at.game
    # Tokens of the setup come with their tile, which was told.
    if game.phase is Phase.SETUP:
        return
    door = game.map.doors.get(token.at)
    space = door.sides[0] if door is not None and door.sides else token.at
    kind = "anybody" if token.is_anonymous else token.kind.value
    yield Tone.ACTION, at.say(f"token_placed.{kind}", at.space(space))


@tells(se.PersonHealth)
def _(event: se.PersonHealth, at: SecondEditionContext) -> Iterator[Told]:
    person = at.speaker.person(at.game.tokens[event.token])
    before = at.game_before.persons.get(event.token)
    if event.damage >= event.health:
        yield Tone.ACTION, at.say("person_dies", person)
    elif before is None:
        yield Tone.ACTION, at.say("person_health", person, event.health)
    elif event.damage > before.damage:
        more = event.damage - before.damage
        yield Tone.ACTION, at.say("person_hurt", person, more, event.health - event.damage)
    else:
        less = before.damage - event.damage
        yield Tone.ACTION, at.say("person_healed", person, less, event.health - event.damage)


@tells(se.TokenMoved)
def _(event: se.TokenMoved, at: SecondEditionContext) -> Iterator[Told]:
    token = at.speaker.token(at.game.tokens[event.token])
    yield Tone.ACTION, at.say("moved", token, at.space(event.at))


@tells(se.FeaturePlaced)
def _(event: se.FeaturePlaced, at: SecondEditionContext) -> Iterator[Told]:
    # Features of the setup come with their tile, as tokens do.
    if at.game.phase is not Phase.SETUP:
        feature = event.feature
        yield Tone.ACTION, at.say(f"placed.{feature.kind.value}", at.space(feature.space))


@tells(se.FeatureRemoved)
def _(event: se.FeatureRemoved, at: SecondEditionContext) -> Iterator[Told]:
    feature = at.game_before.features[event.feature]
    yield Tone.ACTION, at.say(f"removed.{feature.kind.value}", at.space(feature.space))


@tells(se.BarricadeShifted)
def _(event: se.BarricadeShifted, at: SecondEditionContext) -> Iterator[Told]:
    before = at.game_before.features[event.feature].against
    key = "unblocked" if event.against is None else "blocked"
    door = at.game.map.doors.get(event.against or before or "")
    # What it blocks is a door, named by the rooms beside it, or else a Secret Passage.
    blocked = (
        at.speaker.say("feature.secret_passage")
        if door is None
        else " / ".join(at.space(space) for space in door.sides)
    )
    yield Tone.ACTION, at.say(key, blocked)


@tells(se.BarricadeAssaulted)
def _(event: se.BarricadeAssaulted, at: SecondEditionContext) -> Iterator[Told]:
    key = "assault_broken" if event.is_broken else "assault"
    dice = " ".join(DICE[face] for face in event.faces)
    yield Tone.DICE, at.say(key, at.monster(event.monster), dice).rstrip()


@tells(se.BarricadeRerolled)
def _(event: se.BarricadeRerolled, at: SecondEditionContext) -> Iterator[Told]:
    key = "assault_again_broken" if event.is_broken else "assault_again"
    dice = " ".join(DICE[face] for face in event.faces)
    yield Tone.DICE, at.say(key, at.monster(event.monster), dice).rstrip()


@tells(se.InvestigatorMoved)
def _(event: se.InvestigatorMoved, at: SecondEditionContext) -> Iterator[Told]:
    who = at.who(event.investigator)
    if event.space is None:
        yield Tone.ACTION, at.say("off_board", who)
    elif at.game.phase is not Phase.SETUP:
        yield Tone.ACTION, at.say("moved", who, at.space(event.space))
