"""Steps about cards: exhausting, discarding, attaching, putting into play, searching."""

from content.games.cards.schema import steps as s
from content.games.cards.schema.kinds import CardId, CardType, Spot
from content.games.cards.schema.occurrences import Happening
from content.games.cards.schema.targets import TheCard
from protocol.common.text import Text
from protocol.games.cards.events import Flipped, Moved
from protocol.games.cards.table import (
    ENCOUNTER,
    Card,
    PieceId,
    Place,
    Position,
    deck_of,
    hand_of,
)
from protocol.games.cards.words import Zone
from server.games.cards.rules import (
    encounter,
    enemies,
    face_down,
    hands,
    locations,
    playing,
    slots,
    targets,
    timing,
    zones,
)
from server.games.cards.rules.effects import Run, changes, resolves
from server.games.cards.rules.play import (
    Occurrence,
    Play,
    Source,
    face_of,
    hand,
    seat,
    type_of_card,
)
from server.kernel.asks import Option


@resolves(s.Exhaust)
async def _exhaust(run: Run, step: s.Exhaust) -> None:
    """C-BZONE-16."""
    await zones.turn(run.game, await run.cards(step.card), is_exhausted=True)


@resolves(s.Ready)
async def _ready(run: Run, step: s.Ready) -> None:
    """C-BENEMY-6."""
    pieces = await run.cards(step.card)
    await zones.turn(run.game, pieces, is_exhausted=False)
    await enemies.engage_all(run.game, pieces)


@resolves(s.Discard)
async def _discard(run: Run, step: s.Discard) -> None:
    """C-BZONE-12, C-BZONE-13: of cards that may leave play, C-PERM-1."""
    play, source = run.game, run.source
    if source.is_secret and step.card is TheCard.THIS:
        # C-HID-1: a hidden card is discarded as it says itself, and is open from then on.
        hand = play.table.piles.get(hand_of(source.holder), ())
        found = [handle for handle in hand if play.table.card_of(handle) == source.code]
        source.is_done = bool(found)
        await hands.lay_down(play, source.holder, found[:1])
        return
    pieces = await run.cards(step.card, lambda card: zones.may_leave(play, card))
    run.source.is_done = bool(pieces)
    await zones.discard(run.game, pieces)


@changes(s.Discard)
def _can_discard(play: Play, step: s.Discard, source: Source) -> bool:
    """C-BABIL-22: there is a card that may leave play, as a Permanent one may not. C-PERM-1."""
    if source.is_secret and step.card is TheCard.THIS:
        return True
    found = [play.table.cards[piece] for piece in targets.meant(play, step.card, source)]
    return any(zones.may_leave(play, card) for card in found)


AWAY = {s.Goal.NOWHERE: Place(Zone.REMOVED), s.Goal.VICTORY: Place(Zone.VICTORY)}
"""The places to which cards leave whole."""


@resolves(s.Send)
async def _send(run: Run, step: s.Send) -> None:
    """C-ZONE-2, C-RETURN-1 to C-RETURN-4, C-EMPTY-1 to C-EMPTY-3, C-PILE-1, C-PILE-3."""
    play, pieces = run.game, await run.cards(step.card)
    match step.to:
        case s.Goal.HAND:
            run.source.is_done = await zones.return_to_hand(play, pieces, run.source)
        case s.Goal.DECK:
            run.source.is_done = await zones.shuffle_in(play, pieces)
        case s.Goal.BENEATH:
            await zones.leave(play, pieces, Place(Zone.BENEATH, run.source.piece))
        case s.Goal.CAPTIVES:
            zones.move_out(play, pieces, Place(Zone.CAPTIVE))
        case _:
            await zones.leave(play, pieces, AWAY[step.to])


@changes(s.Send, s.ToThreat, s.Flip)
def _can_send(play: Play, step: s.Send | s.ToThreat | s.Flip, source: Source) -> bool:
    """C-BABIL-22."""
    return targets.is_there(play, step.card, source)


