"""Elimination, and the end of a scenario. Sections 1.18 and 2.17."""

from collections.abc import Mapping

from content.games.cards.schema.cards import AnyCard, Does
from content.games.cards.schema.kinds import Keyword
from content.games.cards.schema.occurrences import Happening, Moment
from content.games.cards.schema.scenario import ResolutionEntry
from protocol.games.cards.events import (
    Change,
    Eliminated,
    Ended,
    Gathered,
    Moved,
    TakenUp,
    Tokens,
    TraumaSuffered,
)
from protocol.games.cards.table import InvestigatorId, PieceId, Place, deck_of, hand_of
from protocol.games.cards.words import Fate, Token, Trauma, Until, Zone
from server.games.cards.rules import (
    answers,
    effects,
    enemies,
    face_down,
    hands,
    targets,
    timing,
    zones,
)
from server.games.cards.rules.play import (
    GameOver,
    Occurrence,
    Play,
    Source,
    Use,
    end_periods,
    face_of,
    lead,
)


async def eliminate(play: Play, people: Mapping[InvestigatorId, Trauma | None], fate: Fate) -> None:
    """
    Take investigators out of the scenario, all at once. C-BELIM-1 to C-BELIM-12.

    Their action, test and abilities end: whatever runs them looks whether they are still there
    (C-BELIM-9).

    Args:
        play: the game.
        people: the investigators, each with the trauma that it suffers by it.
        fate: how they leave.
    """
    marks = {who: f"eliminated {who}" for who in people if who in play.table.order}
    # What its weaknesses do as the game ends for an investigator does not eliminate it once more.
    going = [who for who in marks if marks[who] not in play.under_way]
    play.under_way.update(marks[who] for who in going)
    first = lead(play)
    freed: list[PieceId] = []
    for who in going:
        trauma = people[who]
        if trauma is not None:
            play.emit(TraumaSuffered(who, trauma, 1))
        await _end_for(play, who)
        place = play.table.investigators[who].location
        was_active = play.table.active == who
        freed += _leave_cards(play, who, place)
        _remove_piles(play, who)
        play.emit(Eliminated(who, fate))
        if was_active:
            end_periods(play, Until.ACTION, Until.TURN)
        play.under_way.discard(marks[who])
        await timing.pass_by(play, Occurrence(Happening.ELIMINATED, who=who, at=place))
    if going and not play.table.order:
        await end(play, play.content.scenario.resolutions[0])
    # C-BENEMY-22: enemies that lost their investigator engage others there at once.
    await enemies.engage_all(play, freed)
    if first in going and len(play.table.order) > 1:
        # C-BELIM-6: the players who are left choose a new one.
        await targets.choose_lead(play, "C-BELIM-6")


async def _end_for(play: Play, who: InvestigatorId) -> None:
    """End the game for the weaknesses of an investigator, then remove them. C-ELIM-1 to 3."""
    weak = [
        card.piece
        for card in play.table.in_play()
        if card.owner == who and card.code and targets.is_weakness(play.content.faces[card.shown])
    ]
    for piece in weak:
        card = play.table.cards.get(piece)
        if card is None:
            continue
        one = Occurrence(Happening.GAME_ENDS, who=who)
        one.before = play.table
        for at, ability in enumerate(play.content.faces[card.shown].abilities):
            on = ability.on
            if ability.does is not Does.FORCED or on is None:
                continue
            if on.parts() == (Moment.WHEN, Happening.GAME_ENDS):
                use = Use(who, card.shown, piece, at, occurrence=one)
                if effects.can_change(play, ability.effect, use.source()):
                    await answers.carry_out(play, use)
    left = tuple(piece for piece in weak if piece in play.table.cards)
    if left:
        zones.move_out(play, left, Place(Zone.REMOVED))


