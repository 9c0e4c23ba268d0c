"""
Laws of the second edition: promises of its cards, dice and puzzles.

Only audits use them. To check whether the rules were followed takes the rules and the content;
these laws need nothing but the log.
"""

import re
from collections import Counter
from collections.abc import Sequence

from protocol import codec
from protocol.common import events
from protocol.common.asks import Settle
from protocol.common.chance import Stream
from protocol.common.laws import GameLaws, LawBroken, hold, register_laws
from protocol.common.table import GameTable, Handle
from protocol.errors import ImpossibleValue
from protocol.event import Record
from protocol.games.second_edition import events as se
from protocol.games.second_edition.table import (
    INSANE_DECK,
    INVESTIGATOR,
    RULESET,
    CardId,
    Face,
    Harm,
    OpenTest,
    SecondEditionTable,
    copies_deck,
    deck,
    facedown_pile,
)

FACES = (Face.SUCCESS,) * 3 + (Face.INVESTIGATION,) * 2 + (Face.BLANK,) * 3
"""The eight faces of a die. Rule DICE-1."""

_SHOWN_BY = {
    "test": se.DiceShown,
    "reroll": se.DiceShown,
    "barricade": se.BarricadeAssaulted,
    "barricade reroll": se.BarricadeRerolled,
    "opposition": se.OppositionRolled,
}
"""Kind of the event that must follow a roll and show the dice, by the purpose of the roll."""

_PICKED_FOR = frozenset(
    {
        "activation",
        "attack",
        "dropped item",
        "evade",
        "facedown damage",
        "facedown horror",
        "horror check",
        "investigator",
        "lot",
        "monster",
        "monster target",
        "space",
        "turned damage",
        "turned horror",
        "vote",
    }
)
"""Purposes of public picks, from version 2 on."""

_PICKED_SECRETLY_FOR = frozenset({"effect"})
"""Purposes of secret picks."""

_DEALT_FOR = re.compile(
    "|".join(
        [
            *("mythos event", "secret choice"),
            *(r"counter c\d+(?:/\S+)?", r"deck d\d+", r"monster \d+", r"space \S+"),
            *(r"(?:common|unique) item(?: \d+)?", r"puzzle lock/\S+"),
        ]
    )
)
"""Purposes of deals."""