@resolves(s.ToThreat)
async def _to_threat(run: Run, step: s.ToThreat) -> None:
    """Put cards into a threat area. C-BENC-15: that is no draw."""
    play = run.game
    people = await run.people(step.who)
    for piece in await run.cards(step.card):
        if people and piece in play.table.cards:
            play.emit(Moved((piece,), Place(Zone.THREAT, people[0])))


@resolves(s.Attach)
async def _attach(run: Run, step: s.Attach) -> None:
    """C-ATT-1 to C-ATT-5, C-DECIDE-25."""
    play, source = run.game, run.source
    source.is_done = False
    for piece in await targets.cards(play, step.card, source):

        def may_bear(host: Card, piece: PieceId = piece) -> bool:
            face = face_of(play, play.table.cards[piece])
            return zones.may_control(face, host.controller or source.you)

        for host in (await targets.cards(play, step.to, source, may_bear))[:1]:
            if piece in play.table.cards:
                source.is_done = await playing.attach(play, piece, host, source.you)


@changes(s.Attach)
def _can_attach(play: Play, step: s.Attach, source: Source) -> bool:
    """C-BABIL-22."""
    both = (step.card, step.to)
    return all(targets.is_there(play, one, source) for one in both)


@resolves(s.IntoPlay)
async def _into_play(run: Run, step: s.IntoPlay) -> None:
    """C-BPLAY-15, C-BPLAY-23, C-CTRL-1, C-COST-4."""
    play, source = run.game, run.source
    source.is_done = False
    if step.id is not None and step.id in play.content.pack.locations:
        _lay_location(run, step.id, step.position)
        return
    people = await run.people(step.who)
    who = people[0] if people else ""
    if step.from_hand is not None:
        handles = [h for h, code in hand(play, source.you) if _may_enter(play, step, code, source)]
        if not handles:
            return
        handle = await play.choose(
            seat(play, source.you),
            [hands.card_option(play, handle) for handle in handles],
            rule="C-BABIL-34",
            about=source.about(),
            prompt=Text("ask/card", (source.you,)),
        )
        place = Place(Zone.RESOLVING, source.you)
        pieces: tuple[PieceId, ...] = (hands.open_card(play, source.you, handle, place),)
    else:
        pieces = await targets.choose(play, _enterable(play, step, source), source, 1, 1)
    at = await targets.cards(play, step.at, source) if step.at is not None else ()
    for piece in pieces:
        if piece in play.table.cards:
            to = Place(Zone.AT, at[0]) if at else None
            source.is_done = await zones.enter(play, piece, who, to)


def _lay_location(run: Run, location: CardId, spot: Spot | None) -> None:
    """C-BSETUP-17, C-BLOC-12, C-GRID-2; into the set of "you" (C-BSPEC-6)."""
    play = run.game
    before = run.source.you if play.content.scenario.separate else ""
    if spot is not None:
        at = Position(spot.row, spot.column)
        run.source.is_done = locations.put(play, location, at, before)
        return
    aside = [card.piece for card in play.table.lying(Zone.ASIDE) if card.code == location]
    locations.lay(play, location, *aside[:1], before=before)
    locations.draw_links(play)
    run.source.is_done = True


def _enterable(play: Play, step: s.IntoPlay, source: Source) -> list[Card]:
    """Return the open cards that a step can put into play."""
    if step.id is not None:
        aside = play.table.lying(Zone.ASIDE)
        owners = ("", source.you)
        found = [card for card in aside if card.code == step.id and card.owner in owners][:1]
    elif step.from_discard is not None:
        found = [
            card
            for card in play.table.lying(Zone.DISCARD, source.you)
            if targets.fits(play, card, step.from_discard, source)
        ]
    else:
        found = [card for card in (play.table.cards.get(source.piece),) if card is not None]
    return [card for card in found if zones.kept_out(play, card.code, source.you) is None]


def _may_enter(play: Play, step: s.IntoPlay, code: str, source: Source) -> bool:
    return (
        step.from_hand is not None
        and targets.fits_in_hand(play, code, step.from_hand)
        and zones.kept_out(play, code, source.you) is None
    )


