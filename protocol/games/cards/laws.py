"""
Laws of the card game: promises of its cards, tokens, tests and turns.

Only audits use them. To check whether the rules were followed takes the rules and the content;
these laws need nothing but the log.
"""

from collections import Counter
from collections.abc import Sequence

import attrs

from protocol import codec
from protocol.common import events
from protocol.common.laws import GameLaws, hold, register_laws
from protocol.common.table import GameTable, Handle, Table
from protocol.event import Record
from protocol.games.cards import events as cards
from protocol.games.cards.events.tokens import lying, shown_of
from protocol.games.cards.table import (
    ENCOUNTER,
    FACE_DOWN,
    CardId,
    CardsTable,
    Place,
    Position,
    Shown,
    deck_of,
    further,
    hand_of,
)
from protocol.games.cards.words import INVESTIGATOR, RULESET, Phase, Token, Zone

MOST = 4
"""Investigators in one game. C-BZONE-1."""
_PHASES = (Phase.MYTHOS, Phase.INVESTIGATION, Phase.ENEMY, Phase.UPKEEP)
_AREAS = frozenset([Zone.PLAY, Zone.THREAT, Zone.COMMITTED])
"""Zones of an investigator, which nobody has who was eliminated."""
_SINGLE = frozenset([Zone.ACT, Zone.AGENDA, Zone.SCENARIO])
"""Zones with at most one card. C-BSETUP-9."""
UNSEEN: CardId = ""
"""Stands for a card that went to a pile and is sealed."""
_STEPS = range(1, 9)
"""The steps ST.1 to ST.8. C-BTEST-2 to C-BTEST-14."""
_PHASE_STEPS = 5
"""The largest number of steps in a phase. C-BROUND-1."""
_VALUED, _RESULT = 5, 6
"""Steps in which the skill value and the result are determined. C-TEST-4, C-TEST-5."""


