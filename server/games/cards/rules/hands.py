"""Hands and player decks: drawing, discarding, searching. Sections 1.16, 2.13 and 2.15."""

from collections.abc import Sequence

from content.games.cards.schema.cards import AnyCard
from content.games.cards.schema.kinds import CardType, Keyword
from content.games.cards.schema.modifiers import Thing
from content.games.cards.schema.occurrences import Happening
from content.games.cards.schema.pack import takes_from_hand, type_of
from content.games.cards.schema.targets import Filter
from protocol.common.asks import Point
from protocol.common.chance import Stream
from protocol.common.table import Handle
from protocol.common.text import Text
from protocol.event import hidden
from protocol.games.cards.events import Drew, Gathered, HandShown, Opened
from protocol.games.cards.table import (
    FACE_DOWN,
    CardId,
    InvestigatorId,
    PieceId,
    Place,
    deck_of,
    hand_of,
)
from protocol.games.cards.words import Zone
from server.games.cards.rules import encounter, face_down, harm, targets, timing, values
from server.games.cards.rules.play import Occurrence, Play, Source, hand, seat
from server.kernel.asks import Option

ANY = Filter()


async def draw(play: Play, people: Sequence[InvestigatorId], number: int) -> None:
    """
    Have investigators draw cards, those of each at the same time. C-DRAW-1.

    An empty deck is made anew of the discard pile, once, and then costs 1 horror (C-BUPK-7,
    C-BUPK-10); without both nothing is drawn (C-BUPK-11).
    """
    for who in people:
        if who in play.table.order and values.cannot(play, Thing.DRAW, who) is None:
            await _draw(play, who, number)


async def _draw(play: Play, who: InvestigatorId, number: int) -> None:
    there_are = play.table.piles.get(deck_of(who)) or play.table.lying(Zone.DISCARD, who)
    if number <= 0 or not there_are:
        return
    one = Occurrence(Happening.DRAWN, who=who, amount=number)

    async def take(live: list[Occurrence]) -> None:
        emptied = False
        weak: list[str] = []
        for _ in range(live[0].amount):
            deck = play.table.piles.get(deck_of(who), ())
            if not deck:
                if not reshuffle(play, who):
                    break
                emptied = True
                deck = play.table.piles[deck_of(who)]
            weak += _take(play, who, deck[0], deck_of(who))
        hide(play, who)
        if emptied:
            # It belongs to the draw. C-DECIDE-64.
            await harm.deal(play, who, 0, 1)
        await _resolve(play, who, weak)

    await timing.happen(play, [one], take)


async def draw_these(
    play: Play, who: InvestigatorId, handles: Sequence[Handle], pile: str = ""
) -> None:
    """Have an investigator draw certain cards of a pile, all at once. C-SEARCH-1, C-LOOK-2.

    Args:
        play: the game.
        who: the investigator.
        handles: the cards.
        pile: where they lie; the own deck if left out.
    """
    one = Occurrence(Happening.DRAWN, who=who, amount=len(handles))
    at = pile or deck_of(who)
    chosen = [(handle, play.table.card_of(handle)) for handle in handles]

    async def take(_: list[Occurrence]) -> None:
        weak: list[PieceId] = []
        for handle, code in chosen:
            for found in _still_in(play, at, handle, code):
                weak += _take(play, who, found, at)
        hide(play, who)
        await _resolve(play, who, weak)

    await timing.happen(play, [one], take)


def _take(play: Play, who: InvestigatorId, handle: Handle, pile: str) -> list[PieceId]:
    """
    Take one card of a deck, or of another pile, into the hand. C-DECIDE-42.

    A weakness goes into the open, where it waits. C-ENCW-1.

    Returns:
        The piece of a weakness; nothing for any other card.
    """
    code = play.table.card_of(handle)
    if targets.is_weakness(play.content.faces[code]):
        play.emit(Opened(pile, handle, code, Place(Zone.DRAWN, who), who))
        return [f"c{play.table.next_piece - 1}"]
    into_hand(play, who, pile, (handle,))
    return []


def drawable_from(play: Play, who: InvestigatorId, host: PieceId) -> list[Handle]:
    """Return the own cards face down on or beneath a card: none goes to another. C-BZONE-20."""
    if values.cannot(play, Thing.DRAW, who) is not None:
        return []
    return [card.handle for card in face_down.with_card(play, host) if card.owner == who]