class SecondEditionLaws(GameLaws):
    """Checks one game's cards, dice, votes and puzzles, record by record."""

    _assault: Sequence[Face] = ()
    """Dice of the last roll against a Barricade."""

    def may_lay_out(self, game: GameTable, pile: str) -> bool:
        """
        Return True if a pile with a new name may be laid out now. Rule SETUP-3.

        Piles of facedown cards are never laid out, and decks only before the supply is laid out.
        """
        assert isinstance(game, SecondEditionTable)
        return not pile.startswith("facedown/") and not (pile.startswith("deck/") and game.supply)

    def is_made_anew(self, pile: str) -> bool:
        """Return True for piles that deal values of counters, which are refilled for each deal."""
        return pile.startswith("deal/")

    def check_start(self, players: Sequence[events.Player]) -> None:
        """Check that each seat plays one investigator, or a single seat two. SETUP-8, SETUP-9."""
        count = 2 if len(players) == 1 else 1
        for player in players:
            hold(player.role == INVESTIGATOR, "a seat in a role that this game has not")
            hold(len(player.characters) == count, "a seat that plays more investigators, or fewer")

    def check(self, game: GameTable, record: Record) -> None:
        super().check(game, record)
        assert isinstance(game, SecondEditionTable)
        self._check_dice(game, record)
        _check_draw(self.version, game, record)
        self._check_tiebreak(record)
        self._check_sides(game, record)
        match record.event:
            case se.HarmTaken() as taken:
                self.check_top(game, deck(taken.harm), taken.handle)
            case se.HarmTurnedFaceup() as turned:
                pile = game.piles.get(facedown_pile(turned.investigator, turned.harm), ())
                hold(turned.handle in pile, "a card that did not lie facedown there")
            case se.HarmTurnedFacedown() as turned:
                hold(_is_faceup(game, turned), "a card that did not lie faceup there")
            case se.HarmDiscarded() as gone:
                pile = game.piles.get(facedown_pile(gone.investigator, gone.harm), ())
                hold(gone.handle in pile or _is_faceup(game, gone), "a card that nobody has")
            case se.BackShown() as shown:
                is_it = codec.encode(shown.card, str) == shown.back.value
                hold(is_it, "the card named is not the one disclosed")
            case se.TilePlaced() as placed:
                try:
                    placed.tile.check_drawing()
                except ImpossibleValue as error:
                    raise LawBroken(str(error)) from error
            case se.CodeGuessed() as guessed:
                _check_answer(game, guessed)

    def _check_sides(self, game: SecondEditionTable, record: Record) -> None:
        """Check the copy of a two-sided card that is gained or flipped. CONDITION-4, SPELL-1."""
        match record.event:
            case se.BecameInsane() as insane:
                self._check_copy(game, INSANE_DECK, insane.handle)
            case se.PossessionGained() as gained:
                self._check_gain(game, gained.possession.card, gained.possession.handle)
            case se.ConditionGained() as became:
                self._check_gain(game, became.card, became.handle)
            case se.PossessionFlipped() as flipped:
                held = game.investigators[flipped.investigator].possessions
                is_it = any(
                    (one.possession_id, one.handle) == (flipped.possession, flipped.handle)
                    for one in held
                )
                hold(is_it, "another copy is flipped than the one held")
            case se.ConditionFlipped() as turned:
                conditions = game.investigators[turned.investigator].conditions
                is_it = any(
                    turned.handle and (one.card, one.handle) == (turned.card, turned.handle)
                    for one in conditions
                )
                hold(is_it, "another copy is flipped than the one held")

    def _check_gain(self, game: SecondEditionTable, card: CardId, handle: Handle) -> None:
        """Check that the supply has a copy left; a handle must be the top of its pile. LIMIT-2."""
        self._check_copy(game, copies_deck(card), handle)
        hold(game.supply.get(card, 0) > 0, "a card of which none is left")

    def _check_copy(self, game: SecondEditionTable, pile: str, handle: Handle) -> None:
        """Check that a copy was on top of its pile, or that there is neither pile nor handle."""
        # With neither pile nor handle the card is not two-sided, or no copy is left.
        if game.piles.get(pile) or handle:
            self.check_top(game, pile, handle)

    def _check_tiebreak(self, record: Record) -> None:
        """Check that a tiebreak settles an open vote of the whole group. Rule CONFLICT-3."""
        picked = record.event
        if self.version > 1 and isinstance(picked, events.Picked) and picked.purpose == "lot":
            is_open = self.ask is not None and self.ask.settle is Settle.AGREE
            hold(is_open, "a lot that settles no question")

    # Dice

    def _check_dice(self, game: SecondEditionTable, record: Record) -> None:
        """Check that the record after a roll shows its dice, and that shown dice were rolled."""
        event, before = record.event, self.last.event if self.last is not None else None
        rolled = before if isinstance(before, events.Rolled) else None
        # A roll that is not shown could be repeated until it suits the server.
        if rolled is not None:
            shown_by = _SHOWN_BY.get(rolled.purpose)
            is_shown = shown_by is not None and isinstance(event, shown_by)
            hold(is_shown, "dice are rolled that are not shown")
            hold(rolled.sides == len(FACES), "dice of another number of sides")
            hold(rolled.stream is Stream.PLAY, "dice of another stream")
        match event:
            case se.TestDeclared() as declared:
                hold(game.test is None and declared.pool > 0, "a test without dice, or in another")
            case se.DiceShown() as shown:
                _check_shown(game.test, shown, rolled)
            case se.BarricadeAssaulted() | se.OppositionRolled():
                hold(event.faces == _faces(rolled), "dice are shown that were not rolled")
                self._assault = event.faces
            case se.BarricadeRerolled() as again:
                hold(rolled is not None, "dice are shown that were not rolled")
                _check_rerolled(self._assault, again.faces, again.rerolled, rolled)
                self._assault = again.faces
            case se.DiceConverted() as converted:
                _check_converted(game.test, converted.dice)
            case se.TestFinished() as finished:
                _check_result(game.test, finished)


def _check_draw(version: int, game: SecondEditionTable, record: Record) -> None:
    """
    Check the purpose and the stream of a draw, and that no seat learns a hidden outcome.

    The outcome depends on the purpose. A server that may invent purposes could choose one whose
    outcome it likes.
    """
    draw = record.event
    if version == 1 or not isinstance(draw, events.DrawEvent):
        return
    # The setup is drawn before the supply is laid out, when nobody has seen anything.
    is_setup = draw.drawn_from is Stream.SETUP
    hold(not (is_setup and game.supply), "a draw of the setup in the game")
    match draw:
        case events.Picked():
            is_meant = draw.purpose in _PICKED_FOR and draw.stream is Stream.PLAY
            hold(is_meant, "a pick for what nothing is picked for")
        case events.PickedSecretly():
            is_meant = draw.purpose in _PICKED_SECRETLY_FOR and draw.drawn_from is Stream.PLAY
            hold(is_meant and not draw.knowers, "a pick for what nothing is picked for")
        case events.Dealt():
            hold(_DEALT_FOR.fullmatch(draw.purpose), "a deal for what nothing is dealt for")
            hold(not draw.knowers, "somebody is told what is drawn out of sight")
        case events.Shuffled():
            hold(not draw.knowers, "somebody is told what is drawn out of sight")