@attrs.define
class CardsLaws(GameLaws):
    """Checks one game's cards, tokens, tests and turns, record by record."""

    gathered: dict[str, Counter[CardId]] = attrs.field(factory=dict)
    """Open cards that went to a pile and are mixed into it next, by pile."""
    looked_at: set[Handle] = attrs.field(factory=set)
    """Cards of a pile that somebody has looked at since it was mixed."""
    picked: list[events.Picked] = attrs.field(factory=list)
    """Picks of chaos tokens that are not shown yet."""

    def may_lay_out(self, game: GameTable, pile: str) -> bool:
        """Return True if a pile with a new name may be laid out now: decks and hands in setup."""
        assert isinstance(game, CardsTable)
        own = {name for who in game.order for name in (deck_of(who), hand_of(who))}
        return game.phase is Phase.SETUP and (pile in own or _is_of_encounter(pile))

    def is_made_anew(self, pile: str) -> bool:
        """Return True for a pile to which open cards went just before."""
        return pile in self.gathered

    def lies_apart(self, pile: str) -> bool:
        """
        Return True for piles that nothing is drawn from unless they are mixed.

        Cards that lie face down go back under the deck as they lay (C-BKEY-20), and weaknesses of a
        starting hand wait beside it (C-BSETUP-5).
        """
        return pile == FACE_DOWN or pile.startswith("mulligan/")

    def check_start(self, players: Sequence[events.Player]) -> None:
        """Check that one to four investigators play, each once. C-BZONE-1."""
        hold(all(one.role == INVESTIGATOR for one in players), "a role that this game has not")
        people = [who for one in players for who in one.characters]
        is_right = 1 <= len(people) <= MOST and len(set(people)) == len(people)
        hold(is_right and all(one.characters for one in players), "other investigators than fit")

    def follow(self, table: Table, record: Record) -> Table:
        """Check a record and return the table after it; no chaos token appears or goes by itself.

        Raises:
            LawBroken: the record breaks a law.
        """
        after = super().follow(table, record)
        before, now = table.game, after.game
        if isinstance(before, CardsTable) and isinstance(now, CardsTable):
            event = record.event
            if isinstance(event, cards.TakenUp):
                # They go under the deck as they lay: everybody may know which ones they are.
                owners = {before.cards[piece].owner for piece in event.pieces}
                self.unmixed -= {deck_of(who) if who else ENCOUNTER for who in owners}
            if not isinstance(event, events.TakenBack | cards.BagFilled):
                _check_chaos(before, now, record)
        return after

    def check(self, game: GameTable, record: Record) -> None:
        """Check a record against the table before it."""
        super().check(game, record)
        assert isinstance(game, CardsTable)
        self._check_draw(game, record)
        self._check_piles(game, record)
        _check_places(game, record)
        _check_people(game, record)
        _check_tokens(game, record)
        _check_test(game, record)
        _check_course(game, record)

    # Chance

    def _check_draw(self, game: CardsTable, record: Record) -> None:
        """Check purposes, and that revealed chaos tokens are those that were picked. C-BBAG-3."""
        event = record.event
        if isinstance(event, events.Picked) and event.purpose == "token":
            hold(event.bound == len(game.bag) - len(self.picked), "a token of another bag")
            self.picked.append(event)
            return
        if isinstance(event, cards.TokensRevealed) and not event.piece:
            left = list(game.bag)
            hold(len(self.picked) == len(event.tokens), "a token is shown that was not picked")
            for token, picked in zip(event.tokens, self.picked, strict=True):
                hold(left[picked.result] == token, "another token is shown than was picked")
                left.remove(token)
            self.picked.clear()
            return
        hold(not self.picked, "a token is picked that is not shown")
        match event:
            case events.Picked():
                hold(event.purpose == "lot", "a pick for what nothing is picked for")
            case events.Dealt():
                hold(game.phase is Phase.SETUP, "a deal after the setup")
                hold(not event.knowers, "somebody is told what is drawn out of sight")
            case events.PickedSecretly():
                is_known = event.purpose in ("discard", "weakness")
                hold(is_known, "a pick for what nothing is picked for")
            case events.Rolled():
                hold(holds=False, reason="a die in a game without dice")

    # Piles

    def _check_piles(self, game: CardsTable, record: Record) -> None:
        """Check that cards come from where they lay, and who may know which pile."""
        match record.event:
            case events.Shuffled() as mixed if not isinstance(mixed, events.ShuffledSome):
                self._check_gathered(game, mixed)
                hold(not mixed.handles or _know(game, mixed), "others know a pile than may")
                self.looked_at -= {*game.piles.get(mixed.pile, ())}
            case events.LookedAt() | events.Arranged() as look:
                hold(_may_look(game, look), "others know a pile than may")
                lying = game.piles.get(look.pile, ())
                self.looked_at |= {lying[place] for place in look.places}
                if isinstance(look, events.Arranged):
                    self.looked_at |= {*look.handles}
            case cards.Drew() as drew:
                if drew.pile == FACE_DOWN:
                    _check_face_down(game, drew.moved, drew.investigator)
                else:
                    is_own = drew.pile == deck_of(drew.investigator)
                    is_drawn = is_own or _is_of_encounter(drew.pile)
                    hold(is_drawn, "a card drawn from the deck of another")
                    self._check_top(game, drew.pile, drew.moved)
            case cards.Opened() as opened:
                self._check_opened(game, opened)
            case cards.HandShown() as shown:
                own = {*game.piles.get(hand_of(shown.investigator), ())}
                hold(own.issuperset(shown.shown), "a card that does not lie there")
                hold(len(shown.shown) == len(shown.cards), "a card without its handle")
            case cards.LaidFaceDown() as down:
                whose = {deck_of(down.owner) if down.owner else ENCOUNTER}
                hold(down.pile in whose, "a card laid from the deck of another")
                self._check_top(game, down.pile, down.moved)
            case cards.TakenUp() as taken:
                lying = game.piles.get(FACE_DOWN, ())
                there = all(game.cards[piece].handle in lying for piece in taken.pieces)
                hold(there, "a card that does not lie face down")
            case cards.Repiled() as moved:
                self._check_repiled(game, moved)
            case cards.Gathered() as gathered:
                self._gather(game, gathered)
            case cards.WeaknessesDealt() as dealt if game.phase is not Phase.SETUP:
                # It goes into the deck, unseen. C-POOL-1.
                (code,) = dealt.weaknesses.value if dealt.weaknesses.is_open else (UNSEEN,)
                self.gathered.setdefault(deck_of(dealt.investigator), Counter())[code] += 1
            case events.Asked() | events.CheckpointReached():
                hold(not self.gathered, "cards went to a pile that was not mixed")
            case events.TakenBack():
                self.gathered.clear()
                self.looked_at.clear()

    def _check_top(self, game: CardsTable, pile: str, handles: Sequence[Handle]) -> None:
        """Check that cards lay on top of a pile, or that somebody looked at them. C-SECRET-23."""
        lying = game.piles.get(pile, ())
        hold({*lying}.issuperset(handles), "a card that does not lie there")
        is_top = lying[: len(handles)] == tuple(handles)
        hold(is_top or self.looked_at.issuperset(handles), "a card that did not lie on top")
        hold(not self._is_unmixed(game, pile), "a card of a pile that was not mixed")

    def _check_opened(self, game: CardsTable, opened: cards.Opened) -> None:
        """Check that an opened card lay there, and whose card it is. C-BZONE-3."""
        lying = game.piles.get(opened.pile, ())
        hold(opened.handle in lying, "a card that does not lie there")
        if opened.pile == FACE_DOWN:
            _check_face_down(game, (opened.handle,), opened.owner)
            return
        hands = {hand_of(who) for who in game.investigators}
        if opened.pile not in hands:
            self._check_top(game, opened.pile, (opened.handle,))
        who = opened.pile.partition("/")[2]
        # A hidden encounter card lies in a hand and belongs to nobody. C-HID-3.
        is_shared = _is_of_encounter(opened.pile)
        owners = {""} if is_shared else {who, ""} if opened.pile in hands else {who}
        hold(opened.owner in owners, "a card of another owner")

    def _check_repiled(self, game: CardsTable, moved: cards.Repiled) -> None:
        """Check that hidden cards stay with their owner, from the top of a deck."""
        lying = game.piles.get(moved.source, ())
        hold({*lying}.issuperset(moved.moved), "a card that does not lie there")
        of = [pile.partition("/")[2] for pile in (moved.source, moved.pile)]
        hold(of[0] == of[1] and of[0] in game.investigators, "a hidden card changes its owner")
        if moved.source == deck_of(of[0]):
            self._check_top(game, moved.source, moved.moved)

    def _gather(self, game: CardsTable, gathered: cards.Gathered) -> None:
        """Note the cards that go to a pile of their owner. C-BENC-7, C-RETURN-1."""
        those = self.gathered.setdefault(gathered.pile, Counter())
        for piece in gathered.pieces:
            hold(piece in game.cards, "a card that is nowhere")
            card = game.cards[piece]
            own = {deck_of(card.owner), hand_of(card.owner)}
            is_its = gathered.pile in own if card.owner else _is_of_encounter(gathered.pile)
            hold(is_its, "a card that goes to the pile of another")
            hold(not card.handle, "a card that lies face down is shuffled in")
            those[card.code] += 1

    def _check_gathered(self, game: CardsTable, mixed: events.Shuffled) -> None:
        """Check that a pile has the cards that lay there, with those that went to it."""
        came = self.gathered.pop(mixed.pile, None)
        if came is None:
            return
        lying = game.piles.get(mixed.pile, ())
        who = mixed.pile.partition("/")[2]
        if not came and not mixed.handles and who in game.order:
            # Deck and hand of an investigator who is being eliminated. C-BELIM-2.
            return
        hold(len(mixed.handles) == len(lying) + came.total(), "a shuffle that adds or takes cards")
        known = [game.known_card(handle) for handle in lying]
        if mixed.order.is_open and None not in known and UNSEEN not in came:
            is_same = Counter(known) + came == Counter(mixed.order.value)
            hold(is_same, "a shuffle that exchanges cards")


