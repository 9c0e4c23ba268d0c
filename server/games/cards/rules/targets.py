"""
Targets: which cards and investigators an ability concerns. Sections 1.12 and 2.15.

`fits` asks whether a card is as a filter says; `cards` and `people` find what a step concerns, and
ask whoever the text leaves the choice to (C-BABIL-34). What must be looked at as it was just before
an occurrence is looked at on the table of that moment (C-DECIDE-51).
"""

from collections.abc import Callable, Sequence

from content.games.cards.schema.cards import AnyCard, PlayerCard
from content.games.cards.schema.kinds import CardClass, CardType, Keyword, Stat
from content.games.cards.schema.pack import AnyFace, type_of
from content.games.cards.schema.targets import (
    Cards,
    Choose,
    Each,
    Engaged,
    Extreme,
    Filter,
    Most,
    Nearest,
    Parity,
    People,
    TheCard,
    Topmost,
    Where,
    Who,
)
from protocol.common.asks import Audience, Point, Settle
from protocol.common.text import Text
from protocol.games.cards.events import LeadChosen
from protocol.games.cards.table import (
    ENCOUNTER,
    Card,
    CardsTable,
    InvestigatorId,
    PieceId,
    Place,
    further,
)
from protocol.games.cards.words import Token, Zone
from server.games.cards.rules import locations, values
from server.games.cards.rules.play import (
    Play,
    Source,
    face_of,
    lead,
    location_of,
    seat,
    shown_by,
)
from server.kernel.asks import Option


def fits(
    play: Play, card: Card, of: Filter, source: Source, table: CardsTable | None = None
) -> bool:
    """
    Return whether an open card is as a filter says.

    "Your cards" are those that you control, whoever owns them (C-YOU-9, C-YOU-10).

    Args:
        play: the game.
        card: the card, as it lies on `table`.
        of: what must hold.
        source: the ability that asks; it says who "you" is and which card is "this".
        table: the table on which the card is looked at; the present one if left out.
    """
    on = table or play.table
    face = face_of(play, card)
    if face is None or not fits_printed(face, of):
        return False
    # A location is called by either face.
    if of.id is not None and of.id not in (card.code, face.id):
        return False
    if not _is_named(card, of, source, on):
        return False
    if (of.traits or of.without) and not _has_traits(values.traits(play, card), of):
        return False
    if of.keyword is not None and not values.has_keyword(play, card, of.keyword):
        return False
    if of.not_keyword is not None and values.has_keyword(play, card, of.not_keyword):
        return False
    if of.yours is not None and of.yours is not (card.controller == source.you):
        return False
    if not _lies_as(card, of):
        return False
    if of.engaged is not None and not _is_engaged(play, card, of.engaged, source, on):
        return False
    if of.at is not None and not _is_at(play, card, of.at, on):
        return False
    if of.bare_of is not None and any(
        one.at == Place(Zone.ON, card.piece) and one.code == of.bare_of for one in on.cards.values()
    ):
        return False
    return of.where is None or is_where(play, card, of.where, source, on)


def _is_named(card: Card, of: Filter, source: Source, on: CardsTable) -> bool:
    """Return whether a card is the one that a filter names, seen from the ability. C-BABIL-25."""
    if of.this and card.piece != source.piece:
        return False
    if of.other and card.piece == source.piece:
        return False
    if of.they and card.piece not in source.they:
        return False
    this = on.cards.get(source.piece)
    return not of.host or (this is not None and this.at.of == card.piece)


def _lies_as(card: Card, of: Filter) -> bool:
    """Return whether a card is exhausted, revealed and laden as a filter says. C-LOC-7."""
    if of.exhausted is not None and of.exhausted is not card.is_exhausted:
        return False
    if of.revealed is not None and of.revealed is not bool(card.face):
        return False
    if of.holds and not card.count(of.holds):
        return False
    return not (of.lacks and card.count(of.lacks))


def _is_at(play: Play, card: Card, code: str, on: CardsTable) -> bool:
    """Return whether a card is at a location, by either face. C-LOC-1, C-LOC-2."""
    place = on.cards.get(location_of(play, card, on))
    return place is not None and code in (place.code, place.face)


