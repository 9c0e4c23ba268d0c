"""
Laws of the first edition: promises of its cards, dice and sealed secrets.

Only audits use them. To check whether the rules were followed takes the rules and the content;
these laws need nothing but the log.
"""

import re
from collections.abc import Mapping, Sequence
from typing import TypeVar

import attrs

from protocol import codec
from protocol.common import events
from protocol.common.asks import Question
from protocol.common.chance import Stream
from protocol.common.events import Disclosure
from protocol.common.laws import GameLaws, hold, register_laws
from protocol.common.table import GameTable, Handle
from protocol.common.text import Text
from protocol.event import Record, Sealed
from protocol.games.first_edition import events as fe
from protocol.games.first_edition.puzzles import supply_of
from protocol.games.first_edition.table import (
    MYTHOS_HAND,
    PIT_SUPPLY,
    TRAUMA_HAND,
    FirstEditionTable,
    KeeperAction,
    KeeperStep,
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
_STEPS = tuple(KeeperStep)
"""Steps of the keeper's turn in their order. K-KEEPER-1."""
_DEALT_FOR = re.compile(r"token \S+|puzzle \S+|answer|action|default")
"""Purposes of deals."""
_LATE = "result/event_late"
"""Subject of the text that tells a roll for the last event. K-VAR-8."""
_STORY, _VOTE, _ACTIONS = "ask/story", "ask/vote", "ask/take_actions"
"""Subjects of the questions of the setup whose answers are sealed again as what follows from them:
those of the story, to the keeper or to the investigators, and which hidden actions to take."""


@attrs.define
class FirstEditionLaws(GameLaws):
    """Checks one game's cards, dice and sealed secrets, record by record."""

    keeper: int = -1
    """Seat of the keeper."""
    fallen: dict[str, bool] = attrs.field(factory=dict)
    """Pits that were turned up and lie on the board still, each with whether it has the arrow."""
    answers: dict[int, Sealed[tuple[str, ...]]] = attrs.field(factory=dict)
    """Answers to the open question of the setup, by seat."""
    given: tuple[tuple[Question, tuple[str, ...]], ...] = ()
    """Questions of the setup that were answered last, with the picks, in seat order; those that are
    sealed here are left out."""
    is_all_given: bool = False
    """True if none of them is sealed here."""
    dealt: list[tuple[str, str]] = attrs.field(factory=list)
    """Purposes and results of what the lot dealt in the setup, where they are open here."""

    def may_lay_out(self, game: GameTable, pile: str) -> bool:
        """Return True if a pile with a new name may be laid out now: decks in setup, or a hand."""
        assert isinstance(game, FirstEditionTable)
        return pile in HANDS or game.phase is Phase.SETUP

    def is_made_anew(self, pile: str) -> bool:
        """Return True for decks: discards and pieces come back into them. K-SUPPLY-1, W-PIT-7."""
        return pile not in {*HANDS, PIT_SUPPLY}

    def lies_apart(self, pile: str) -> bool:
        """Return True for discarded spells, which wait until their deck is made anew."""
        return pile.endswith("/discards")

    def check_start(self, players: Sequence[events.Player]) -> None:
        """
        Check that there is one keeper, and that each other seat has one investigator.

        A seat that is alone can have two. W-PLAYER-2.
        """
        roles = [player.role for player in players]
        hold(roles.count(KEEPER) == 1, "a game without exactly one keeper")
        self.keeper = next(player.seat for player in players if player.role == KEEPER)
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
        _check_knowers(game, record)
        self._check_pits(game, record)
        if game.phase is Phase.SETUP:
            self._check_answers(game, record)
        self._check_cards(game, record)
        _check_course(game, record)
        _check_turn(game, record)
        _check_opened(game, record)

    def _check_cards(self, game: FirstEditionTable, record: Record) -> None:
        """Check that cards come from the top of their deck, or from where they lay."""
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
                self._check_told(game, dealt, dealt.owner)
            case fe.StoryCardShown() as story_card:
                lying = game.story_cards.get(story_card.number)
                is_it = lying is not None and lying.handle == story_card.handle
                hold(is_it, "another card of the story than the one that was dealt")
                hold(lying is None or lying.shown is None, "a card that is turned up twice")
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
                if isinstance(played, fe.MythosLaidDown):
                    self._check_told(game, played, played.investigator)
            case fe.TraumaPlayed() as trauma:
                _check_held(game, TRAUMA_HAND, trauma.handle)

    def _check_told(
        self, game: FirstEditionTable, down: fe.StoryCardDealt | fe.MythosLaidDown, owner: str
    ) -> None:
        """Check who may look at a card that lies face down, and that it is the one they see."""
        lies = game.known_card(down.handle)
        is_it = not down.card.is_open or lies in {None, down.card.value}
        hold(is_it, "a card is sealed that does not lie there")
        has = game.investigators.get(owner)
        seats = {self.keeper} if has is None else {self.keeper, has.seat}
        hold(seats.issuperset(down.knowers), "a card that others may look at")

    def _check_pits(self, game: FirstEditionTable, record: Record) -> None:
        """Check that pits come from the supply, and hold who falls into them. W-PIT-2 to 10."""
        match record.event:
            case fe.PitPlaced() as placed:
                self.check_top(game, PIT_SUPPLY, placed.handle)
                lying = game.features_at(placed.at, FeatureKind.PIT)
                is_free = all(self.fallen.get(one.feature_id) for one in lying) and len(lying) < 2
                hold(is_free, "a pit where one lies")
            case fe.PitTriggered() as fell:
                pit = game.features.get(fell.feature)
                hold(pit is not None and pit.handle == fell.handle, "a pit that is not there")
                assert pit is not None
                there = [one for one in fell.figures if _space_of(game, one) == pit.at]
                hold(there == list(fell.figures), "somebody falls into a pit elsewhere")
                hold(fell.feature not in self.fallen, "a pit that lies open is triggered")
                self.fallen[fell.feature] = fell.is_renewed
            case fe.PitReturned() as back:
                pit = game.features.get(back.feature)
                hold(pit is not None and pit.handle is not None, "a pit that is not there")
                assert pit is not None
                # A marker that went back first could be drawn in its own place. W-PIT-8.
                if self.fallen.pop(back.feature, False):
                    is_replaced = len(game.features_at(pit.at, FeatureKind.PIT)) == 2
                    is_left = bool(game.piles.get(PIT_SUPPLY))
                    hold(is_replaced or not is_left, "a pit goes back before it is replaced")
            case events.TakenBack():
                self.fallen.clear()
            case events.CheckpointReached():
                hold(not self.fallen or game.phase is Phase.OVER, "a pit stays turned up")
            case fe.FeatureRemoved() as gone:
                is_pit = game.features[gone.feature].kind is FeatureKind.PIT
                hold(not is_pit, "a pit that does not come back to the supply")
            case fe.MonsterMoved() as moved:
                hold(moved.monster not in game.trapped, "a monster moves on from a pit")

    # Answers of the setup

    def _check_answers(self, game: FirstEditionTable, record: Record) -> None:
        """Check that what follows from answers and lot is sealed as it was said. W-DECIDE-47."""
        match record.event:
            case events.Asked():
                self.answers = {}
            case events.Answered() as said:
                self.answers[said.seat] = said.picks
            case events.Settled():
                self._settle()
            case events.Dealt() as dealt if dealt.choice.is_open:
                self.dealt.append((dealt.purpose, dealt.choice.value.result))
            case fe.AnswersGiven() as own:
                self._check_same(own.answers, _STORY)
            case fe.VoteCounted() as counted if self.is_all_given:
                self._check_same(counted.answers, _VOTE)
            case fe.ActionLaid() as laid if laid.action.is_open:
                taken = [one for _, some in self._said(_ACTIONS) for one in some]
                card = laid.action.value.card
                is_taken = not taken or card in taken
                # In the order in which they were drawn.
                drawn = [one for purpose, one in self.dealt if purpose == "action"]
                at = len(game.hidden_actions)
                is_next = not drawn or drawn[at : at + 1] == [card]
                hold(is_taken and is_next, "a hidden action that was not taken")

    def _settle(self) -> None:
        """Note the questions that are settled; who has not answered has the defaults."""
        assert self.ask is not None
        rows: list[tuple[Question, tuple[str, ...]]] = []
        self.is_all_given = True
        for seat, question in sorted(self.ask.questions.items()):
            picks = self.answers.get(seat)
            if not question.is_open or not (picks is None or picks.is_open):
                self.is_all_given = False
                continue
            asked = question.value
            said = asked.row_default if picks is None else picks.value
            rows += zip(asked.row, asked.split(said), strict=True)
        self.given = tuple(rows)

    def _said(self, subject: str) -> list[tuple[str, list[str]]]:
        """Return what questions of a kind are about, each with what was answered, in seat order."""
        found = []
        for question, picks in self.given:
            if question.prompt.subject == subject:
                chosen = [one.text.params[0] for one in question.choices if one.choice_id in picks]
                found.append((_id_of(question.prompt.params[-1]), [_id_of(one) for one in chosen]))
        return found

    def _check_same(self, answers: Sealed[Mapping[str, str]], subject: str) -> None:
        """Check answers against what was said or, in a fixed setup, dealt."""
        if not answers.is_open:
            return
        said: dict[str, list[str]] = {}
        for about, chosen in self._said(subject):
            said.setdefault(about, []).extend(chosen)
        # Of answers given equally often the one that was given first.
        counted = {about: max(some, key=some.count) for about, some in said.items()}
        lot = [result for purpose, result in self.dealt if purpose == "answer"]
        # Where neither is open here, only others can check.
        is_so = counted == answers.value or not counted
        is_dealt = all(one in lot for one in answers.value.values())
        hold(is_dealt if lot else is_so, "other answers than were given")

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


def _check_course(game: FirstEditionTable, record: Record) -> None:
    """Check that what comes once does, and that the secrets of the setup are sealed in it."""
    match record.event:
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
        case fe.DealtWith() as done:
            hold(done.what not in game.done, "something is done a second time")
        case fe.KeeperStepBegan() as began:
            is_next = game.step is None or _STEPS.index(began.step) > _STEPS.index(game.step)
            hold(is_next, "a step of the keeper a second time")


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


def _id_of(named: object) -> str:
    """Return the id of an option or a question, whose words stand under its story, or a card."""
    if isinstance(named, Text):
        return named.subject.rpartition("/")[2]
    return str(named)


def _check_knowers(game: FirstEditionTable, record: Record) -> None:
    """Check that each secret is sealed to whoever may know it. K-SECRET-5, W-SECRET-3 to 11."""
    match record.event:
        case (
            fe.AnswersGiven()
            | fe.ActionLaid()
            | fe.CardLaid()
            | fe.LockLaid()
            | fe.LaidReady()
            | fe.MonsterPlaced()
        ) as own:
            hold(own.role == KEEPER, "a secret of the keeper that is sealed to others")
        case fe.EventLaid() | fe.TaleLaid() as own:
            hold(own.role in {KEEPER, ""}, "a secret of the keeper that is sealed to others")
        case fe.VoteCounted() as vote:
            hold(vote.role == INVESTIGATOR, "a secret of the investigators is sealed to others")
        case fe.ObjectiveSet() as goal:
            # Who chose it in secret is not told to whom it is hidden from.
            is_theirs = goal.role == INVESTIGATOR and game.vote is not None
            hold(goal.role == KEEPER or is_theirs, "an objective that is sealed to others")


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
            is_here = told.holder is None or told.holder in game.investigators
            hold(is_here, "a story card of an ally is kept by nobody in play")
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