def _leave_cards(play: Play, who: InvestigatorId, place: str) -> list[PieceId]:
    """
    Remove what an investigator owns and controls; leave clues and enemies. C-BELIM-2 to C-BELIM-5.

    The clues of assets, too (C-BELIM-11, C-DECIDE-56).

    Cards of other owners go to their discard piles, and what others control stays (C-DECIDE-26,
    C-BELIM-8). Encounter cards of the threat area are discarded (C-ELIM-4).

    Returns:
        The enemies that were engaged with them.
    """
    table = play.table
    own = table.investigators[who].card
    clues = [
        Change(card.piece, Token.CLUE.value, -card.count(Token.CLUE))
        for card in table.lying(Zone.PLAY, who)
        if card.count(Token.CLUE)
    ]
    if clues:
        dropped = -sum(change.amount for change in clues)
        play.emit(Tokens((*clues, Change(place, Token.CLUE.value, dropped))))
    freed = [card.piece for card in play.table.in_play() if who in card.engaged]
    for piece in freed:
        enemies.set_free(play, piece)
    removed: list[str] = []
    discarded: list[str] = []
    for card in play.table.in_play():
        if card.piece == own:
            continue
        if card.at in (Place(Zone.PLAY, who), Place(Zone.THREAT, who)) or card.controller == who:
            (removed if card.owner == who and card.controller == who else discarded).append(
                card.piece
            )
    # C-BZONE-11: what is attached to a card that leaves play is discarded.
    with_them = [
        card
        for card in play.table.cards.values()
        if card.at.zone in face_down.LIES_WITH
        and card.at.of in (own, *removed, *discarded)
        and card.piece not in (*removed, *discarded)
    ]
    discarded += [card.piece for card in with_them if not card.handle]
    # Their own cards go back under the deck unseen, which leaves the game next. C-SECRET-36.
    hidden = tuple(card.piece for card in with_them if card.handle and card.owner == who)
    if hidden:
        play.emit(TakenUp(hidden))
    for card in with_them:
        if card.piece in play.table.cards and card.handle:
            zones.turn_up(play, card)
    for piece in discarded:
        play.emit(Moved((piece,), zones.discard_place(play, play.table.cards[piece])))
    if removed:
        play.emit(Moved(tuple(removed), Place(Zone.REMOVED)))
    return freed


def _remove_piles(play: Play, who: InvestigatorId) -> None:
    """
    Remove hand, deck and discard pile; hidden cards are shown. C-BELIM-12, C-HID-3.

    Nobody learns what was in them. C-SECRET-36.
    """
    for handle in play.table.piles.get(hand_of(who), ()):
        face = play.content.faces[play.table.card_of(handle)]
        if isinstance(face, AnyCard) and Keyword.HIDDEN in face.keywords:
            hands.open_card(play, who, handle, Place(Zone.DISCARD, "encounter"))
    for pile in (hand_of(who), deck_of(who)):
        if play.table.piles.get(pile):
            # An empty shuffle: nobody learns what was in it. C-SECRET-36.
            play.emit(Gathered((), pile))
            play.shuffle(pile, ())
    for zone in (Zone.DISCARD, Zone.COMMITTED, Zone.DRAWN, Zone.RESOLVING, Zone.ASIDE):
        pieces = tuple(card.piece for card in play.table.lying(zone, who) if card.owner == who)
        if pieces:
            play.emit(Moved(pieces, Place(Zone.REMOVED)))


async def end(play: Play, resolution: ResolutionEntry) -> None:
    """
    End the scenario with a resolution. C-BEND-1 to C-BEND-3, C-BELIM-7.

    "When the game ends" abilities come first (C-BEND-2); then locations with Victory or Vengeance
    go to the victory display (C-BLOC-9, C-BKEY-28), and the resolution is carried out in the order
    written. Vengeance gives no experience, Victory does (C-BKEY-30, C-BKEY-4).
    """
    await timing.pass_by(play, Occurrence(Happening.GAME_ENDS))
    shown = []
    for card in play.table.lying(Zone.MAP):
        is_displayed = card.face and zones.is_displayed(face_of(play, card))
        if is_displayed and not card.count(Token.CLUE):
            shown.append(card.piece)
    if shown:
        play.emit(Moved(tuple(shown), Place(Zone.VICTORY)))
    source = Source(play.content.scenario.id, "", lead(play) if play.table.order else "")
    await effects.resolve(play, resolution.effect, source)
    faces = [play.content.faces[card.shown] for card in play.table.lying(Zone.VICTORY)]
    victory = sum(face.victory or 0 for face in faces) + resolution.experience
    play.emit(Ended(resolution.id, resolution.is_won, max(0, victory)))
    raise GameOver