def fits_printed(face: AnyFace, of: Filter) -> bool:
    """
    Return whether a printed card is as a filter says, as far as what is printed tells.

    0 is even, and no cost is neither even nor odd, nor 0. C-COST-6, C-COST-7, C-DECIDE-40.
    """
    if of.types and type_of(face) not in of.types:
        return False
    if of.class_ is not None and of.class_ not in classes(face):
        return False
    if of.weakness is not None and of.weakness is not is_weakness(face):
        return False
    if of.unique is not None and of.unique is not (isinstance(face, AnyCard) and face.unique):
        return False
    cost = face.cost if isinstance(face, PlayerCard) else None
    if of.cost_at_most is not None and (cost is None or cost > of.cost_at_most):
        return False
    return of.cost_is is None or (
        cost is not None and (Parity.ODD if cost % 2 else Parity.EVEN) is of.cost_is
    )


def fits_in_hand(play: Play, code: str, of: Filter) -> bool:
    """Return whether a card that does not lie open is as a filter says, by what is printed."""
    face = play.content.faces[code]
    if of.id is not None and of.id != code:
        return False
    if not fits_printed(face, of) or not _has_traits(frozenset(face.traits), of):
        return False
    keywords: Sequence[Keyword] = face.keywords if isinstance(face, AnyCard) else ()
    if of.keyword is not None and of.keyword not in keywords:
        return False
    return of.not_keyword is None or of.not_keyword not in keywords


def classes(face: AnyFace) -> tuple[CardClass, ...]:
    """Return the classes of a card; several for a card of several. C-MULTI-1."""
    return face.class_ if isinstance(face, PlayerCard) else ()


def is_weakness(face: AnyFace) -> bool:
    """Return whether a card is a weakness."""
    return bool(getattr(face, "weakness", False))


def _has_traits(has: frozenset[str], of: Filter) -> bool:
    """Return whether traits are as a filter says; "non-X" is without X. C-BZONE-29."""
    return (not of.traits or not has.isdisjoint(of.traits)) and has.isdisjoint(of.without)


def _is_engaged(play: Play, card: Card, how: Engaged, source: Source, on: CardsTable) -> bool:
    """Return whether an enemy is engaged with whom a filter says: C-YOU-11, C-YOU-12."""
    engaged = engaged_with(play, card, on)
    if how is Engaged.YOU:
        return source.you in engaged
    return bool(engaged) is (how is Engaged.ANYONE)


def engaged_with(
    play: Play, card: Card, table: CardsTable | None = None
) -> tuple[InvestigatorId, ...]:
    """
    Return the investigators with whom an enemy counts as engaged.

    A ready Massive enemy counts as engaged with everybody at its location (C-BENEMY-13), one that
    is Aloof too only once somebody has engaged it (C-BENEMY-24). Under an "as if" effect only the
    enemies that it names count for its investigator (C-ASIF-4, C-DECIDE-55).
    """
    on = table or play.table
    if card.at.zone is Zone.SWARM:
        host = on.cards.get(card.at.of)
        return () if host is None else engaged_with(play, host, on)
    engaged = card.engaged
    if values.has_keyword(play, card, Keyword.MASSIVE):
        is_open = bool(engaged) or not values.has_keyword(play, card, Keyword.ALOOF)
        here = location_of(play, card, on)
        ready = is_open and not card.is_exhausted
        engaged = tuple(who for who in on.order if ready and on.here(who) == here)
    if on.as_if is None:
        return engaged
    others = tuple(who for who in engaged if who != on.as_if.who)
    return (*others, on.as_if.who) if card.piece in on.as_if.engaged else others


def is_where(
    play: Play, card: Card, where: Where, source: Source, table: CardsTable | None = None
) -> bool:
    """Return whether a card is where a filter says, seen from "you"."""
    on = table or play.table
    if where is Where.ON_THIS:
        return card.at.zone is Zone.ON and card.at.of == source.piece
    if where is Where.YOUR_AREA:
        return card.at.zone is Zone.THREAT and card.at.of == source.you
    if source.you not in on.investigators:
        return False
    here = on.here(source.you)
    if where is Where.ON_LOCATION:
        return card.at.zone is Zone.ON and card.at.of == here
    at = location_of(play, card, on)
    if not at:
        return False
    if where is Where.HERE:
        return at == here
    beside = at in locations.ways(play, here)
    return beside if where is Where.BESIDE else beside or at == here


# What a step concerns


def candidates(play: Play, of: Filter, source: Source) -> list[Card]:
    """
    Return the cards in play that are as a filter says, in the order in which they came.

    Not what lies beneath a card (C-ZONE-1), nor captives (C-PILE-2).
    """
    return [card for card in play.table.in_play() if fits(play, card, of, source)]


Able = Callable[[Card], bool]
"""Whether a card may be chosen, besides what the filter says."""