async def draw_from(
    play: Play, who: InvestigatorId, host: PieceId, number: int, source: Source
) -> None:
    """
    Have an investigator draw cards that lie face down on or beneath a card. C-LOOK-2.

    Who may draw one of them may look at them, to choose.
    """
    handles = drawable_from(play, who, host)
    if not handles or number <= 0:
        return
    face_down.look(play, who, handles)
    number = min(number, len(handles))
    if number < len(handles):
        handles = list(
            await play.choose_some(
                seat(play, who),
                [card_option(play, handle) for handle in handles],
                rule="C-LOOK-2",
                about=source.about(),
                prompt=Text("ask/cards", (who, number)),
                at_least=number,
                at_most=number,
            )
        )
    await draw_these(play, who, handles, FACE_DOWN)


async def _resolve(play: Play, who: InvestigatorId, weak: Sequence[PieceId]) -> None:
    """Resolve the weaknesses that were drawn together, in their order. C-DRAW-2, C-DRAW-3."""
    for piece in weak:
        if piece in play.table.cards and who in play.table.order:
            await encounter.resolve_drawn_weakness(play, who, piece)


def into_hand(
    play: Play,
    who: InvestigatorId,
    pile: str,
    handles: tuple[Handle, ...],
    *,
    is_drawn: bool = True,
) -> None:
    """Take cards of a pile into the hand, as the seat alone sees. C-SECRET-1, C-SECRET-27."""
    codes = tuple(play.table.card_of(handle) for handle in handles)
    play.emit(Drew(who, pile, handles, hidden(codes), is_drawn))


def hide(play: Play, who: InvestigatorId, stream: Stream = Stream.PLAY) -> None:
    """Mix a hand after cards came into it, so that nobody else can tell them apart. C-SECRET-1."""
    play.shuffle(hand_of(who), stream=stream, knowers=(seat(play, who),))


def may_hide(play: Play, who: InvestigatorId, effect: object) -> bool:
    """
    Return whether only the own hand of an investigator says if an effect can be carried out.

    Then they are asked all the same, so that being asked tells nothing. C-SECRET-1, C-DECIDE-6.
    """
    return bool(play.table.piles.get(hand_of(who))) and takes_from_hand(effect)


def may_show(play: Play, who: InvestigatorId) -> bool:
    """
    Return whether an investigator may show cards now: with any in hand, to somebody. C-DECIDE-31.

    Hidden cards count too, or that there is nothing else would show.
    """
    is_alone = len({one.seat for one in play.table.investigators.values()}) == 1
    return play.shows_hands and not is_alone and bool(play.table.piles.get(hand_of(who)))


async def show(play: Play, who: InvestigatorId) -> None:
    """Show chosen cards of a hand to everybody, hidden ones excepted. C-DECIDE-31, C-DECIDE-29."""
    found = [h for h, code in hand(play, who) if code not in play.content.hidden]
    chosen = await play.choose_some(
        seat(play, who),
        [card_option(play, handle) for handle in found]
        or [Option("", Text("choice/nothing_to_show"))],
        rule="C-DECIDE-31",
        about=Text("about/showing", (who,)),
        prompt=Text("ask/show", (who,)),
        at_least=0,
        at_most=max(1, len(found)),
    )
    handles = tuple(handle for handle in chosen if handle)
    if handles:
        codes = tuple(play.table.card_of(handle) for handle in handles)
        play.emit(HandShown(who, handles, codes))
        # They cannot be told from the others in the hand afterwards. C-SECRET-1.
        hide(play, who)


def reshuffle(play: Play, who: InvestigatorId) -> bool:
    """Make the discard pile of an investigator the deck; return whether there was one."""
    pile = play.table.lying(Zone.DISCARD, who)
    if not pile:
        return False
    play.emit(Gathered(tuple(card.piece for card in pile), deck_of(who)))
    play.shuffle(deck_of(who), [card.code for card in pile])
    return True


def discardable(play: Play, who: InvestigatorId, of: Filter = ANY) -> list[Handle]:
    """
    Return the cards in hand that may be chosen to be discarded.

    Weaknesses may not (C-BUPK-5, C-BWEAK-2), and hidden cards only as they say (C-HID-1, C-HID-2).
    """
    table = play.table
    found = []
    for handle in table.piles.get(hand_of(who), ()):
        face = play.content.faces[table.card_of(handle)]
        hidden = isinstance(face, AnyCard) and Keyword.HIDDEN in face.keywords
        may_go = not hidden and not targets.is_weakness(face)
        if may_go and targets.fits_in_hand(play, face.id, of):
            found.append(handle)
    return found


