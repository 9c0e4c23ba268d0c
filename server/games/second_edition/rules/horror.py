"""
Horror checks: the effect of a monster within range on an investigator.

Rules HORROR-1 to HORROR-6, SECRET-13, DECIDE-138, DECIDE-139.
"""

from collections.abc import Iterator, Sequence

from content.games.second_edition.schema.monsters import Entry
from protocol.common.text import Text
from protocol.games.second_edition.events import DealtWith, Told
from protocol.games.second_edition.table import InvestigatorId, MonsterId, SecondEditionTable
from protocol.values import evolve
from server.games.second_edition.rules import distance, effects, interplay, naming, simultaneous
from server.games.second_edition.rules.play import Play, Source, because
from server.kernel.asks import Option


def most_horrible(table: SecondEditionTable, investigator: InvestigatorId) -> tuple[MonsterId, ...]:
    """Return the monsters within range with the highest horror rating. Rules HORROR-1, HORROR-2."""
    space = table.investigators[investigator].space
    if space is None:
        return ()
    spaces = distance.within_range(table, space)
    seen = [monster for monster in table.monsters.values() if monster.space in spaces]
    worst = max((monster.horror_rating for monster in seen), default=0)
    return tuple(monster.monster_id for monster in seen if monster.horror_rating == worst)


def waiting(table: SecondEditionTable) -> tuple[InvestigatorId, ...]:
    """Return the investigators whose horror check is still due. Rules HORROR-4 and DECIDE-138."""
    return tuple(
        who for who in table.standing() if who not in table.done and most_horrible(table, who)
    )


async def check(play: Play) -> None:
    """
    Have the investigators resolve their horror checks, in an order that the group can change.

    Nothing is asked if the order cannot matter. Rules HORROR-1 to HORROR-6, CONFLICT-2, DECIDE-138
    and DECIDE-142. In games before version 3 each call resolves one check, for the investigator
    that the group votes for.
    """
    if play.version < 3:
        await _check(play, await _voted(play))
        return
    people = waiting(play.table)
    matters = any(
        interplay.effect_matters(play, entry.effect, people, is_inner=False)
        for entry in _possible_texts(play, people)
    )
    with because(play, Text("within/horror_checks")):
        ordered = await simultaneous.each_in_order(play, people, matters=matters)
    for investigator in ordered:
        # A check before theirs may have moved them, or the monster, or ended the game for them.
        if investigator in waiting(play.table):
            await _check(play, investigator)


def _possible_texts(play: Play, people: Sequence[InvestigatorId]) -> Iterator[Entry]:
    """Yield every text that may be drawn in the horror checks of these investigators."""
    monsters = dict.fromkeys(one for who in people for one in most_horrible(play.table, who))
    for kind in dict.fromkeys(play.table.monsters[one].kind for one in monsters):
        yield from play.content.pack.monsters[kind].horrors


async def _voted(play: Play) -> InvestigatorId:
    """
    Let the group vote whose horror check is next, as in games before version 3.

    Rule DECIDE-138.
    """
    return await play.agree(
        play.table.standing(),
        [
            Option(who, Text("choice/who", (who,)), (naming.at_investigator(who),))
            for who in waiting(play.table)
        ],
        rule="DECIDE-138",
        about=Text("about/horror_order"),
        prompt=Text("ask/horror_order"),
    )


async def _check(play: Play, investigator: InvestigatorId) -> None:
    """Resolve one horror check. Rules HORROR-1 to HORROR-6."""
    # Marked first: whatever the check does to them, it is not made twice.
    play.emit(DealtWith(investigator))
    monster = await _choose_monster(play, investigator)
    card = play.content.pack.monsters[play.table.monsters[monster].kind]
    # One text serves all who face the monster in this step; it is read out again only if it speaks
    # of the investigator.
    was_told = play.version > 2 and _drawn_before(play, monster) is not None
    entry = card.horrors[_drawn_text(play, monster)]
    if not was_told or play.content.pack.speaks_of_actor(entry.text):
        told = Text(entry.text, (investigator, naming.monster(play.table, monster)))
        play.emit(Told(told, monster))
    with play.within(Text("choice/horror", (naming.monster(play.table, monster),))):
        await effects.resolve(play, entry.effect, Source(investigator, monster))


async def _choose_monster(play: Play, investigator: InvestigatorId) -> MonsterId:
    """Let the investigator choose among equally horrible monsters. Rule HORROR-3."""
    worst = most_horrible(play.table, investigator)
    if len(worst) == 1 or (play.version > 2 and _are_alike(play, worst)):
        return worst[0]
    return await play.choose(
        play.seat_of(investigator),
        [
            Option(
                monster,
                Text("choice/horror", (naming.monster(play.table, monster),)),
                (naming.at_monster(monster),),
                "fight",
            )
            for monster in worst
        ],
        rule="HORROR-3",
        about=Text("about/horror", (investigator,)),
        prompt=Text("ask/horror", (investigator,)),
    )


def _are_alike(play: Play, monsters: Sequence[MonsterId]) -> bool:
    """Return True if monsters differ only in their ID tokens, so that the choice has no effect."""
    table = play.table
    # A text that was drawn in this step is known; one that is still to be drawn may be any.
    drawn = {
        next((item.rpartition("/")[2] for item in table.done if item.startswith(mark)), None)
        for mark in (f"text/{one}/" for one in monsters)
    }
    first, *others = (evolve(table.monsters[one], monster_id="", number=0) for one in monsters)
    return len(drawn) == 1 and all(other == first for other in others)


def _drawn_text(play: Play, monster: MonsterId) -> int:
    """
    Return the number of a monster's horror text in this step. Rules HORROR-5 and DECIDE-139.

    The number is drawn once in a step, and applies to every investigator.
    """
    drawn = _drawn_before(play, monster)
    if drawn is not None:
        return drawn
    texts = play.content.pack.monsters[play.table.monsters[monster].kind].horrors
    number = 0 if len(texts) == 1 else play.pick("horror check", range(len(texts)))
    play.emit(DealtWith(f"text/{monster}/{number}"))
    return number


def _drawn_before(play: Play, monster: MonsterId) -> int | None:
    """Return the number of the text that was drawn for a monster in this step; None if none was."""
    mark = f"text/{monster}/"
    drawn = next((item for item in play.table.done if item.startswith(mark)), None)
    return None if drawn is None else int(drawn.removeprefix(mark))
