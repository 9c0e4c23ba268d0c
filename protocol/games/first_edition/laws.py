"""
Laws of the first edition: promises of its cards, dice and sealed secrets.

Only audits use them. To check whether the rules were followed takes the rules and the content;
these laws need nothing but the log.
"""

import re
from collections.abc import Sequence
from typing import TypeVar

from protocol import codec
from protocol.common import events
from protocol.common.chance import Stream
from protocol.common.events import Disclosure
from protocol.common.laws import GameLaws, hold, register_laws
from protocol.common.table import GameTable, Handle
from protocol.event import Record, Sealed
from protocol.games.first_edition import events as fe
from protocol.games.first_edition.puzzles import supply_of
from protocol.games.first_edition.table import (
    MYTHOS_HAND,
    PIT_SUPPLY,
    TRAUMA_HAND,
    FirstEditionTable,
    KeeperAction,
    MonsterBack,
    Phase,
    combat_deck,
    spell_deck,
    story_deck,
)
from protocol.games.first_edition.words import INVESTIGATOR, KEEPER, RULESET, FeatureKind

T = TypeVar("T", str, KeeperAction)

SIDES = 10
"""Sides of the die. K-TEST-1."""
HANDS = frozenset({MYTHOS_HAND, TRAUMA_HAND})
"""Piles that the keeper knows, and nobody else. K-SECRET-1, K-SECRET-2."""
_DEALT_FOR = re.compile(r"token \S+|puzzle \S+|answer|action")
"""Purposes of deals."""
_LATE = "result/event_late"
"""Subject of the text that tells a roll for the last event. K-VAR-8."""