def mandatory(play: Play, who: InvestigatorId, of: Filter = Filter()) -> list[Handle]:  # noqa: B008  # frozen
    """
    Return the cards in hand that go where nobody chooses the single card, weaknesses too.

    C-WEAK-2, C-WEAK-3. Hidden cards go only as they say (C-HID-2).
    """
    table = play.table
    return [
        handle
        for handle in table.piles.get(hand_of(who), ())
        if table.card_of(handle) not in play.content.hidden
        and targets.fits_in_hand(play, table.card_of(handle), of)
    ]


async def discard_all(play: Play, who: InvestigatorId, of: Filter) -> None:
    """Have an investigator discard every card in hand that fits. C-WEAK-2."""
    await lay_down(play, who, mandatory(play, who, of))


async def discard(
    play: Play,
    who: InvestigatorId,
    number: int,
    source: Source,
    *,
    of: Filter = ANY,
    at_random: bool = False,
    about: Text | None = None,
) -> int:
    """
    Have an investigator discard cards from the hand; return how many. C-BUPK-4.

    Args:
        play: the game.
        who: the investigator.
        number: how many, as far as there are so many that may be discarded.
        source: what has them discarded.
        of: what must hold of them.
        at_random: whether chance chooses.
        about: why, in words that everybody may read, if it is not for a card.
    """
    found = (mandatory if at_random else discardable)(play, who, of)
    # Hidden cards are not chosen, and everybody knows how many of them are in a hand.
    all_that_may = len(play.table.piles.get(hand_of(who), ())) - len(
        values.hidden_in_hand(play, who)
    )
    is_settled = number > len(found) or number >= all_that_may
    number = min(number, len(found))
    if not number:
        return 0
    if at_random:
        chosen = []
        left = list(found)
        for _ in range(number):
            handle = play.pick_secretly("discard", left)
            left.remove(handle)
            chosen.append(handle)
    elif is_settled:
        chosen = found
    else:
        # Asked even if there is one way alone, so that nobody learns how many fit. C-SECRET-1.
        chosen = list(
            await play.choose_some(
                seat(play, who),
                [card_option(play, handle) for handle in found],
                rule="C-BUPK-4",
                about=about or source.about(),
                prompt=Text("ask/discard", (who, number)),
                at_least=number,
                at_most=number,
            )
        )
    return await lay_down(play, who, chosen)


async def lay_down(play: Play, who: InvestigatorId, handles: Sequence[Handle]) -> int:
    """
    Discard these cards of a hand, all at once; return how many.

    Those whose discard is cancelled stay (C-BABIL-30).
    """
    table = play.table
    group = [
        Occurrence(Happening.DISCARDED, who=who, code=table.card_of(handle), token="hand")  # noqa: S106
        for handle in handles
    ]

    by_occurrence = dict(zip(group, handles, strict=True))
    gone: list[Handle] = []

    async def away(live: list[Occurrence]) -> None:
        for one in live:
            for handle in _still_in(play, hand_of(who), by_occurrence[one], one.code):
                open_card(play, who, handle, discard_place_of(play, who, handle))
                gone.append(handle)

    await timing.happen(play, group, away)
    return len(gone)


def _still_in(play: Play, pile: str, handle: Handle, code: CardId) -> list[Handle]:
    """
    Return a card of a pile, by its new handle if the pile was mixed meanwhile. C-NEST-10.

    None if it has left. Cards that lie face down are never mixed.
    """
    there = play.table.piles.get(pile, ())
    if handle in there:
        return [handle]
    copies = [one for one in there if pile != FACE_DOWN and play.table.card_of(one) == code]
    return copies[:1]


def discard_place_of(play: Play, who: InvestigatorId, handle: Handle) -> Place:
    """Return the discard pile of a card in hand; a hidden one is an encounter card. C-HID-3."""
    face = play.content.faces[play.table.card_of(handle)]
    if type_of(face) in (CardType.TREACHERY, CardType.ENEMY) and not targets.is_weakness(face):
        return Place(Zone.DISCARD, "encounter")
    return Place(Zone.DISCARD, who)


def open_card(play: Play, who: InvestigatorId, handle: Handle, to: Place) -> str:
    """Take a card of a hand into the open; return its piece. C-SECRET-1."""
    code = play.table.card_of(handle)
    owner = "" if to == Place(Zone.DISCARD, "encounter") else who
    # Also while it is played it is a card of theirs. C-YOU-9.
    controller = who if to.zone is Zone.RESOLVING else ""
    play.emit(Opened(hand_of(who), handle, code, to, owner, controller))
    return f"c{play.table.next_piece - 1}"


def card_option(play: Play, handle: Handle) -> Option[Handle]:
    """Return the option to choose a card in hand."""
    name = play.table.card_of(handle)
    return Option(handle, Text("choice/card", (name,)), (Point("card", handle),))
