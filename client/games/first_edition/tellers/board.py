"""Figures, monsters, features and locks on the board, in words."""

from collections.abc import Iterator

from client.games.first_edition.tellers.base import FirstEditionContext, one_line, tells
from client.tellers.base import Told, Tone
from protocol.games.first_edition import events as fe
from protocol.games.first_edition.table import Phase
from protocol.games.first_edition.words import AttackKind, FeatureKind

one_line(fe.MonsterMoved, "moved", lambda e, at: (at.monster(e.monster), at.space(e.space)))
one_line(fe.MonsterKilled, "killed", lambda e, at: (at.monster(e.monster),))
one_line(fe.MonsterRemoved, "monster_gone", lambda e, at: (at.monster(e.monster),))
one_line(fe.LockOpened, "lock_opened", lambda e, at: (at.speaker.room(e.room),))


@tells(fe.Moved)
def _(event: fe.Moved, at: FirstEditionContext) -> Iterator[Told]:
    if at.game.phase is not Phase.SETUP:
        yield Tone.ACTION, at.say("moved", at.who(event.investigator), at.space(event.space))
        if event.investigator not in at.game.investigators:
            # Allies open no room.
            return
        before, room = at.game_before, at.game.room_of(event.space)
        if room not in {*before.entered, before.map.rooms.get(before.start)}:
            yield from at.text_of(room)


@tells(fe.Hid)
def _(event: fe.Hid, at: FirstEditionContext) -> Iterator[Told]:
    who = at.game.investigators[event.investigator]
    key = "comes_out" if event.spot is None else "hides"
    yield Tone.ACTION, at.say(key, at.who(event.investigator), at.space(who.space))


@tells(fe.MonsterPlaced)
def _(event: fe.MonsterPlaced, at: FirstEditionContext) -> Iterator[Told]:
    placed = [*at.game.monsters.values()][-1]
    name = at.speaker.monster(at.game, placed)
    yield Tone.ACTION, at.say("appears", name, at.space(event.space))


@tells(fe.MonsterHurt)
def _(event: fe.MonsterHurt, at: FirstEditionContext) -> Iterator[Told]:
    key = "monster_hurt" if event.damage >= 0 else "monster_healed"
    yield Tone.ACTION, at.say(key, at.monster(event.monster), abs(event.damage))


@tells(fe.MonsterStunned)
def _(event: fe.MonsterStunned, at: FirstEditionContext) -> Iterator[Told]:
    key = "stunned" if event.count >= 0 else "less_stunned"
    left = at.game.monsters[event.monster].stun
    yield Tone.ACTION, at.say(key, at.monster(event.monster), left)


@tells(fe.MonsterBackShown)
def _(event: fe.MonsterBackShown, at: FirstEditionContext) -> Iterator[Told]:
    back, name = event.back, at.monster(event.monster)
    yield Tone.ACTION, at.say("back_shown", name, back.health, back.damage)
    yield from at.written_on(back.back)


@tells(fe.FeaturePlaced)
def _(event: fe.FeaturePlaced, at: FirstEditionContext) -> Iterator[Told]:
    # What the story puts on the board at the start is seen there.
    if at.game.phase is not Phase.SETUP:
        key = f"journal.placed.{event.kind.value}"
        yield Tone.ACTION, at.speaker.say(key, at.place(event.at))


@tells(fe.FeatureRemoved)
def _(event: fe.FeatureRemoved, at: FirstEditionContext) -> Iterator[Told]:
    feature = at.game_before.features[event.feature]
    key = f"journal.removed.{feature.kind.value}"
    yield Tone.ACTION, at.speaker.say(key, at.place(feature.at))


@tells(fe.FeatureMoved)
def _(event: fe.FeatureMoved, at: FirstEditionContext) -> Iterator[Told]:
    is_boat = at.game.features[event.feature].kind is FeatureKind.BOAT
    yield Tone.ACTION, at.say("boat_moved" if is_boat else "corpse_dragged", at.space(event.at))


@tells(fe.PitPlaced)
def _(event: fe.PitPlaced, at: FirstEditionContext) -> Iterator[Told]:
    if at.game.phase is not Phase.SETUP:
        yield Tone.ACTION, at.speaker.say("journal.placed.pit", at.space(event.at))


@tells(fe.PitTriggered)
def _(event: fe.PitTriggered, at: FirstEditionContext) -> Iterator[Told]:
    names, many = at.speaker.locale.in_a_row([*map(at.figure, event.figures)]), len(event.figures)
    place = at.space(at.game.features[event.feature].at)
    yield Tone.STEP, at.say("pit", names, many, place, event.damage)


@tells(fe.BarricadeSet)
def _(event: fe.BarricadeSet, at: FirstEditionContext) -> Iterator[Told]:
    barricade = at.game.features[event.feature]
    behind = event.against or at.game_before.features[event.feature].against
    key = "unblocked" if event.against is None else "blocked"
    sides = [barricade.at, behind] if behind is not None else [barricade.at]
    yield Tone.ACTION, at.say(key, " / ".join(map(at.space, sides)))


@tells(fe.LockShown)
def _(event: fe.LockShown, at: FirstEditionContext) -> Iterator[Told]:
    yield Tone.ACTION, at.say("lock_shown", at.speaker.room(event.room), at.card(event.card))
    yield from at.written_on(event.card)


@tells(fe.Attacked)
def _(event: fe.Attacked, at: FirstEditionContext) -> Iterator[Told]:
    who, monster = at.who(event.investigator), at.monster(event.monster)
    ally = at.game.allies.get(event.investigator)
    if event.card:
        yield Tone.ACTION, at.say("attacks_with", who, monster, at.card(event.card))
    elif ally is not None and ally.weapon is not AttackKind.UNARMED:
        kind = at.speaker.say(f"attack.{ally.weapon.value}")
        yield Tone.ACTION, at.say("attacks_as", who, monster, kind)
    else:
        yield Tone.ACTION, at.say("attacks", who, monster)


one_line(
    fe.MonsterAttacked,
    "monster_attacks",
    lambda e, at: (at.monster(e.monster), at.who(e.investigator)),
    Tone.STEP,
)