class FirstEditionLaws(GameLaws):
    """Checks one game's cards, dice and sealed secrets, record by record."""

    def may_lay_out(self, game: GameTable, pile: str) -> bool:
        """Return True if a pile with a new name may be laid out now: decks in setup, or a hand."""
        assert isinstance(game, FirstEditionTable)
        return pile in HANDS or game.phase is Phase.SETUP

    def is_made_anew(self, pile: str) -> bool:
        """Return True for decks: discards and pieces come back into them. K-SUPPLY-1, W-PIT-7."""
        return pile not in {*HANDS, PIT_SUPPLY}

    def check_start(self, players: Sequence[events.Player]) -> None:
        """
        Check that there is one keeper, and that each other seat has one investigator.

        A seat that is alone can have two. W-PLAYER-2.
        """
        roles = [player.role for player in players]
        hold(roles.count(KEEPER) == 1, "a game without exactly one keeper")
        for player in players:
            is_keeper = player.role == KEEPER
            hold(is_keeper or player.role == INVESTIGATOR, "a role that this game has not")
            most = 0 if is_keeper else 2 if len(players) == 2 else 1
            is_right = min(most, 1) <= len(player.characters) <= most
            hold(is_right, "a seat with other characters")

    def check(self, game: GameTable, record: Record) -> None:
        """Check a record against the table before it."""
        super().check(game, record)
        assert isinstance(game, FirstEditionTable)
        self._check_dice(game, record)
        _check_draw(record)
        self._check_pits(game, record)
        _check_turn(game, record)
        _check_opened(game, record)
        match record.event:
            case fe.KeeperDrew() as drew:
                is_pair = drew.hand in HANDS and drew.deck == drew.hand.replace("hand/", "deck/")
                hold(is_pair, "a card drawn into another hand than that of its deck")
                self.check_top(game, drew.deck, drew.handle)
            case fe.CombatCardDrawn() as drawn:
                self.check_top(game, combat_deck(drawn.class_), drawn.handle)
            case fe.SpellGained() as gained:
                self.check_top(game, spell_deck(gained.spell.card), gained.spell.handle)
            case fe.StoryCardDealt() as dealt:
                self.check_top(game, story_deck(dealt.kind), dealt.handle)
            case fe.StoryCardShown() as story_card:
                lying = game.story_cards.get(story_card.number)
                is_it = lying is not None and lying.handle == story_card.handle
                hold(is_it, "another card of the story than the one that was dealt")
            case fe.SpellTurned() as turned:
                held = game.investigators[turned.investigator].spells
                hold(turned.handle in {one.handle for one in held}, "a spell that nobody holds")
            case fe.PuzzlePieceExchanged() as exchanged:
                family = game.puzzles[exchanged.puzzle].family
                self.check_top(game, supply_of(family), exchanged.handle)
            case fe.MythosPlayed() | fe.MythosLaidDown() as played:
                _check_held(game, MYTHOS_HAND, played.handle)
                hold(not game.is_struck, "a second mythos card in one turn")
                hold(game.active == played.investigator, "a mythos card in nobody's turn")
            case fe.TraumaPlayed() as trauma:
                _check_held(game, TRAUMA_HAND, trauma.handle)
            case fe.AnswersGiven() | fe.ObjectiveSet() | fe.CardLaid() | fe.LockLaid():
                hold(game.phase is Phase.SETUP, "a secret of the story that is sealed too late")
            case fe.EventLaid() | fe.ActionLaid() | fe.VoteCounted():
                hold(game.phase is Phase.SETUP, "a secret of the story that is sealed too late")
            case fe.TaleLaid() | fe.AllyPlaced() as coming:
                # An ally comes once; after it no story cards are sealed for it.
                has_come = coming.ally in game.allies or game.tales.get(coming.ally) == ()
                hold(not has_come, "an ally that comes a second time, or its card too late")
            case fe.CurseUsed() as curse:
                _check_curse(game, curse)

    def _check_pits(self, game: FirstEditionTable, record: Record) -> None:
        """Check that pits come from the supply, and hold who falls into them. W-PIT-2 to 10."""
        match record.event:
            case fe.PitPlaced() as placed:
                self.check_top(game, PIT_SUPPLY, placed.handle)
            case fe.PitTriggered() as fell:
                pit = game.features.get(fell.feature)
                hold(pit is not None and pit.handle == fell.handle, "a pit that is not there")
                assert pit is not None
                there = [one for one in fell.figures if _space_of(game, one) == pit.at]
                hold(there == list(fell.figures), "somebody falls into a pit elsewhere")
            case fe.PitReturned() as back:
                pit = game.features.get(back.feature)
                hold(pit is not None and pit.handle is not None, "a pit that is not there")
            case fe.FeatureRemoved() as gone:
                is_pit = game.features[gone.feature].kind is FeatureKind.PIT
                hold(not is_pit, "a pit that does not come back to the supply")
            case fe.MonsterMoved() as moved:
                hold(moved.monster not in game.trapped, "a monster moves on from a pit")

    # Dice

    def _check_dice(self, game: FirstEditionTable, record: Record) -> None:
        """Check that the record after a roll shows its face, and that shown faces were rolled."""
        event, before = record.event, self.last.event if self.last is not None else None
        rolled = before if isinstance(before, events.Rolled) else None
        if rolled is not None:
            hold((rolled.sides, len(rolled.faces)) == (SIDES, 1), "a die of another kind")
            hold(rolled.stream is Stream.PLAY, "dice of another stream")
            # A roll that is not shown could be repeated until it suits the server.
            is_test = rolled.purpose == "test" and isinstance(event, fe.TestRolled)
            is_event = rolled.purpose == "event" and (
                isinstance(event, fe.EventResolved)
                or (isinstance(event, fe.Told) and event.text.subject == _LATE)
            )
            hold(is_test or is_event, "a die is rolled that is not shown")
        match event:
            case fe.TestRolled():
                hold(rolled is not None, "a die is shown that was not rolled")
                assert rolled is not None
                hold(event.roll == rolled.faces[0] + 1, "another face is shown than was rolled")
                is_lost = game.test is not None and game.test.is_lost
                hold(not is_lost, "a roll in a test that is lost without one")
                is_free = game.test is not None and (game.test.roll is None or game.test.is_spoilt)
                hold(is_free, "a roll made again that nobody spoilt")
            case fe.TestEnded():
                test = game.test
                is_here = game.is_here(event.investigator)
                fixed = game.character(event.investigator).fixed_test if is_here else None
                is_it = test is not None and test.investigator == event.investigator
                hold(is_it, "the test of somebody else")
                assert test is not None
                if test.is_lost:
                    is_passed = False
                elif test.roll is not None:
                    is_passed = test.roll <= test.value
                else:
                    hold(fixed is not None, "a test that was not rolled")
                    assert fixed is not None
                    is_passed = fixed.is_passed
                hold(event.is_passed is is_passed, "the result is not what was rolled")


