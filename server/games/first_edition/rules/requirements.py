"""Requirements: the questions that cards and stories ask about the table."""

from content.games.first_edition.schema import requirements as schema
from content.games.first_edition.schema.requirements import Requirement
from protocol.games.first_edition.table import Ally, AllyId, Investigator, Monster
from protocol.games.first_edition.words import FeatureKind
from server.games.first_edition.rules import answers, places, targets
from server.games.first_edition.rules.play import Play, Source


def holds(play: Play, requirement: Requirement | None, source: Source) -> bool:
    """Return whether a requirement holds for the source of an effect; None always holds."""
    match requirement:
        case None:
            return True
        case schema.AllOf(of):
            return all(holds(play, one, source) for one in of)
        case schema.AnyOf(of):
            return any(holds(play, one, source) for one in of)
        case schema.Several(of, at_least):
            return sum(holds(play, one, source) for one in of) >= at_least
        case schema.Not(of=one):
            return not holds(play, one, source)
    return _is_so(play, requirement, source)


def _is_so(play: Play, fact: Requirement, source: Source) -> bool:  # noqa: C901, PLR0912 (a case for each)
    table = play.table
    match fact:
        case schema.Investigators():
            return _count_investigators(play, fact, source) >= fact.at_least
        case schema.Monsters():
            return _count_monsters(play, fact, source) >= fact.at_least
        case schema.HasFeature(kind, within, at_least):
            found = [one for one in table.features.values() if one.kind is kind]
            who = table.investigators.get(source.actor or "") if within == "actor" else None
            if kind is FeatureKind.DARKNESS and who is not None and who.has_lantern:
                # With a lantern nobody counts as being in a dark room. K-DARK-5.
                return False
            if within is not None:
                there = places.of_feature(play, kind, within, source)
                found = [one for one in found if one.at in there]
            return len(found) >= at_least
        case schema.ItemsLie(within):
            return any(table.lying.get(room) for room in places.rooms_at(play, within, source))
        case schema.ClueFound(clue):
            return clue in table.clues
        case schema.Revealed(is_so):
            return (table.revealed is not None) is is_so
        case schema.Answered(question, option):
            return answers.of_both(table).get(question) == option
        case schema.EventsResolved(at_least):
            return len(table.resolved) >= at_least
        case schema.HasThreat(at_least):
            return table.threat >= at_least
        case schema.Counted(of=name, at_least=at_least, at_most=at_most):
            amount = table.counters[name].amount
            return (at_least is None or amount >= at_least) and (
                at_most is None or amount <= at_most
            )
        case schema.Killed(kind, at_least):
            return table.killed.get(kind, 0) >= at_least
        case schema.StoryCardShown(card):
            return card in table.told
        case schema.Solved(puzzle):
            return puzzle in table.solved
        case schema.Deaths(at_least):
            return table.deaths >= at_least
        case schema.AllyIs():
            return _ally_fits(play, fact, source)
        case schema.AlliesGone(at_least, unheard):
            gone = [one for one in table.tales if one not in table.allies]
            return sum(not (unheard and _talked(play, one)) for one in gone) >= at_least
        case schema.Told(tale):
            return tale in table.told
    raise TypeError(fact)


def is_in_dark(play: Play, who: Investigator | Ally) -> bool:
    """Return whether darkness has an effect on a character. K-DARK-4, K-DARK-5, K-DECIDE-82."""
    return play.table.is_dark(play.table.room_of(who.space)) and not who.has_lantern


def _count_investigators(play: Play, asked: schema.Investigators, source: Source) -> int:
    return sum(
        _fits(play, play.table.character(one), asked, source)
        for one in targets.in_question(play, asked.who, source)
    )


def _fits(
    play: Play, who: Investigator | Ally, asked: schema.Investigators, source: Source
) -> bool:
    table = play.table
    within = asked.within
    return (
        (within is None or who.space in places.spaces_at(play, within, source))
        and (not asked.outdoors or table.room_of(who.space) in table.outdoor)
        and (not asked.dark or is_in_dark(play, who))
        and (not asked.alone or all(one == who for one in table.in_room(table.room_of(who.space))))
        and (not asked.insane or who.is_insane)
        and (not asked.hidden or who.hidden_in is not None)
        and (not asked.stunned or who.stun > 0)
        and (asked.health_at_most is None or who.health_left <= asked.health_at_most)
        and (asked.sanity_at_most is None or who.sanity_left <= asked.sanity_at_most)
        and (asked.item is None or any(item.card == asked.item for item in who.items))
        and (asked.keyword is None or any(asked.keyword in item.keywords for item in who.items))
        and (not asked.spells or bool(who.spells))
        and (not asked.trauma or who.injury is not None or who.insanity is not None)
        and (not asked.cursed or who.curses > 0)
    )


def _ally_fits(play: Play, asked: schema.AllyIs, source: Source) -> bool:
    """Return whether an ally is on the board, and as it is asked for. W-DECIDE-33."""
    ally = play.table.allies.get(asked.ally)
    return (
        ally is not None
        and (asked.within is None or ally.space in places.spaces_at(play, asked.within, source))
        and (not asked.insane or ally.is_insane)
        and (asked.talked is None or _talked(play, asked.ally) >= asked.talked)
    )


def _talked(play: Play, ally: AllyId) -> int:
    """Return how many story cards of an ally were turned up. W-DECIDE-32."""
    tales = [tale.id for one in play.content.story.allies if one.ally == ally for tale in one.tales]
    return sum(tale in play.table.told for tale in tales)


def _count_monsters(play: Play, asked: schema.Monsters, source: Source) -> int:
    table = play.table

    def fits(monster: Monster) -> bool:
        within = asked.within
        return (
            (within is None or monster.space in places.spaces_at(play, within, source))
            and (not asked.with_investigator or bool(table.in_room(table.room_of(monster.space))))
            and (not asked.stunned or monster.stun > 0)
            and (not asked.damaged or monster.damage > 0)
        )

    which = targets.which_monsters(play, asked.which, source)
    return sum(fits(table.monsters[one]) for one in which)