async def cards(
    play: Play, which: Cards, source: Source, able: Able | None = None, prompt: str = ""
) -> tuple[PieceId, ...]:
    """
    Return the cards that a step concerns; ask "you" where the text leaves a choice.

    The prompt, if there is one of its own, is for a choice of one card.
    """
    table = play.table
    found = [
        table.cards[piece]
        for piece in meant(play, which, source)
        if able is None or able(table.cards[piece])
    ]
    if isinstance(which, TheCard | Each | Topmost):
        return tuple(card.piece for card in found)
    if isinstance(which, Choose):
        own = prompt if which.most == 1 else ""
        return await choose(play, found, source, which.least, which.most, prompt=own)
    if isinstance(which, Nearest):
        if source.you not in table.order:
            # Nothing is near to somebody who is out of the scenario. C-BELIM-10.
            return ()
        found = locations.nearest(play, table.here(source.you), found)
        return await choose(play, found, source, 1, 1)
    assert isinstance(which, Most)
    token = which.token
    found = values.most(play, found, lambda card: card.count(token), fewest=which.fewest)
    # Which of several equal ones is the lead's choice. C-CHOICE-1.
    return await choose(play, found, source, 1, 1, by=lead(play))


def meant(play: Play, which: Cards, source: Source) -> tuple[PieceId, ...]:
    """Return the cards that a target means, or among which somebody would choose."""
    if isinstance(which, TheCard):
        return named(play, which, source)
    if isinstance(which, Topmost):
        return topmost(play, which, source)
    assert isinstance(which, Each | Choose | Nearest | Most)
    return tuple(card.piece for card in candidates(play, which.of, source))


def is_there(play: Play, which: Cards, source: Source) -> bool:
    """Return whether a word names the cards that a step concerns, or any can be. C-BABIL-22."""
    return isinstance(which, TheCard) or bool(meant(play, which, source))


def topmost(play: Play, which: Topmost, source: Source) -> tuple[PieceId, ...]:
    """Return the topmost card of the encounter discard piles that fits. C-BZONE-14."""
    piles = (ENCOUNTER, *(further(one.id) for one in play.content.scenario.decks))
    fitting = [
        card.piece
        for pile in piles
        for card in play.table.lying(Zone.DISCARD, pile)
        if fits(play, card, which.of, source)
    ]
    return tuple(fitting[-1:])


def named(play: Play, word: TheCard, source: Source) -> tuple[PieceId, ...]:
    """Return the cards that a word means, those that are still there."""
    table, answers = play.table, source.occurrence
    this = table.cards.get(source.piece)
    found: tuple[PieceId, ...]
    match word:
        case TheCard.THIS:
            found = (source.piece,)
        case TheCard.THAT:
            found = (answers.card,) if answers else ()
        case TheCard.CAUSE:
            found = (answers.cause,) if answers else ()
        case TheCard.THEY:
            found = source.they
        case TheCard.HOST:
            found = (this.at.of,) if this is not None and this.at.zone is Zone.ON else ()
        case TheCard.HERE:
            found = (table.here(source.you),) if source.you in table.order else ()
        case TheCard.TARGET:
            found = (table.test.target,) if table.test is not None else ()
        case TheCard.YOU:
            found = (table.investigators[source.you].card,) if source.you in table.order else ()
        case TheCard.ACT | TheCard.AGENDA:
            one = table.only(Zone.ACT if word is TheCard.ACT else Zone.AGENDA)
            found = (one.piece,) if one is not None else ()
    return tuple(piece for piece in found if piece in table.cards)


async def choose(
    play: Play,
    found: Sequence[Card],
    source: Source,
    least: int,
    most: int,
    *,
    by: InvestigatorId = "",
    prompt: str = "",
) -> tuple[PieceId, ...]:
    """
    Have "you", or the lead where nobody is meant, choose among cards. C-BABIL-34.

    Where nothing is left to choose, nobody is asked. A prompt of its own names the card of the
    source.
    """
    most, least = min(most, len(found)), min(least, len(found))
    if least == len(found):
        return tuple(card.piece for card in found)
    chooser = by or (source.you if source.you in play.table.order else lead(play))
    asked = Text(prompt, (chooser, source.public_name))
    if not prompt:
        is_one = (least, most) == (1, 1)
        asked = Text("ask/card", (chooser,)) if is_one else Text("ask/cards", (chooser, most))
    options = [card_option(play, card) for card in found]
    return await play.choose_some(
        seat(play, chooser),
        options,
        rule="C-BABIL-34",
        about=source.about(),
        prompt=asked,
        at_least=least,
        at_most=most,
    )


