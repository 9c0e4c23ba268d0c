"""Movement of investigators: one step into an adjacent space. Section 6."""

import functools
from collections.abc import Collection, Sequence

from content.games.first_edition.schema.cards import Trigger
from protocol.common.asks import RefusedChoice
from protocol.common.text import Text
from protocol.games.first_edition.events import FeatureMoved, Moved, StepSpent
from protocol.games.first_edition.table import (
    CharacterId,
    FeatureId,
    InvestigatorId,
    SpaceId,
)
from protocol.games.first_edition.words import INVESTIGATOR_LINKS, FeatureKind
from server.games.first_edition.rules import (
    adjacency,
    boat,
    evade,
    features,
    horror,
    locks,
    mythos,
    pits,
    places,
    trauma,
)
from server.games.first_edition.rules.play import Play, Refusal, Source, about, chooser, keeper
from server.kernel.asks import Option
from server.rulekit.offers import Offers, PlayerAction


def offers(play: Play, who: InvestigatorId) -> Offers:
    """Offer a step into each adjacent space, with one corpse or none. K-MOVE-1, K-CORPSE-2."""
    table = play.table
    here = table.investigators[who].space
    options: list[Option[PlayerAction]] = []
    refused: list[RefusedChoice] = []
    corpses = table.features_at(here, FeatureKind.CORPSE)
    for space in adjacency.beside(table, here, INVESTIGATOR_LINKS):
        text = Text("choice/move", (places.name(table, space),))
        if reason := _refusal(play, who, space):
            refused.append(RefusedChoice(text, *reason))
            continue
        point = (places.at_space(space),)
        options.append(Option(functools.partial(step, play, who, space), text, point, "move"))
        if corpses:
            drag = functools.partial(step, play, who, space, corpses[0].feature_id)
            dragging = Text("choice/drag", (places.name(table, space),))
            options.append(Option(drag, dragging, point, "move"))
    return Offers(tuple(options), tuple(refused))


def _refusal(play: Play, who: InvestigatorId, space: SpaceId) -> Refusal | None:
    """Return why a step cannot be taken, with its rule; None if it can."""
    table = play.table
    has = table.investigators[who]
    if (reason := stays(play, who)) is not None:
        return reason
    if adjacency.barricade_between(table, has.space, space, INVESTIGATOR_LINKS) is not None:
        return Text("refusal/barricaded"), "K-BARR-3"
    return None


def stays(play: Play, who: InvestigatorId) -> Refusal | None:
    """Return why an investigator takes no step at all now. K-TURN-1, K-HIDE-2, W-PIT-4."""
    if not play.table.steps_left:
        return Text("refusal/no_steps"), "K-TURN-1"
    if who in play.table.trapped:
        return Text("refusal/trapped"), "W-PIT-4"
    if play.table.investigators[who].hidden_in is not None:
        return Text("refusal/hidden"), "K-HIDE-2"
    return None


async def step(
    play: Play, who: InvestigatorId, space: SpaceId, corpse: FeatureId | None = None
) -> None:
    """
    Take one movement step. K-MOVE-1, K-MOVE-2, K-EVADE-1, K-DECIDE-36, K-DECIDE-81, K-CORPSE-1.

    Evade tests come first, then the lock and the fire of the room that is entered, then the move
    and the horror tests. A lock that stays shut costs the step all the same, and so does a step
    before which the keeper's cards lead the investigator elsewhere. Inside a room nobody is tested
    (K-DECIDE-25).
    """
    here = play.table.investigators[who].space
    enters = play.table.room_of(space) != play.table.room_of(here)
    if not await set_out(play, who, space):
        return
    drags = corpse is not None and play.table.features.get(corpse) in play.table.features_at(
        here, FeatureKind.CORPSE
    )
    play.emit(Moved(who, space))
    if drags and corpse is not None:
        play.emit(FeatureMoved(corpse, space))
        features.burn_corpses(play, play.table.room_of(space))
    await come(play, (who,), space, enters=enters)


async def set_out(play: Play, who: InvestigatorId, space: SpaceId) -> bool:
    """
    Spend a step, with the tests that come before the move; return whether one can go on.

    K-EVADE-1, K-DECIDE-36, K-FIRE-2, W-DECIDE-9.
    """
    table = play.table
    here = table.investigators[who].space
    if not await evade.before(play, who):
        return False
    play.emit(StepSpent(who))
    if table.room_of(space) != table.room_of(here):
        if not await locks.try_to_enter(play, who, table.room_of(space)):
            return False
        if is_at(play, who, here):
            await features.enter_fire(play, who, table.room_of(space))
    return is_at(play, who, here)