def _may_look(game: CardsTable, look: events.LookedAt | events.Arranged) -> bool:
    """Return whether one seat looks at cards that it may see: of its own piles, or of nobody's."""
    seats = {one.seat for one in game.investigators.values()}
    whose = seats if look.pile in (ENCOUNTER, FACE_DOWN) else _owners(game, look.pile)
    return len(look.knowers) == 1 and whose.issuperset(look.knowers)


def _check_face_down(game: CardsTable, handles: Sequence[Handle], owner: str) -> None:
    """Check that cards that lie face down leave for their owner; no swarm card does. C-BKEY-20."""
    lying = {card.handle: card for card in game.cards.values() if card.handle}
    hold({*handles} <= lying.keys(), "a card that does not lie face down")
    own = all(lying[handle].owner == owner for handle in handles)
    hold(own, "a card of another owner")
    is_swarm = any(lying[handle].at.zone is Zone.SWARM for handle in handles)
    hold(not is_swarm, "a swarm card is turned up")


def _is_of_encounter(pile: str) -> bool:
    """Return whether a pile is the encounter deck, or a further one. C-BSPEC-5."""
    return pile == ENCOUNTER or pile.startswith(further(""))


def _owners(game: CardsTable, pile: str) -> set[int]:
    """Return the seat of the investigator whose pile it is; none for a pile of nobody."""
    who = game.investigators.get(pile.partition("/")[2])
    return set() if who is None else {who.seat}