def card_option(play: Play, card: Card) -> Option[PieceId]:
    """Return the option to choose an open card; a swarm card is told from its host. C-BKEY-17."""
    name: str | Text = card.shown or "card/face-down"
    if card.at.zone is Zone.SWARM:
        name = Text("about/swarm", (shown_by(play, card),))
    return Option(card.piece, Text("choice/card", (name,)), (Point("card", card.piece),))


def people_now(play: Play, who: People, source: Source) -> tuple[InvestigatorId, ...]:
    """Return the investigators whom a word means, where nobody has to choose."""
    table = play.table
    order, you = table.order, source.you
    match who:
        case Who.YOU:
            return (you,) if you in order else ()
        case Who.THEY:
            return tuple(one for one in source.them if one in order)
        case Who.EACH:
            return order
        case Who.OTHERS:
            return tuple(one for one in order if one != you)
        case Who.EACH_HERE | Who.ANY_HERE:
            here = table.here(you) if you in order else ""
            return tuple(one for one in order if table.here(one) == here)
        case Who.ANY:
            return order
        case Who.WHO:
            one = source.occurrence.who if source.occurrence else ""
            return (one,) if one in order else ()
        case Who.TESTER:
            one = table.test.tester if table.test is not None else ""
            return (one,) if one in order else ()
        case Who.LEAD:
            return order[:1]
        case Who.OWNER:
            this = table.cards.get(source.piece)
            return (this.owner,) if this is not None and this.owner in order else ()
        case Who.AT_THIS:
            this = table.cards.get(source.piece)
            here = "" if this is None else location_of(play, this)
            return tuple(one for one in order if here and table.here(one) == here)
    assert isinstance(who, Extreme)
    return extremes(play, order, who.stat, least=who.least)


def extremes(
    play: Play, among: Sequence[InvestigatorId], stat: Stat, *, least: bool
) -> tuple[InvestigatorId, ...]:
    """Return those with the most or the least of a value. C-CHOICE-5, C-CHOICE-6."""
    if not among:
        return ()
    by = {one: person_stat(play, one, stat) for one in among}
    best = (min if least else max)(by.values())
    return tuple(one for one in among if by[one] == best)


def person_stat(play: Play, who: InvestigatorId, stat: Stat) -> int:
    """Return a value of an investigator: a skill, health or sanity left, clues, cards in hand."""
    table = play.table
    if stat is Stat.CLUES:
        return table.count(who, Token.CLUE)
    if stat is Stat.HAND_SIZE:
        return len(table.piles.get(f"hand/{who}", ()))
    worth = values.skill(play, who, stat)
    if stat is Stat.HEALTH:
        return worth - table.count(who, Token.DAMAGE)
    if stat is Stat.SANITY:
        return worth - table.count(who, Token.HORROR)
    return worth


async def people(play: Play, who: People, source: Source) -> tuple[InvestigatorId, ...]:
    """Return the investigators whom a step concerns; ask where the text leaves a choice."""
    found = people_now(play, who, source)
    by_lead = isinstance(who, Extreme)
    if len(found) < 2 or not (by_lead or who in (Who.ANY, Who.ANY_HERE)):
        return found
    chooser = source.you if source.you in play.table.order and not by_lead else lead(play)
    return (await choose_person(play, found, chooser, source),)


async def choose_person(
    play: Play,
    among: Sequence[InvestigatorId],
    chooser: InvestigatorId,
    source: Source,
    prompt: str = "ask/person",
) -> InvestigatorId:
    """Have an investigator choose one of several. C-CHOICE-1."""
    if len(among) == 1:
        return among[0]
    return await play.choose(
        seat(play, chooser),
        [person_option(one) for one in among],
        rule="C-CHOICE-1",
        about=source.about(),
        prompt=Text(prompt, (chooser, source.public_name)),
    )


async def choose_lead(play: Play, rule: str) -> None:
    """
    Have the players choose the lead. C-BSETUP-1, C-BELIM-6.

    Each votes once, unseen; if the votes have no majority, a lot among them decides at once.
    """
    seats = {seat(play, who) for who in play.table.order}
    chosen = await play.agree(
        play.table.order,
        [person_option(who) for who in play.table.order],
        rule=rule,
        about=Text("about/lead"),
        prompt=Text("ask/lead" if len(seats) == 1 else "ask/lead_by_vote"),
        settle=Settle.MAJORITY,
        audience=Audience.NOBODY,
    )
    play.emit(LeadChosen(chosen))


def person_option(who: InvestigatorId) -> Option[InvestigatorId]:
    """Return the option to choose an investigator."""
    return Option(who, Text("choice/person", (who,)), (Point("investigator", who),))


ENEMIES = Filter(types=(CardType.ENEMY,))