async def come(
    play: Play,
    people: Sequence[CharacterId],
    space: SpaceId,
    *,
    enters: bool,
    over_pits: Collection[CharacterId] = (),
) -> None:
    """
    Resolve what a move to a space leads to: the pit, then horror tests. K-HORROR-1, W-DECIDE-9.

    Args:
        play: the game.
        people: characters who moved together; they are in the space already.
        space: the space.
        enters: whether they came into another room.
        over_pits: those of them who ignore the pit.
    """
    await pits.trigger(play, [one for one in people if one not in over_pits], space)
    for who in people:
        if enters and is_at(play, who, space):
            await horror.on_entering(play, who)
            await mythos.triggered(play, who, Trigger.ROOM_ENTERED)


def is_at(play: Play, who: CharacterId, space: SpaceId) -> bool:
    """Return whether a character is alive and in a space."""
    has = play.table.investigators.get(who) or play.table.allies.get(who)
    return has is not None and has.space == space


async def lead(
    play: Play,
    who: CharacterId,
    spaces: int,
    source: Source,
    *,
    evades: bool = True,
    over_pits: bool = False,
) -> None:
    """
    Have the keeper, or the owner of the card, lead a character up to a number of spaces.

    K-EVADE-10, K-DECIDE-87. If an investigator leads, evade tests come first, unless `evades` says
    otherwise: W-MOVED-1, W-MOVED-2. A boat that an investigator can use is a way, too: for the
    keeper without others (W-DECIDE-14, W-DECIDE-17). `over_pits` is for levitation (W-PIT-15).
    """
    is_by_keeper = chooser(play, source) == keeper(play)
    for left in range(spaces, 0, -1):
        if not play.table.is_here(who) or who in play.table.trapped:
            return
        options: list[Option[PlayerAction | None]] = [
            Option(None, Text("choice/end_leading"), (), "rest", ends=True)
        ]
        here = play.table.character(who).space
        for space in adjacency.steps(play.table, here, INVESTIGATOR_LINKS):
            if can_be_put(play, who, space, source):
                go = functools.partial(put, play, who, space, over_pits=over_pits)
                options.append(places.leading_to(play.table, who, space, go))
        if boat.can_use(play, who):
            ways = [one for one in boat.spaces(play, who) if can_be_put(play, who, one, source)]
            ride = functools.partial(boat.ride, over_pits=over_pits)
            rides = boat.options(play, who, ways, ride, is_alone=is_by_keeper)
            options += [one.with_value(one.value) for one in rides]
        if len(options) == 1:
            return
        chosen = await play.choose(
            chooser(play, source),
            options,
            rule="K-EVADE-10",
            about=about(source),
            prompt=Text("ask/lead", (source.card, left)),
        )
        if chosen is None or not await slips_away(play, who, source, evades=evades):
            return
        if is_at(play, who, here):
            await chosen()
            await trauma.settle(play)


async def slips_away(play: Play, who: CharacterId, source: Source, *, evades: bool = True) -> bool:
    """
    Take the evade tests of a character whom an investigator's card moves; none for the keeper.

    W-MOVED-1, W-MOVED-2, K-EVADE-10. False if the character was killed.
    """
    if not evades or chooser(play, source) == keeper(play):
        return True
    return await evade.before(play, who)


def can_be_put(play: Play, who: CharacterId, space: SpaceId, source: Source) -> bool:
    """Return whether an effect can move a character there: the keeper not into water. W-WATER-8."""
    drowns = space in play.table.submerged and chooser(play, source) == keeper(play)
    return not drowns and not is_locked(play, who, space)


def is_locked(play: Play, who: CharacterId, space: SpaceId) -> bool:
    """Return whether a space is behind a lock for a character. K-DECIDE-36."""
    table = play.table
    room = table.room_of(space)
    return room in table.locks and room != table.room_of(table.character(who).space)


async def put(
    play: Play,
    who: CharacterId,
    space: SpaceId,
    *,
    is_placed: bool = False,
    over_pits: bool = False,
) -> None:
    """
    Have the keeper or an effect move or place a character; no evade test. K-EVADE-10, K-DECIDE-85.

    In another room there may be a horror test (W-MOVED-3). Who fell into a pit in this turn is not
    moved (W-PIT-4); who is placed falls into none (W-PIT-11).
    """
    table = play.table
    here = table.character(who).space
    is_held = who in table.trapped and not is_placed
    if space == here or is_held or is_locked(play, who, space):
        return
    play.emit(Moved(who, space))
    enters = table.room_of(space) != table.room_of(here)
    above = (who,) if is_placed or over_pits else ()
    await come(play, (who,), space, enters=enters, over_pits=above)
