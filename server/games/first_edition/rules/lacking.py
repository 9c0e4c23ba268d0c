"""
What a requirement lacks, in words: the reason why a card or an action is refused.

Requirements of cards and deeds ask for public facts alone, so the words tell nothing secret. Clues
and story cards that nobody has seen yet are not named.
"""

import functools
from collections.abc import Iterator, Sequence

from content.games.first_edition.schema import requirements as schema
from content.games.first_edition.schema import targets
from content.games.first_edition.schema.requirements import Requirement
from content.games.first_edition.schema.targets import Which, Who
from protocol.common.text import MAX_NESTED, Text
from server.games.first_edition.rules import places, requirements
from server.games.first_edition.rules.play import Play, Source

_MOST = 3
"""Parts of one requirement that are named."""
_MORE = Text("needs/more")
"""Refers the reader to the text of the card or the action."""


def reason(play: Play, requirement: Requirement | None, source: Source) -> Text:
    """
    Return the reason of a refusal: what a requirement that does not hold asks for.

    Where its parts are nested so deep that the text could not be sent, it refers to the card.
    """
    assert requirement is not None
    whole = Text("refusal/condition", (_lacking(play, requirement, source),))
    return whole if _depth(whole) < MAX_NESTED else Text("refusal/condition", (_MORE,))


def _depth(text: Text) -> int:
    """Return the levels of texts in a text, with itself."""
    return 1 + max((_depth(one) for one in text.params if isinstance(one, Text)), default=0)


def _lacking(play: Play, requirement: Requirement, source: Source) -> Text:
    if isinstance(requirement, schema.AllOf):
        missing = [one for one in requirement.of if not requirements.holds(play, one, source)]
        return _joined("needs/and", [_lacking(play, one, source) for one in missing])
    return _asked(play, requirement, source)


def _asked(play: Play, requirement: Requirement, source: Source) -> Text:  # noqa: C901, PLR0912 (a case for each)
    """Return what a requirement asks for, whether it holds or not."""
    match requirement:
        case schema.AllOf(of):
            return _joined("needs/and", [_asked(play, one, source) for one in of])
        case schema.AnyOf(of):
            return _joined("needs/or", [_asked(play, one, source) for one in of])
        case schema.Not(of=one):
            return Text("needs/not", (_asked(play, one, source),))
        case schema.Investigators():
            return _investigators(play, requirement, source)
        case schema.Monsters():
            return _monsters(play, requirement, source)
        case schema.HasFeature(kind, within, at_least):
            name = f"feature/{kind.value}"
            many = Text("needs/features", (name, at_least))
            feature = Text("needs/feature", (name,)) if at_least == 1 else many
            return _joined("needs/with", [feature, *_within(play, within, source)])
        case schema.ItemsLie(within):
            return _joined("needs/with", [Text("needs/lying"), *_within(play, within, source)])
        case schema.ClueFound():
            return Text("needs/clue")
        case schema.Revealed(is_so):
            return Text("needs/revealed" if is_so else "needs/unrevealed")
        case schema.EventsResolved(at_least):
            return Text("needs/events", (at_least,))
        case schema.HasThreat(at_least):
            return Text("needs/threat", (at_least, play.table.threat))
        case schema.Counted(of=name, at_least=at_least, at_most=at_most):
            line = play.table.counters[name]
            least = Text("needs/at_least", (line.name, at_least or 0, line.amount))
            most = Text("needs/at_most", (line.name, at_most or 0, line.amount))
            if at_least is None or at_most is None:
                return most if at_least is None else least
            # Inside `not` both bounds may hold.
            return _joined("needs/and", [least, most])
        case schema.Killed(kind, at_least):
            return Text("needs/killed", (kind, at_least, play.table.killed.get(kind, 0)))
        case schema.Deaths(at_least):
            return Text("needs/deaths", (at_least,))
        case schema.AllyIs(ally):
            facts = [Text("needs/insane")] if requirement.insane else []
            facts += _within(play, requirement.within, source)
            if requirement.talked is not None:
                facts.append(Text("needs/talked", (requirement.talked,)))
            return _joined("needs/with", [Text("needs/name", (ally,)), *facts])
        case schema.Told(tale):
            allies = play.content.story.allies
            tellers = (one.ally for one in allies for its in one.tales if its.id == tale)
            return Text("needs/told", (next(tellers),))
        case schema.Solved(puzzle):
            return Text("needs/solved", (puzzle,))
    return _MORE


