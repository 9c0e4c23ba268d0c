"""Acts, agendas and doom. Section 2.11."""

from content.games.cards.schema.cards import ActCard, AgendaCard
from content.games.cards.schema.kinds import Stat
from content.games.cards.schema.occurrences import Happening
from content.games.cards.schema.targets import Filter
from content.language.walk import parts_in
from protocol.common.asks import RefusedChoice
from protocol.common.text import Text
from protocol.games.cards.events import Change, DecksCounted, Laid, Moved, Tokens, Told
from protocol.games.cards.table import InvestigatorId, PieceId, Place
from protocol.games.cards.words import Token, Zone
from server.games.cards.rules import costs, effects, encounter, locations, timing, values, zones
from server.games.cards.rules.play import Occurrence, Play, Source, face_of, lead


def clues_for_act(play: Play) -> int | None:
    """Return the clues for which the current act advances; None if it has no such number."""
    card = play.table.only(Zone.ACT)
    face = None if card is None else face_of(play, card)
    if card is None or not isinstance(face, ActCard) or face.clues is None:
        return None
    return values.number(play, face.clues, Source(face.id, card.piece, ""))


def can_advance_act(play: Play) -> bool:
    """Return whether the investigators have the clues that the act demands. C-BACTS-1."""
    need = clues_for_act(play)
    has = sum(play.table.count(who, Token.CLUE) for who in play.table.order)
    return need is not None and has >= need


def refused(play: Play) -> list[RefusedChoice]:
    """
    Return what the act waits for: clues that are not there, or what its text speaks of. C-BACTS-1.

    Of an act that names no number of clues, the cards that its abilities name.
    """
    card = play.table.only(Zone.ACT)
    face = None if card is None else face_of(play, card)
    if card is None or not isinstance(face, ActCard):
        return []
    need = clues_for_act(play)
    has = sum(play.table.count(who, Token.CLUE) for who in play.table.order)
    reasons = []
    if need is None:
        filters = (one for part in face.abilities for one in parts_in(part))
        named = dict.fromkeys(one.id for one in filters if isinstance(one, Filter) and one.id)
        reasons = [Text("refused/objective", (code,)) for code in named]
    elif has < need:
        reasons = [Text("refused/clues", (need, has))]
    name = Text("choice/advance_act", (card.shown,))
    return [RefusedChoice(name, reason, "C-BACTS-1") for reason in reasons]


async def spend_for_act(play: Play, who: InvestigatorId) -> None:
    """Spend the clues together, as one proposes, and advance the act. C-BACTS-1, C-BACTS-2."""
    card = play.table.only(Zone.ACT)
    need = clues_for_act(play)
    assert card is not None and need is not None  # noqa: PT018  # one thing
    if await costs.spend_together(play, need, Source(card.shown, card.piece, who)):
        await advance(play, Zone.ACT)


async def advance(play: Play, zone: Zone, *, keeps_doom: bool = False) -> None:
    """
    Advance the act or the agenda. C-BACTS-4, C-BACTS-9 to C-BACTS-11.

    The tokens on it go; it is turned; its other face is carried out, in the order written; the next
    card takes its place. With an agenda all doom in play goes, whatever advanced it (C-BDOOM-4,
    C-BDOOM-6, C-DECIDE-57). The last one has no successor (C-BACTS-8). C-BACTS-7, C-BDOOM-5.
    """
    card = play.table.only(zone)
    if card is None:
        return
    kind = Happening.ACT_ADVANCES if zone is Zone.ACT else Happening.AGENDA_ADVANCES
    one = Occurrence(kind, card=card.piece, code=card.shown)

    async def go_on(_: list[Occurrence]) -> None:
        if card.piece not in play.table.cards:
            return
        now = play.table.cards[card.piece]
        gone = [Change(card.piece, kind_, -n) for kind_, n in now.tokens.items()]
        if zone is Zone.AGENDA and not keeps_doom:
            gone = [one_ for one_ in gone if one_.kind != Token.DOOM.value]
            gone += [
                Change(lying.piece, Token.DOOM.value, -lying.count(Token.DOOM))
                for lying in play.table.in_play()
                if lying.count(Token.DOOM)
            ]
        if gone:
            play.emit(Tokens(tuple(gone)))
        face = face_of(play, now)
        assert isinstance(face, ActCard | AgendaCard)
        play.emit(Told(Text(face.id, (), "back")))
        source = Source(face.id, card.piece, lead(play))
        with play.within(source.about()):
            await effects.resolve(play, face.back, source)
            if face.other is not None and play.table.order:
                await encounter.turn_up(play, face.other, lead(play))
        _next(play, zone, card.piece)

    await timing.happen(play, [one], go_on)


def _next(play: Play, zone: Zone, piece: PieceId) -> None:
    """Put the next card of its deck in the place of an act or agenda. C-BACTS-11."""
    if piece not in play.table.cards:
        return
    table, scenario = play.table, play.content.scenario
    row = scenario.acts if zone is Zone.ACT else scenario.agendas
    left = table.acts_left if zone is Zone.ACT else table.agendas_left
    play.emit(Moved((piece,), Place(Zone.REMOVED)))
    if not left:
        return
    code = row[len(row) - left]
    if table.plan is not None:
        code = table.plan.value.get(code, code)
    acts = table.acts_left - (zone is Zone.ACT)
    agendas = table.agendas_left - (zone is Zone.AGENDA)
    play.emit(DecksCounted(acts, agendas))
    play.emit(Laid(code, Place(zone)))


async def place_doom(play: Play, piece: PieceId, number: int) -> None:
    """Place doom on a card in play. C-BDOOM-1."""
    if not number or piece not in play.table.cards:
        return
    one = Occurrence(Happening.DOOM_PLACED, card=piece, amount=number)

    async def put(live: list[Occurrence]) -> None:
        if piece in play.table.cards and live[0].amount:
            play.emit(Tokens((Change(piece, Token.DOOM.value, live[0].amount),)))

    await timing.happen(play, [one], put)


async def check_doom(play: Play) -> None:
    """
    Advance the agenda if all doom in play has reached its threshold.

    C-BDOOM-2, C-BDOOM-3, C-BMYTH-2.
    """
    agenda = play.table.only(Zone.AGENDA)
    threshold = None if agenda is None else values.stat(play, agenda, Stat.DOOM)
    doom = sum(card.count(Token.DOOM) for card in play.table.in_play())
    if threshold is not None and doom >= threshold:
        await advance(play, Zone.AGENDA)


async def remove_location(play: Play, piece: PieceId) -> None:
    """Remove a location from the game, where nobody is any more."""
    await zones.leave(play, (piece,), Place(Zone.REMOVED))
    locations.draw_links(play)