def _is_faceup(game: SecondEditionTable, of: se.HarmTurnedFacedown | se.HarmDiscarded) -> bool:
    cards = game.investigators[of.investigator].faceup_cards(Harm(of.harm))
    return any(card.handle == of.handle for card in cards)


def _faces(rolled: events.Rolled | None) -> tuple[Face, ...]:
    """Return the faces of a roll; none if a pool without dice was not rolled. DECIDE-111."""
    return () if rolled is None else tuple(FACES[face] for face in rolled.faces)


def _check_shown(test: OpenTest | None, shown: se.DiceShown, rolled: events.Rolled | None) -> None:
    """Check the dice that a test shows: its whole pool after the first roll, later a reroll."""
    hold(test is not None and rolled is not None, "dice are shown that were not rolled")
    assert test is not None and rolled is not None  # noqa: PT018 (one thing)
    hold(len(shown.faces) == test.pool, "not as many dice as the pool has")
    if not test.faces:
        is_first = rolled.purpose == "test" and not shown.rerolled
        hold(is_first and shown.faces == _faces(rolled), "other dice are shown than were rolled")
        return
    hold(rolled.purpose == "reroll", "dice are rolled again that are not there")
    _check_rerolled(test.faces, shown.faces, shown.rerolled, rolled)


def _check_rerolled(
    before: Sequence[Face],
    faces: Sequence[Face],
    again: Sequence[int],
    rolled: events.Rolled | None,
) -> None:
    """Check a reroll: only dice of the test changed, and only those that were rolled again."""
    # Converted dice may be rerolled, too (DECIDE-109); dice that stay must not change.
    is_choice = list(again) == sorted(set(again)) and set(again) <= set(range(len(before)))
    hold(is_choice and len(faces) == len(before), "dice are rolled again that are not there")
    fresh = Counter(faces[at] for at in again)
    hold(fresh == Counter(_faces(rolled)), "other dice are shown than were rolled again")
    kept = [at for at in range(len(before)) if at not in again]
    is_kept = all(faces[at] is before[at] for at in kept)
    hold(is_kept, "a die changed that was not rolled again")


def _check_converted(test: OpenTest | None, dice: Sequence[int]) -> None:
    """Check that converted dice are investigations not converted before. Rule CLUE-4."""
    assert test is not None
    free = {
        at
        for at, face in enumerate(test.faces)
        if face is Face.INVESTIGATION and at not in test.converted
    }
    hold(len(set(dice)) == len(dice) and set(dice) <= free, "a die that cannot be converted")


def _check_result(test: OpenTest | None, finished: se.TestFinished) -> None:
    """Check successes, converted dice included, and outcome of a test. Rules TEST-9 and TEST-11."""
    hold(test is not None, "a test is finished that did not begin")
    assert test is not None
    hold(test.faces, "a test is finished of which no dice were shown")
    successes = test.faces.count(Face.SUCCESS) + len(test.converted)
    is_passed = None if test.difficulty is None else successes >= test.difficulty
    is_it = (finished.investigator, finished.successes) == (test.investigator, successes)
    hold(is_it and finished.is_passed is is_passed, "the result is not what the dice show")


def _check_answer(game: SecondEditionTable, guessed: se.CodeGuessed) -> None:
    """Check the answer to a guess if the code is open. Rules CODE-7 to CODE-9, DECIDE-119."""
    puzzle, guess = game.puzzles[guessed.puzzle], guessed.guess
    piles = [game.piles.get(f"puzzle/{guessed.puzzle}/{at}", ()) for at in range(len(guess.pieces))]
    tops = [game.hidden_cards[pile[0]] for pile in piles if pile]
    # Sealed for players in a game; only a whole log has the code.
    if len(tops) != len(guess.pieces) or not all(top.order.is_open for top in tops):
        return
    code = tuple(top.order.value[top.index] for top in tops)
    hold(len(code) == getattr(puzzle, "length", 0), "a guess of another length than the code")
    exact = sum(one == other for one, other in zip(code, guess.pieces, strict=True))
    common = sum((Counter(code) & Counter(guess.pieces)).values())
    is_it = (guess.successes, guess.investigations) == (exact, common - exact)
    hold(is_it, "the answer is not true to the code")
    hold(guessed.is_solved is (code == guess.pieces), "the code is solved, and it is not said")


register_laws(RULESET, SecondEditionLaws)
