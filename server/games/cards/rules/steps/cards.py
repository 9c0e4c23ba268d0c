"""Steps about cards: exhausting, discarding, attaching, putting into play, searching."""

from content.games.cards.schema import steps as s
from content.games.cards.schema.kinds import CardType
from content.games.cards.schema.modifiers import Thing
from content.games.cards.schema.occurrences import Happening
from protocol.common.text import Text
from protocol.games.cards.events import (
    Change,
    Exhausted,
    Flipped,
    Gathered,
    Moved,
    Tokens,
)
from protocol.games.cards.table import Place, deck_of, hand_of
from protocol.games.cards.words import Zone
from server.games.cards.rules import (
    encounter,
    enemies,
    hands,
    playing,
    slots,
    targets,
    timing,
    values,
    zones,
)
from server.games.cards.rules.effects import Run, changes, resolves
from server.games.cards.rules.play import Occurrence, Play, Source, seat, type_of_card
from server.kernel.asks import Option


@resolves(s.Exhaust)
async def _exhaust(run: Run, step: s.Exhaust) -> None:
    """C-BZONE-16."""
    await turn(run.game, await run.cards(step.card), is_exhausted=True)


@resolves(s.Ready)
async def _ready(run: Run, step: s.Ready) -> None:
    """C-BENEMY-6."""
    pieces = await run.cards(step.card)
    await turn(run.game, pieces, is_exhausted=False)
    await enemies.engage_all(run.game, pieces)


async def turn(play: Play, pieces: tuple[str, ...], *, is_exhausted: bool) -> None:
    """Exhaust or ready cards, all at once; a swarm turns with its host. C-BKEY-21."""
    turned = [
        piece
        for piece in pieces
        if play.table.cards[piece].is_exhausted is not is_exhausted
        and (is_exhausted or values.cannot(play, Thing.READY, card=play.table.cards[piece]) is None)
    ]
    kind = Happening.EXHAUSTED if is_exhausted else Happening.READIED
    group = [Occurrence(kind, card=piece) for piece in turned]

    async def done(live: list[Occurrence]) -> None:
        play.emit(Exhausted(tuple(one.card for one in live), is_exhausted=is_exhausted))

    await timing.happen(play, group, done)


@resolves(s.Discard)
async def _discard(run: Run, step: s.Discard) -> None:
    """C-BZONE-12, C-BZONE-13."""
    pieces = await run.cards(step.card)
    run.source.is_done = bool(pieces)
    await zones.discard(run.game, pieces)


@resolves(s.Remove)
async def _remove(run: Run, step: s.Remove) -> None:
    """C-ZONE-2."""
    await zones.leave(run.game, await run.cards(step.card), Place(Zone.REMOVED))


@resolves(s.ToVictory)
async def _to_victory(run: Run, step: s.ToVictory) -> None:
    await zones.leave(run.game, await run.cards(step.card), Place(Zone.VICTORY))


@resolves(s.Return)
async def _return(run: Run, step: s.Return) -> None:
    """C-RETURN-1 to C-RETURN-4: a card that lies face down cannot be returned."""
    play = run.game
    for piece in await run.cards(step.card):
        card = play.table.cards.get(piece)
        if card is None or not card.code or card.owner not in play.table.order:
            run.source.is_done = False
            continue
        if card.is_in_play:
            await zones.leave(play, (piece,), Place(Zone.ASIDE, card.owner))
            for left in play.table.lying(Zone.ASIDE, card.owner)[-1:]:
                into_hand(play, left.piece)
        else:
            into_hand(play, piece)


def into_hand(play: Play, piece: str) -> None:
    """Put an open card into its owner's hand, where nobody else can tell it apart."""
    card = play.table.cards[piece]
    pile = hand_of(card.owner)
    codes = [play.table.card_of(handle) for handle in play.table.piles.get(pile, ())]
    play.emit(Gathered((piece,), pile))
    play.shuffle(pile, [*codes, card.code], knowers=(seat(play, card.owner),))


@resolves(s.ShuffleIn)
async def _shuffle_in(run: Run, step: s.ShuffleIn) -> None:
    """C-EMPTY-1 to C-EMPTY-3."""
    play = run.game
    pieces = await run.cards(step.card)
    going = []
    for piece in pieces:
        card = play.table.cards.get(piece)
        if card is None:
            continue
        pile = deck_of(card.owner) if card.owner else "encounter"
        if not card.is_in_play:
            going.append(piece)
        elif play.table.piles.get(pile):
            await zones.leave(play, (piece,), Place(Zone.ASIDE, card.owner))
            going += [one.piece for one in play.table.lying(Zone.ASIDE, card.owner)[-1:]]
    run.source.is_done = zones.shuffle_in(play, going)


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
    """C-ATT-1 to C-ATT-5."""
    play = run.game
    hosts = await targets.cards(play, step.to, run.source)
    for piece in await targets.cards(play, step.card, run.source):
        if hosts and piece in play.table.cards:
            await playing.attach(play, piece, hosts[0], run.source.you)