def _know(game: CardsTable, mixed: events.Shuffled) -> bool:
    """Return whether a shuffled pile is known to its holder if it is a hand, else to nobody."""
    is_hand = mixed.pile in {hand_of(who) for who in game.investigators}
    return {*mixed.knowers} == (_owners(game, mixed.pile) if is_hand else set())


# Cards in the open


def _check_places(game: CardsTable, record: Record) -> None:
    """Check that open cards exist, and go where a card can be. C-BZONE-4, C-BZONE-5."""
    match record.event:
        case cards.Joined() as joined:
            hold(game.phase is Phase.SETUP, "an investigator who comes too late")
            hold(joined.investigator not in game.investigators, "an investigator who comes twice")
        case cards.Laid() as laid:
            is_late = game.phase is not Phase.SETUP
            # In play cards come from the decks of acts and agendas, or are their other faces.
            may_come = laid.to.zone in _SINGLE or laid.to.zone is Zone.RESOLVING
            hold(not is_late or may_come, "a card that comes from nowhere")
            hold(laid.owner in ("", *game.investigators), "a card of somebody who is not there")
            _check_free(game, laid.to)
        case cards.LocationLaid() as placed:
            hold(placed.piece in ("", *game.cards), "a card that is nowhere")
            hold(placed.before in ("", *game.investigators), "somebody who is not there")
            _check_position(game, placed.position, placed.before)
        case cards.LaidFaceDown() as down:
            _check_free(game, down.to)
            _check_position(game, down.position, "")
        case cards.LocationMoved() as placed:
            hold(placed.piece in game.cards, "a card that is nowhere")
            _check_position(game, placed.position, game.cards[placed.piece].before)
        case cards.WeaknessesDealt() as dealt:
            hold(dealt.investigator in game.order, "somebody who is not there")
        case cards.Opened() as opened:
            _check_free(game, opened.to)
        case cards.Moved() as moved:
            hold({*game.cards}.issuperset(moved.pieces), "a card that is nowhere")
            hold(len({*moved.pieces}) == len(moved.pieces), "a card that moves twice at once")
            _check_free(game, moved.to)
        case cards.Exhausted() as turned:
            there = all(piece in game.cards for piece in turned.pieces)
            hold(there, "a card that is nowhere")
            in_play = all(game.cards[piece].is_in_play for piece in turned.pieces)
            hold(in_play, "a card is exhausted that is not in play")
        case cards.Engagement() as engaged:
            hold(engaged.piece in game.cards, "a card that is nowhere")
        case cards.Revealed() as revealed:
            card = game.cards.get(revealed.piece)
            sealed = None if card is None else card.hidden
            opened_at = (revealed.opened.sequence, revealed.opened.slot)
            is_it = sealed is not None and sealed.ref == opened_at
            hold(is_it, "another secret is opened than the one that was sealed")
            is_named = codec.encode(revealed.face, str) == revealed.opened.value
            hold(is_named, "the card named is not the one disclosed")
        case cards.PlanMade():
            hold(game.phase is Phase.SETUP and game.plan is None, "a plan that is made too late")