@changes(s.IntoPlay)
def _can_into_play(play: Play, step: s.IntoPlay, source: Source) -> bool:
    if step.from_hand is not None:
        return any(_may_enter(play, step, code, source) for _, code in hand(play, source.you))
    return bool(_enterable(play, step, source))


@resolves(s.TakeControl)
async def _take_control(run: Run, step: s.TakeControl) -> None:
    """C-ATT-3, C-SLOT-1, C-SIG-6: what an investigator could not control is not offered."""
    play, source = run.game, run.source
    people = await run.people(step.who)
    source.is_done = False
    if not people:
        return
    who = people[0]
    pieces = await run.cards(step.card, lambda one: zones.may_control(face_of(play, one), who))
    done = [await zones.take_control(play, piece, who) for piece in pieces]
    source.is_done = bool(done) and all(done)


@resolves(s.Exchange)
async def _exchange(run: Run, step: s.Exchange) -> None:
    """C-BABIL-32: both halves take place, or neither."""
    play = run.game
    mine = await targets.cards(play, step.mine, run.source)
    theirs = await targets.cards(play, step.theirs, run.source)
    pair = [play.table.cards[piece] for piece in (*mine[:1], *theirs[:1])]
    run.source.is_done = len(pair) == 2 and all(
        one.controller and zones.may_control(face_of(play, one), other.controller)
        for one, other in (pair, pair[::-1])
    )
    if run.source.is_done:
        people = [card.controller for card in pair]
        for card, who in zip(pair, people[::-1], strict=True):
            zones.change_control(play, card.piece, who)
        for who in people:
            await slots.fit(play, who)


@changes(s.Exchange)
def _can_exchange(play: Play, step: s.Exchange, source: Source) -> bool:
    return all(targets.meant(play, which, source) for which in (step.mine, step.theirs))


@resolves(s.Flip)
async def _flip(run: Run, step: s.Flip) -> None:
    """C-FLIP-1, C-FLIP-2, C-BSPEC-3."""
    play = run.game
    for piece in await run.cards(step.card):
        card = play.table.cards[piece]
        location = play.content.pack.locations.get(card.code)
        if location is not None and location.other is not None and card.face:
            other = location.other.id if card.face == location.face.id else location.face.id
            play.emit(Flipped(piece, other))
        story = play.content.pack.stories.get(card.code)
        if story is not None and story.other is not None:
            await _turn_story(play, piece, "" if card.face else story.other)


async def _turn_story(play: Play, piece: str, face: str) -> None:
    """
    Turn a story card, which does not leave play. C-BSPEC-7, C-FLIP-3.

    An enemy that shows in a threat area is engaged with its investigator (C-BENEMY-4).
    """
    play.emit(Flipped(piece, face))
    card = play.table.cards[piece]
    if type_of_card(play, card) is CardType.ENEMY and card.at.zone is Zone.THREAT:
        await enemies.engage(play, [(piece, card.at.of)])


# Looking


@resolves(s.FaceDown)
async def _face_down(run: Run, step: s.FaceDown) -> None:
    """C-LOOK-1 to C-LOOK-4."""
    play = run.game
    zone = Zone.BENEATH if step.beneath else Zone.ON
    for host in await run.cards(step.on):
        owner = "" if step.encounter else run.source.you
        face_down.lay(play, owner, run.number(step.number), Place(zone, host))
        if step.encounter:
            encounter.remake(play, ENCOUNTER)


@changes(s.FaceDown)
def _can_lay_face_down(play: Play, step: s.FaceDown, source: Source) -> bool:
    pile = ENCOUNTER if step.encounter else deck_of(source.you)
    return bool(play.table.piles.get(pile)) and bool(targets.meant(play, step.on, source))