@resolves(s.IntoPlay)
async def _into_play(run: Run, step: s.IntoPlay) -> None:
    """C-BPLAY-15, C-BPLAY-23, C-CTRL-1."""
    play, source = run.game, run.source
    people = await run.people(step.who)
    who = people[0] if people else ""
    if step.id is not None:
        found = [card for card in play.table.lying(Zone.ASIDE) if card.code == step.id][:1]
    elif step.from_discard is not None:
        pile = play.table.lying(Zone.DISCARD, source.you)
        found = [card for card in pile if targets.fits(play, card, step.from_discard, source)]
        found = (
            [
                card
                for card in found
                if card.piece in await targets.choose(play, found, source, 1, 1)
            ][:1]
            if found
            else []
        )
    else:
        found = [play.table.cards[p] for p in (source.piece,) if p in play.table.cards]
    at = await targets.cards(play, step.at, source) if step.at is not None else ()
    for card in found:
        place = Place(Zone.AT, at[0]) if at else None
        source.is_done = await zones.enter(play, card.piece, who, place)


@changes(s.IntoPlay)
def _can_into_play(play: Play, step: s.IntoPlay, source: Source) -> bool:
    if step.id is not None:
        return any(card.code == step.id for card in play.table.lying(Zone.ASIDE))
    if step.from_discard is not None:
        pile = play.table.lying(Zone.DISCARD, source.you)
        return any(
            targets.fits(play, card, step.from_discard, source)
            and not zones.is_unique_in_play(play, card.code)
            for card in pile
        )
    return True


@resolves(s.TakeControl)
async def _take_control(run: Run, step: s.TakeControl) -> None:
    """C-ATT-3, C-SLOT-1: what is attached goes along."""
    play = run.game
    people = await run.people(step.who)
    for piece in await run.cards(step.card):
        if not people or piece not in play.table.cards:
            continue
        who = people[0]
        await slots.make_room(play, piece, who)
        play.emit(Moved((piece,), Place(Zone.PLAY, who), who))
        for card in list(play.table.cards.values()):
            if card.at == Place(Zone.ON, piece) and card.owner:
                play.emit(Moved((card.piece,), card.at, who))


@resolves(s.Flip)
async def _flip(run: Run, step: s.Flip) -> None:
    """C-FLIP-1, C-FLIP-2."""
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


@resolves(s.Replenish)
async def _replenish(run: Run, step: s.Replenish) -> None:
    """C-BPLAY-19: a card holds uses of its own kind, and of no other."""
    play, number = run.game, run.number(step.number)
    put = []
    for piece in await run.cards(step.card):
        face = play.content.faces[play.table.cards[piece].shown]
        uses = getattr(face, "uses", None)
        if uses is not None and uses.kind == step.kind and number:
            put.append(Change(piece, step.kind, number))
    if put:
        play.emit(Tokens(tuple(put)))


# Looking


@resolves(s.Search)
async def _search(run: Run, step: s.Search) -> None:
    """
    Search cards of a deck. C-BSEARCH-1 to C-BSEARCH-5.

    Only the searcher sees them. A card that fits must be taken, unless the search says "may"; the
    rest is shuffled in.
    """
    play, who = run.game, run.source.you
    deck = play.table.piles.get(deck_of(who), ())
    top = deck[: step.top] if step.top else deck
    if not top:
        run.source.is_done = False
        return
    await timing.pass_by(play, Occurrence(Happening.SEARCHES, who=who, amount=len(top)))
    play.look_at(deck_of(who), top, (seat(play, who),))
    found = [h for h in top if targets.fits_in_hand(play, play.table.card_of(h), step.of)]
    most = min(step.number, len(found))
    options = [hands.card_option(play, handle) for handle in found]
    chosen: tuple[str, ...] = ()
    # Asked even if nothing fits, so that nobody learns how many did. C-SECRET-23.
    chosen = await play.choose_some(
        seat(play, who),
        options or [Option("", Text("choice/nothing_found"))],
        rule="C-BSEARCH-4",
        about=run.source.about(),
        prompt=Text("ask/search", (who, most)),
        at_least=0 if step.may or not found else most,
        at_most=max(1, most),
    )
    weak = []
    for handle in chosen:
        if handle:
            piece = hands.take_top(play, who, handle, is_drawn=step.is_drawn)
            if piece:
                weak.append(piece)
    hands.hide(play, who)
    if play.table.piles.get(deck_of(who)):
        play.shuffle(deck_of(who))
    run.source.is_done = any(chosen)
    if step.is_drawn and any(chosen):
        await timing.pass_by(play, Occurrence(Happening.DRAWN, who=who, amount=len(chosen)))
    for piece in weak:
        await encounter.resolve_drawn_weakness(play, who, piece)


@changes(s.Search)
def _can_search(play: Play, step: s.Search, source: Source) -> bool:
    del step
    return bool(play.table.piles.get(deck_of(source.you)))


@resolves(s.Look)
async def _look(run: Run, step: s.Look) -> None:
    """Look at the top cards of a deck and put them back in any order. C-SECRET-24."""
    play, who = run.game, run.source.you
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
    pile = "encounter" if step.encounter else deck_of(source.you)
    return bool(play.table.piles.get(pile))