def _check_free(game: CardsTable, to: Place) -> None:
    """Check that a place exists, and holds no card if it is for one."""
    hold(to.zone not in _SINGLE or game.only(to.zone) is None, "two cards in the place of one")
    if to.zone in _AREAS:
        hold(to.of in game.order, "a card that goes to somebody who is not there")
    if to.zone in (Zone.AT, Zone.ON, Zone.BENEATH, Zone.SWARM):
        hold(to.of in game.cards, "a card that lies with one that is nowhere")


def _check_position(game: CardsTable, position: Position | None, before: str) -> None:
    """Check that no card has a position of its set yet. C-BSPEC-4, C-GRID-2."""
    taken = {card.position for card in game.cards.values() if card.before == before} - {None}
    hold(position not in taken, "two cards at one position")


# Investigators


def _check_people(game: CardsTable, record: Record) -> None:
    """Check that an eliminated investigator does nothing. C-BELIM-9, C-BELIM-10."""
    match record.event:
        case cards.Drew() | cards.HandShown() | cards.ActionsSet() | cards.Used() as own:
            people: tuple[str, ...] = (own.investigator,)
        case cards.LaidFaceDown() as down:
            people = (down.owner,) if down.owner else ()
        case cards.TurnBegan() | cards.TurnEnded() | cards.Attacked() | cards.UsedUnseen() as own:
            people = (own.investigator,)
        case cards.Eliminated() as own:
            people = (own.investigator,)
        case cards.Walked() | cards.Engagement() as own:
            people = own.investigators
        case cards.TestBegan() as own:
            people = (own.tester,)
        case _:
            return
    hold({*game.order}.issuperset(people), "somebody does something who is not there")


# Tokens


def _check_tokens(game: CardsTable, record: Record) -> None:
    """Check that tokens lie on cards in play, are never negative, and are not made by moving."""
    event = record.event
    if isinstance(event, cards.Tokens):
        left: Counter[tuple[str, str]] = Counter()
        for change in event.changes:
            card = game.cards.get(change.piece)
            hold(card is not None and card.is_in_play, "a token on a card that is not in play")
            assert card is not None
            key = (change.piece, change.kind)
            left[key] = left.get(key, card.count(change.kind)) + change.amount
        hold(all(number >= 0 for number in left.values()), "a token is taken that is not there")
        for kind in (Token.CLUE.value, Token.DOOM.value):
            amounts = [change.amount for change in event.changes if change.kind == kind]
            # What is taken and put at once moves: nothing comes from the pool besides. C-BLOC-6.
            moves = any(amount < 0 for amount in amounts)
            hold(not moves or sum(amounts) <= 0, f"a {kind} token that comes from nowhere")
    elif isinstance(event, cards.TokenSealed):
        bag = (
            game.bag if event.at < 0 else lying(shown_of(game, beside=event.beside)[event.at :][:1])
        )
        hold(event.token in bag and event.piece in game.cards, "a token is sealed from nowhere")
    elif isinstance(event, cards.Unsealed):
        held = game.cards[event.piece].chaos if event.piece in game.cards else ()
        hold(not Counter(event.tokens) - Counter(held), "a token is released that is not sealed")
    elif isinstance(event, cards.TokensRevealed) and event.piece:
        held = game.cards[event.piece].chaos if event.piece in game.cards else ()
        hold(not Counter(event.tokens) - Counter(held), "a token is resolved that is not sealed")
    elif isinstance(event, cards.TokenIgnored | cards.TokenCancelled):
        shown = shown_of(game, beside=event.beside)
        is_there = 0 <= event.at < len(shown) and lying(shown[event.at : event.at + 1])
        hold(is_there and shown[event.at].is_resolved, "a token that was not revealed")
    elif isinstance(event, cards.BagChanged):
        hold(not Counter(event.removed) - Counter(game.bag), "a token that is not in the bag")
        for kind, number in game.supply.items():
            hold(event.added.count(kind) <= number, "more tokens than the supply has")