def _check_curse(game: FirstEditionTable, used: fe.CurseUsed) -> None:
    """Check that a curse spoils a test that is open; an ally loses it unrolled. W-DECIDE-24."""
    test = game.test
    is_it = test is not None and test.investigator == used.who and not test.is_spoilt
    hold(is_it, "a curse token on no test")
    hold(game.character(used.who).curses > 0, "a curse token that nobody has")
    is_rolled = test is not None and test.roll is not None
    hold(
        is_rolled is (used.who in game.investigators), "a curse token before its time, or too late"
    )


def _space_of(game: FirstEditionTable, figure: str) -> str:
    monster = game.monsters.get(figure)
    return game.character(figure).space if monster is None else monster.space


def _check_turn(game: FirstEditionTable, record: Record) -> None:
    """Check that an action is of a type for which it was given. W-SPELL-2, W-SPELL-3."""
    match record.event:
        case fe.ActionGained() as gained:
            is_own = game.active == gained.investigator and not game.has_action
            hold(is_own, "a further action out of turn")
        case fe.ActionTaken() as taken:
            is_of_type = not game.action_types or taken.action in game.action_types
            hold(is_of_type, "an action of another type than is left")


def _check_held(game: FirstEditionTable, hand: str, handle: Handle) -> None:
    hold(handle in game.hand(hand), "a card that the keeper does not hold")


def _check_draw(record: Record) -> None:
    """Check purposes, and that only the keeper learns a hidden order: that of a hand."""
    match record.event:
        case events.Dealt() as dealt:
            hold(_DEALT_FOR.fullmatch(dealt.purpose), "a deal for what nothing is dealt for")
            hold(not dealt.knowers, "somebody is told what is drawn out of sight")
        case events.Picked() as picked:
            hold(picked.purpose in {"effect", "lot"}, "a pick for what nothing is picked for")
        case events.Shuffled() as mixed if mixed.pile not in HANDS:
            hold(not mixed.knowers, "somebody is told what is drawn out of sight")


def _check_opened(game: FirstEditionTable, record: Record) -> None:
    """
    Check that what is shown is the secret that was sealed for it, unchanged. K-INFO-4, K-GOAL-3.

    The commitment is checked for all games; here, that the right secret is opened.
    """
    match record.event:
        case fe.ObjectiveRevealed() as revealed:
            _check_is(game.objective, revealed.opened, revealed.objective)
        case fe.EventResolved() as resolved:
            _check_is(next(iter(game.events), None), resolved.opened, resolved.card)
        case fe.ActionShown() as used:
            place = (used.opened.sequence, used.opened.slot)
            own = next((one for one in game.hidden_actions if one.ref == place), None)
            _check_is(own, used.opened, used.action)
            hold(not used.action.uses, "a keeper action that was used before it was shown")
        case fe.LockShown() as shown:
            lock = game.locks.get(shown.room)
            _check_is(None if lock is None else lock.card, shown.opened, shown.card)
        case fe.CardTurnedUp() as turned:
            laid = game.laid.get(turned.room, ())
            top = next((card for card in laid if card.shown is None), None)
            hold(top is not None and top.number == turned.number, "a card that did not lie on top")
            assert top is not None
            _check_is(top.card, turned.opened, turned.card)
        case fe.TaleTold() as told:
            _check_is(next(iter(game.tales[told.ally]), None), told.opened, told.card)
        case fe.FaceDownTurned() as face_down:
            ref = (face_down.opened.sequence, face_down.opened.slot)
            held = game.investigators[face_down.investigator].face_down
            sealed = next((one.card for one in held if one.card.ref == ref), None)
            _check_is(sealed, face_down.opened, face_down.card)
        case fe.MonsterBackShown() as back:
            monster = game.monsters[back.monster]
            sealed_at = (back.opened.sequence, back.opened.slot)
            found = codec.decode(back.opened.value, MonsterBack)
            is_it = monster.back.ref == sealed_at and found.back == back.card
            hold(is_it, "another back is shown than was sealed")


def _check_is(sealed: Sealed[T] | None, opened: Disclosure, named: T) -> None:
    is_there = sealed is not None and sealed.ref == (opened.sequence, opened.slot)
    hold(is_there, "another secret is opened than the one that was sealed")
    hold(
        codec.encode(named, type(named)) == opened.value, "the card named is not the one disclosed"
    )


register_laws(RULESET, FirstEditionLaws)