def _joined(between: str, parts: Sequence[Text]) -> Text:
    """Join parts by the words of `between`, two at a time; what is left over has to be read."""
    named = [*parts[:_MOST], *([_MORE] if len(parts) > _MOST else [])]
    return functools.reduce(lambda one, other: Text(between, (one, other)), named)


def _within(play: Play, place: str | None, source: Source) -> Iterator[Text]:
    """Yield the place that a requirement names, if it is one place."""
    spaces = () if place is None else places.spaces_at(play, place, source)
    if place in play.table.map.rooms.values():
        yield Text("needs/within", (place or "",))
    elif len(spaces) == 1:
        yield Text("needs/within", (places.name(play.table, spaces[0]),))


def _investigators(play: Play, asked: schema.Investigators, source: Source) -> Text:
    count = asked.at_least
    where: list[Text] = []
    match asked.who:
        case Who.ACTOR if source.actor is not None:
            who = Text("needs/name", (source.actor,))
        case Who.ALLIES:
            who = Text("needs/ally" if count == 1 else "needs/allies", (count,))
        case targets.TheAlly(ally):
            who = Text("needs/name", (ally,))
        case Who.OTHERS:
            who = Text("needs/other" if count == 1 else "needs/others", (count,))
        case _:
            who = Text("needs/investigator" if count == 1 else "needs/investigators", (count,))
    match asked.who:
        case Who.SPACE:
            where = [Text("needs/same_space")]
        case Who.ROOM | Who.COMRADE:
            where = [Text("needs/same_room")]
        case targets.AllIn(place):
            where = [*_within(play, place, source)]
        case targets.AllWithItem(item):
            where = [Text("needs/item", (item,))]
    facts = (
        (asked.outdoors, Text("needs/outdoors")),
        (asked.dark, Text("needs/dark")),
        (asked.alone, Text("needs/alone")),
        (asked.insane, Text("needs/insane")),
        (asked.hidden, Text("needs/hidden")),
        (asked.stunned, Text("needs/stunned")),
        (asked.health_at_most is not None, Text("needs/health", (asked.health_at_most or 0,))),
        (asked.sanity_at_most is not None, Text("needs/sanity", (asked.sanity_at_most or 0,))),
        (asked.item is not None, Text("needs/item", (asked.item or "",))),
        (asked.spells, Text("needs/spell")),
        (asked.trauma, Text("needs/trauma")),
    )
    found = [*where, *_within(play, asked.within, source)]
    found += [text for is_asked, text in facts if is_asked]
    if asked.keyword is not None:
        found.append(Text(f"needs/keyword_{asked.keyword.value}"))
    return _joined("needs/with", [who, *found])


def _monsters(play: Play, asked: schema.Monsters, source: Source) -> Text:
    count = asked.at_least
    plain = Text("needs/monster" if count == 1 else "needs/monsters", (count,))
    where: list[Text] = []
    match asked.which:
        case targets.OfKind(kind):
            plain = Text("needs/kind" if count == 1 else "needs/kinds", (kind, count))
        case targets.OfClass(class_):
            plain = Text(f"needs/class_{class_.value}", (count,))
        case Which.SPACE:
            where = [Text("needs/same_space")]
        case Which.ROOM:
            where = [Text("needs/same_room")]
        case targets.MonstersIn(place):
            where = [*_within(play, place, source)]
    facts = (
        (asked.with_investigator, Text("needs/with_investigator")),
        (asked.stunned, Text("needs/stunned")),
        (asked.damaged, Text("needs/damaged")),
    )
    found = [*where, *_within(play, asked.within, source)]
    return _joined("needs/with", [plain, *found, *(text for is_so, text in facts if is_so)])