def _check_chaos(before: CardsTable, after: CardsTable, record: Record) -> None:
    """Check that chaos tokens in bag, sealed, revealed and in supply are conserved. C-EX-119."""
    was, now = _chaos(before), _chaos(after)
    if isinstance(record.event, cards.BagChanged):
        # Tokens without a supply come from the box, and go there.
        was = Counter({kind: was[kind] for kind in before.supply})
        now = Counter({kind: now[kind] for kind in before.supply})
    hold(was == now, "a chaos token comes from nowhere, or is lost")


def _chaos(game: CardsTable) -> Counter[str]:
    found = Counter([*game.bag, *lying((*game.revealed, *_of_test(game)))])
    for card in game.cards.values():
        found.update(card.chaos)
    found.update(game.supply)
    return found


def _of_test(game: CardsTable) -> tuple[Shown, ...]:
    return () if game.test is None else game.test.shown


# Tests and course


def _check_test(game: CardsTable, record: Record) -> None:
    """Check that a test goes through its steps in order, one test at a time. C-BTEST-2."""
    match record.event:
        case cards.TestBegan() as began:
            hold(game.test is None, "a test inside another one")
            hold(began.difficulty >= 0, "a difficulty below zero")
        case cards.TestStep() as step:
            test = game.test
            hold(test is not None, "a step of no test")
            assert test is not None
            hold(step.step in _STEPS and step.step >= test.step, "a step of a test out of order")
            hold(step.value is None or step.step >= _VALUED, "a value before it is determined")
            is_early = step.has_succeeded is not None and step.step < _RESULT
            hold(not is_early, "a result before it is determined")
            is_other = test.has_succeeded not in {None, step.has_succeeded}
            hold(not is_other, "a result that changes")
        case cards.TestEnded():
            hold(game.test is not None, "the end of no test")
        case cards.TestTakenUp():
            hold(game.put_off, "a test that did not wait")
        case cards.TokensReturned() as back:
            hold(0 <= back.first < len(game.revealed), "tokens go back that were not revealed")
        case cards.TurnBegan() | cards.RoundBegan() | cards.StepCame() | cards.Ended():
            is_end = isinstance(record.event, cards.Ended)
            hold(game.test is None or is_end, "a test that is left open")


def _check_course(game: CardsTable, record: Record) -> None:
    """Check that rounds, phases and turns come in order. C-BROUND-1, C-BTURN-1, C-BTURN-6."""
    match record.event:
        case cards.RoundBegan() as began:
            hold(began.number == game.round_number + 1, "a round out of order")
            hold(game.phase in (Phase.SETUP, Phase.UPKEEP), "a round before the last is over")
        case cards.StepCame() as came:
            hold((came.phase, came.step) in _next_steps(game), "a step of a phase out of order")
            hold(not game.active, "a step of a phase in the middle of a turn")
        case cards.TurnBegan() as turn:
            one = game.investigators.get(turn.investigator)
            hold(game.phase is Phase.INVESTIGATION and not game.active, "a turn out of order")
            hold(one is not None and not one.has_acted, "a second turn in one round")
        case cards.TurnEnded() as turn_end:
            hold(game.active == turn_end.investigator, "the end of nobody's turn")
        case cards.ActionsSet() as actions:
            hold(min(actions.actions, actions.actions_lost) >= 0, "actions below zero")
        case cards.BagFilled():
            hold(game.phase is Phase.SETUP and not game.bag, "a bag that is filled too late")
        case cards.LeadChosen() as chosen:
            hold(chosen.investigator in game.order, "a lead who is not there")
        case cards.Ended():
            hold(game.phase is not Phase.OVER, "an end after the end")


def _next_steps(game: CardsTable) -> set[tuple[Phase, int]]:
    """Return the steps that can come next. C-BROUND-2: the first round has no mythos phase."""
    if game.phase is Phase.SETUP:
        return {(Phase.INVESTIGATION, 0)}
    if game.phase is Phase.OVER:
        return set()
    following = _PHASES[(_PHASES.index(game.phase) + 1) % len(_PHASES)]
    # A step that writes nothing has no record.
    later = range(game.step + 1, _PHASE_STEPS + 1)
    return {(following, 0), *((game.phase, step) for step in later)}


register_laws(RULESET, CardsLaws)