@resolves(s.Search, alone=True)
async def _search(run: Run, step: s.Search) -> None:
    """
    Search cards of a deck. C-BSEARCH-1 to C-BSEARCH-5.

    What alters the search is chosen before a card is seen (C-SEARCH-3). Only the searcher sees the
    cards. A card that fits must be taken, unless the search says "may"; the rest is shuffled in.
    """
    play, who = run.game, run.source.you
    run.source.is_done = False
    if not play.table.piles.get(deck_of(who)):
        return
    one = Occurrence(Happening.SEARCHES, who=who, amount=step.top, targets=step.number)

    async def search(live: list[Occurrence]) -> None:
        await _search_deck(run, step, live[0])

    await timing.happen(play, [one], search)


async def _search_deck(run: Run, step: s.Search, one: Occurrence) -> None:
    play, who = run.game, one.who
    deck = play.table.piles.get(deck_of(who), ())
    top = deck[: one.amount] if one.amount else deck
    play.look_at(deck_of(who), top, (seat(play, who),))
    found = [h for h in top if _fits_search(play, play.table.card_of(h), step)]
    run.source.found = len(found)
    most = min(one.targets, len(found))
    chosen: tuple[str, ...] = ()
    if one.targets:
        # Asked even if nothing fits, so that nobody learns how many did. C-SECRET-23.
        options = [hands.card_option(play, handle) for handle in found]
        chosen = await play.choose_some(
            seat(play, who),
            options or [Option("", Text("choice/nothing_found"))],
            rule="C-BSEARCH-4",
            about=run.source.about(),
            prompt=Text("ask/search", (who, one.targets)),
            at_least=0 if step.may or not found else most,
            at_most=max(1, most),
        )
    taken = [handle for handle in chosen if handle]
    run.source.is_done = bool(taken)
    if taken and step.is_drawn:
        await hands.draw_these(play, who, taken)
    elif taken:
        hands.into_hand(play, who, deck_of(who), tuple(taken), is_drawn=False)
        hands.hide(play, who)
    if play.table.piles.get(deck_of(who)):
        play.shuffle(deck_of(who))


def _fits_search(play: Play, code: str, step: s.Search) -> bool:
    """Return whether a card can be taken; a weakness only by a search that draws. C-BSEARCH-5."""
    is_open = step.is_drawn or not targets.is_weakness(play.content.faces[code])
    return is_open and targets.fits_in_hand(play, code, step.of)


@changes(s.Search)
def _can_search(play: Play, step: s.Search, source: Source) -> bool:
    del step
    return bool(play.table.piles.get(deck_of(source.you)))


@resolves(s.SearchMore)
async def _search_more(run: Run, step: s.SearchMore) -> None:
    """C-SEARCH-2, C-SEARCH-3."""
    search = run.source.occurrence
    if search is not None and search.kind is Happening.SEARCHES:
        search.amount += step.top if search.amount else 0
        search.targets += step.targets


@resolves(s.Look, alone=True)
async def _look(run: Run, step: s.Look) -> None:
    """Look at the top cards of a deck and put them back in any order. C-SECRET-24."""
    play, who = run.game, run.source.you
    if step.on is not None:
        # C-LOOK-3, C-LOOK-4: the game gives permission.
        for host in await run.cards(step.on):
            face_down.look(play, who, [card.handle for card in face_down.with_card(play, host)])
        return
    pile = "encounter" if step.encounter else deck_of(who)
    top = play.table.piles.get(pile, ())[: step.top]
    if not top:
        return
    at = seat(play, who)
    play.look_at(pile, top, (at,))
    order = await play.choose_some(
        at,
        [hands.card_option(play, handle) for handle in top],
        rule="C-SECRET-24",
        about=run.source.about(),
        prompt=Text("ask/order", (who, len(top))),
        at_least=len(top),
        at_most=len(top),
        is_ordered=True,
    )
    play.arrange(pile, order, (at,))


@changes(s.Look)
def _can_look(play: Play, step: s.Look, source: Source) -> bool:
    if step.on is not None:
        hosts = targets.meant(play, step.on, source)
        return any(any(face_down.with_card(play, host)) for host in hosts)
    pile = "encounter" if step.encounter else deck_of(source.you)
    return bool(play.table.piles.get(pile))
