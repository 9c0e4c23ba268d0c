"""
Values: what cards give and forbid while they do, worked out whenever it is used. Section 2.15.

Nothing here is stored on the table (C-BABIL-18): each function goes through the cards in play that
can give what it asks for, and through the lasting effects.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any, TypeVar

import attrs

from content.games.cards.schema.cards import (
    Ability,
    AbilityZone,
    AgendaCard,
    Does,
    EnemyCard,
    InvestigatorCard,
    LocationFace,
    PlayerCard,
    StoryCard,
)
from content.games.cards.schema.kinds import Amount, CardType, Deed, Factor, Keyword, Slot, Stat
from content.games.cards.schema.modifiers import (
    Blank,
    Cannot,
    How,
    IconsModifier,
    KeywordModifier,
    Modifier,
    ResultModifier,
    SkillModifier,
    SlotModifier,
    StatModifier,
    Thing,
    TraitModifier,
    While,
)
from content.games.cards.schema.pack import type_of
from content.games.cards.schema.steps import LastingStep
from content.games.cards.schema.targets import Filter
from protocol.games.cards.table import Card, CardsTable, InvestigatorId, PieceId, hand_of
from protocol.games.cards.words import IN_PLAY, WILD, Skill, Token, Word, Zone
from server.games.cards.rules import conditions, targets
from server.games.cards.rules.play import (
    NOTHING,
    Play,
    Source,
    face_of,
    is_beside,
    is_players,
    showing,
    step_of,
    texts_of,
)

M = TypeVar("M", bound=Modifier)

SLOTS = {
    Slot.ALLY: 1,
    Slot.ACCESSORY: 1,
    Slot.BODY: 1,
    Slot.HAND: 2,
    Slot.ARCANE: 2,
    Slot.TAROT: 1,
}
"""C-BPLAY-8."""


FIELDS = {which: which.value.replace("-", "_") for which in Stat}
"""The field of a face on which each value is printed."""
HAVE_VALUES = (EnemyCard, LocationFace, PlayerCard, StoryCard, InvestigatorCard)
"""Faces on which values are printed."""


@attrs.define(eq=False)
class _Working:
    """The values of one table: those being worked out, and those found so far."""

    blank: set[PieceId] = attrs.field(factory=set)
    """Cards of which it is worked out whether they are blank."""
    traits: set[PieceId] = attrs.field(factory=set)
    """Cards whose traits are worked out."""
    state: tuple[CardsTable | None, bool] = (None, False)
    """The table, and what else conditions look at: whose tokens count."""
    found: dict[object, Any] = attrs.field(factory=dict)


def _working(play: Play) -> _Working:
    working: _Working | None = play.worked_out.get("values")
    if working is None:
        working = play.worked_out["values"] = _Working()
    return working


def found_on(play: Play) -> dict[object, Any]:
    """
    Return the cache of the current table, by key; rules add to it.

    While blanks or traits are worked out it is empty and not kept: results are not final then.
    """
    working = _working(play)
    if working.blank or working.traits:
        return {}
    state = play.table, is_beside(play)
    if working.state[0] is not state[0] or working.state[1] is not state[1]:
        working.state, working.found = state, {}
    return working.found


def given(play: Play, kind: type[M], about: Word | None = None) -> Sequence[tuple[M, Source]]:
    """
    Return what constant abilities and lasting effects give of one kind, each with its source.

    What encounter cards give comes last, so that it prevails where both set a value. C-BABIL-3.

    Args:
        play: the game.
        kind: class of the modifiers.
        about: what they are about, for the classes whose modifiers are about something.
    """
    if (kind, about) not in play.content.giving and not play.table.lasting:
        return ()
    found = found_on(play)
    if (kind, about) not in found:
        found[kind, about] = _in_order(play, kind, about)
    known: Sequence[tuple[M, Source]] = found[kind, about]
    return known


def _in_order(play: Play, kind: type[M], about: Word | None) -> Sequence[tuple[M, Source]]:
    found = [one for one in _given(play, kind, about) if one[0].about is about]
    if len(found) > 1:
        found.sort(key=lambda one: not is_players(play, one[1].code))
    return found


def _given(play: Play, kind: type[M], about: Word | None) -> Iterator[tuple[M, Source]]:
    """
    Yield what cards give of a kind, in the order in which they came.

    A card that gives one about this may give others of the kind, which are among them.

    The abilities of an exhausted card are in force (C-BPLAY-20), those of a blank one are not
    (C-BABIL-26); a committed card gives what it says while it is committed (C-COMMIT-4), and a
    hidden one what it says in the hand (C-BKEY-6).
    """
    content, table = play.content, play.table
    codes = content.giving.get((kind, about), NOTHING)
    for card in showing(play, codes):
        zone = card.at.zone
        if zone in IN_PLAY and zone is not Zone.SWARM:
            works = AbilityZone.PLAY
        elif zone is Zone.COMMITTED and committed_text(play, card):
            works = AbilityZone.COMMITTED
        else:
            continue
        if kind is Blank or not is_blank(play, card):
            yield from _constants(play, card.shown, card.piece, you_of(card), works, kind)
    for who in () if codes.isdisjoint(content.hidden) else table.order:
        for code in hidden_in_hand(play, who):
            if code in codes:
                yield from _constants(play, code, "", who, AbilityZone.PLAY, kind)
    for effect in table.lasting:
        code, step = step_of(play, effect)
        assert isinstance(step, LastingStep)
        fixed = Source(code, "", effect.of, fixed=effect.amount, holder=effect.holder)
        fixed.they = tuple(id_ for id_ in effect.on if id_ in table.cards)
        fixed.them = tuple(id_ for id_ in effect.on if id_ in table.investigators)
        if not fixed.they and not fixed.them:
            # What it was for has left play: nothing else takes its place. C-BABIL-20.
            continue
        for one in _unfolded(play, step.gives, fixed):
            if isinstance(one, kind):
                yield one, fixed


def _constants(
    play: Play, code: str, piece: PieceId, you: InvestigatorId, works: AbilityZone, kind: type[M]
) -> Iterator[tuple[M, Source]]:
    for ability in play.content.faces[code].abilities:
        if ability.does is Does.CONSTANT and ability.zone is works:
            source = Source(code, piece, you, holder="" if piece else you)
            if ability.if_ is None or conditions.holds(play, ability.if_, source):
                for one in _unfolded(play, ability.gives, source):
                    if isinstance(one, kind):
                        yield one, source


def _unfolded(play: Play, gives: tuple[Modifier, ...], source: Source) -> Iterator[Modifier]:
    for one in gives:
        if not isinstance(one, While):
            yield one
        elif conditions.holds(play, one.if_, source):
            yield from _unfolded(play, one.gives, source)


def hidden_in_hand(play: Play, who: InvestigatorId) -> tuple[str, ...]:
    """Return the hidden encounter cards in a hand. C-BKEY-6."""
    return texts_of(play).hidden.get(who, ())


def committed_text(play: Play, card: Card) -> tuple[Ability, ...]:
    """Return the abilities of a committed card: a skill alone has any. C-BTEST-6, C-COMMIT-4."""
    face = play.content.faces[card.shown]
    return face.abilities if type_of(face) is CardType.SKILL else ()


def you_of(card: Card) -> InvestigatorId:
    """Return whom a card in play calls "you" by its place: controller, or bearer. C-YOU-4."""
    if card.controller:
        return card.controller
    return card.at.of if card.at.zone in OF_INVESTIGATORS else ""


OF_INVESTIGATORS = frozenset([Zone.THREAT, Zone.COMMITTED, Zone.PLAY])
"""Zones whose places name an investigator."""


def is_blank(play: Play, card: Card) -> bool:
    """
    Return whether the text box of a card is blank. C-BABIL-26.

    While that is worked out for a card, which may depend on its keywords, it counts as not blank.
    """
    if (Blank, None) not in play.content.giving and not play.table.lasting:
        return False
    asked = _working(play).blank
    if card.piece in asked:
        return False
    asked.add(card.piece)
    try:
        return any(applies(play, card, one.of, source) for one, source in given(play, Blank))
    finally:
        asked.discard(card.piece)


def applies(play: Play, card: Card, of: Filter, source: Source) -> bool:
    """
    Return whether a modifier is for a card.

    That of a lasting effect is for the objects that were fixed as it began, and for no others.
    C-BABIL-20.
    """
    if source.they:
        return card.piece in source.they
    return targets.fits(play, card, of, source)


# Values


def stat(play: Play, card: Card, which: Stat) -> int | None:
    """
    Return a value of a card with all modifiers, at least 0; None for a dash. C-BABIL-29.

    Numbers "per investigator" count those who started (C-BZONE-18). C-BDMG-20.
    """
    printed = printed_stat(play, card, which)
    if printed is None:
        return None
    changes = [
        (one.how, number(play, one.by, source))
        for one, source in given(play, StatModifier, which)
        if applies(play, card, one.of, source)
    ]
    return max(0, worked_out(printed, changes))


def printed_stat(play: Play, card: Card, which: Stat) -> int | None:
    """Return a printed value of a card; None if it has none."""
    face = face_of(play, card)
    value: Amount | int | None = None
    if isinstance(face, HAVE_VALUES):
        value = getattr(face, FIELDS[which], None)
    if which is Stat.SWARMING and (value is None or is_blank(play, card)):
        # A keyword, which a card may gain without having it, and has not while it is blank.
        value = 0
    elif isinstance(face, AgendaCard) and which is Stat.DOOM:
        value = face.doom
    if isinstance(value, Amount):
        return number(play, value, Source(card.shown, card.piece, you_of(card)))
    return value


def worked_out(value: int, changes: list[tuple[How, int]]) -> int:
    """
    Return a value with its modifiers. C-BABIL-18, C-BABIL-19.

    "Set" replaces the value that the others work on, the last one that of others; then additions,
    then doubling and halving, rounded up.
    """
    if not changes:
        return value
    for how, by in changes:
        if how is How.SET:
            value = by
    value += sum(by for how, by in changes if how is How.ADD)
    doubled = sum(1 for how, _ in changes if how is How.DOUBLE)
    halved = sum(1 for how, _ in changes if how is How.HALVE)
    # Rounded up.
    return -(-(value << doubled) >> halved)


def skill(
    play: Play,
    who: InvestigatorId,
    which: Skill | Stat,
    deed: Deed | None = None,
    *,
    base: int = -1,
    before_test: bool = False,
) -> int:
    """
    Return a value of an investigator with all modifiers, not yet bounded. C-BTEST-9.

    Args:
        play: the game.
        who: the investigator.
        which: the value.
        deed: kind of the test that is going on, if one is.
        base: replaces the printed value; -1 for none.
        before_test: the value is that of a test which may follow.
    """
    value = base if base >= 0 else printed_skill(play, who, which)
    changes = [
        (how, by) for how, by, _ in skill_changes(play, who, which, deed, before_test=before_test)
    ]
    return worked_out(value, changes)


def skill_changes(
    play: Play,
    who: InvestigatorId,
    which: Skill | Stat,
    deed: Deed | None = None,
    *,
    before_test: bool = False,
) -> Iterator[tuple[How, int, Source]]:
    """Yield the modifiers of a value of an investigator, each with what gives it. C-BTEST-9."""
    test = play.table.test
    in_test = before_test or (test is not None and test.tester == who)
    for one, source in given(play, SkillModifier, Stat(which.value)):
        if one.in_test and not in_test:
            continue
        if one.deed is not None and one.deed is not deed:
            continue
        if who in (source.them or targets.people_now(play, one.of, source)):
            yield one.how, number(play, one.by, source), source


def printed_skill(play: Play, who: InvestigatorId, which: Skill | Stat) -> int:
    """Return a value of an investigator as printed."""
    if which is Stat.HAND_SIZE:
        return HAND_SIZE
    return int(getattr(play.content.pack.investigators[who], which.value, 0))


HAND_SIZE = 8
"""C-BUPK-4."""


def number(play: Play, amount: Amount, source: Source) -> int:
    """
    Return the number of an amount. C-BZONE-18, C-BABIL-24, C-BLOC-13.

    Resources on cards do not count as those of "you" (C-RES-2).
    """
    per, table = amount.per, play.table
    if per is Factor.ONCE:
        return amount.n
    if per is Factor.INVESTIGATORS:
        return amount.n * len(table.investigators)
    if per is Factor.X:
        return amount.n * source.x
    if per is Factor.FIXED:
        return amount.n * source.fixed
    if per is Factor.FOUND:
        return amount.n * source.found
    if per is Factor.CHOSEN:
        return amount.n * (len(source.they) + len(source.them))
    if per is Factor.THAT:
        return amount.n * (source.occurrence.amount if source.occurrence else 0)
    if per is Factor.THAT_CLUES:
        one = source.occurrence
        known = None if one is None else one.last_known(table)
        return 0 if known is None else amount.n * known.count(Token.CLUE)
    if per is Factor.ICONS:
        return 0 if table.test is None else amount.n * icons(play, table.test.skill)
    if per is Factor.VENGEANCE:
        return amount.n * vengeance(play)
    if per is Factor.MARGIN:
        return amount.n * margin(play)
    if not source.you or source.you not in table.order:
        return 0
    if per is Factor.RESOURCES:
        return amount.n * table.count(source.you, Token.RESOURCE)
    if per is Factor.CLUES:
        return amount.n * table.count(source.you, Token.CLUE)
    return amount.n * len(table.piles.get(hand_of(source.you), ()))


def bonus(play: Play, who: InvestigatorId, deed: Deed) -> int:
    """Return what cards add to the result of an attack or an investigation. C-BACT-20."""
    return sum(
        number(play, one.by, source)
        for one, source in given(play, ResultModifier)
        if one.deed is deed
        and (source.you == who or who in source.them or _adds_to_tester(play, source, who))
    )


def _adds_to_tester(play: Play, source: Source, who: InvestigatorId) -> bool:
    """Return whether a committed card changes the result for the tester. C-COMMIT-2."""
    card = play.table.cards.get(source.piece)
    test = play.table.test
    return (
        card is not None
        and card.at.zone is Zone.COMMITTED
        and test is not None
        and test.tester == who
    )


def icons(play: Play, skill: Skill) -> int:
    """Return the number of matching icons of the committed cards."""
    return sum(matching(play, card.shown, skill, card.piece) for card in play.table.committed())


def matching(play: Play, code: str, skill: Skill, piece: PieceId = "") -> int:
    """
    Return the number of icons of a card that match a skill. C-WILD-1, C-BTEST-25, C-BTEST-1.

    Wild ones count (C-WILD-2, C-WILD-3). A committed card may have been given more (C-COMMIT-5).
    """
    face = play.content.faces[code]
    printed: tuple[str, ...] = getattr(face, "icons", ())
    count = printed.count(skill.value) + printed.count(WILD)
    card = play.table.cards.get(piece)
    return count if card is None else count + wild_icons_given(play, card)


def wild_icons_given(play: Play, card: Card) -> int:
    """Return the number of wild icons that a committed card has been given. C-COMMIT-5."""
    return sum(
        one.by for one, source in given(play, IconsModifier) if applies(play, card, one.of, source)
    )


def vengeance(play: Play) -> int:
    """Return the vengeance of the cards in the victory display. C-BKEY-29, C-FLIP-3."""
    shown = (face_of(play, card) for card in play.table.lying(Zone.VICTORY))
    return sum(getattr(face, "vengeance", None) or 0 for face in shown)


def margin(play: Play) -> int:
    """Return by how much the test succeeded or failed; 0 outside of tests. C-BTEST-12."""
    test = play.table.test
    if test is None or test.value is None:
        return 0
    return abs(test.value - test.difficulty)


# Keywords, traits, slots and what cannot be


def has_keyword(play: Play, card: Card, keyword: Keyword) -> bool:
    """Return whether a card has a keyword; one gained and lost is lost. C-BABIL-27, C-BABIL-39."""
    face = face_of(play, card)
    has = face is not None and keyword in getattr(face, "keywords", ()) and not is_blank(play, card)
    for one, source in given(play, KeywordModifier):
        if one.keyword is keyword and applies(play, card, one.of, source):
            if one.loses:
                return False
            has = True
    return has


def traits(play: Play, card: Card) -> frozenset[str]:
    """Return the traits of a card, which a blank one keeps. C-BZONE-21, C-BABIL-38."""
    face = face_of(play, card)
    found = set(() if face is None else face.traits)
    asked = _working(play).traits
    if card.piece in asked:
        # A modifier that gives a trait looks at traits: at the printed ones.
        return frozenset(found)
    asked.add(card.piece)
    lost: set[str] = set()
    try:
        for one, source in given(play, TraitModifier):
            if applies(play, card, one.of, source):
                (lost if one.loses else found).add(one.trait)
    finally:
        asked.discard(card.piece)
    return frozenset(found - lost)


def slots(play: Play, who: InvestigatorId, without: Collection[PieceId] = ()) -> dict[Slot, int]:
    """Return the slots of an investigator, but for what some cards give. C-BPLAY-8, C-BPLAY-9."""
    found = dict(SLOTS)
    for one, source in given(play, SlotModifier):
        if source.you == who and source.piece not in without:
            found[one.slot] += one.number
    return found


def cannot(
    play: Play,
    thing: Thing,
    who: InvestigatorId = "",
    card: Card | None = None,
    place: Card | None = None,
    code: str = "",
) -> Source | None:
    """
    Return what forbids something to an investigator, or with a card; None if nothing does.

    "Cannot" is absolute. C-BABIL-2, C-DECIDE-47.

    Args:
        play: the game.
        thing: what would be done.
        who: the investigator who would do it.
        card: the card that would do it, or to which it would be done.
        place: the location that would be left or entered.
        code: the card, if it does not lie open.
    """
    for one, source in given(play, Cannot, thing):
        if source.them and (one.of is not None or one.card is None):
            # A lasting effect forbids it to those that were fixed as it began. C-BABIL-20.
            if who not in source.them:
                continue
        elif one.of is not None and who not in targets.people_now(play, one.of, source):
            continue
        if one.card is not None and not _is_meant(play, card, code, one.card, source):
            continue
        if one.where is not None and (
            place is None or not targets.fits(play, place, one.where, source)
        ):
            continue
        return source
    return None


def _is_meant(play: Play, card: Card | None, code: str, of: Filter, source: Source) -> bool:
    if card is not None:
        return applies(play, card, of, source)
    return bool(code) and targets.fits_in_hand(play, code, of)


def most(
    play: Play, cards: list[Card], count: Callable[[Card], int], *, fewest: bool
) -> list[Card]:
    """Return the cards with the most or the fewest of something. C-CHOICE-5, C-CHOICE-6."""
    del play
    if not cards:
        return []
    best = (min if fewest else max)(map(count, cards))
    return [card for card in cards if count(card) == best]
