"""Heuristics: the points of each choice, for a sensible player who sees the open table.

Ending a turn is worth `END_OF_TURN`, so choices with fewer points are a last resort. The heuristics
contain no rules: every choice of a question is legal, and the points say which choice a person
would like.
"""

from collections.abc import Collection, Mapping, Sequence

import attrs

from client.bots.weighing import END_OF_TURN, MEMORY, Past, Scale, flat, key_of, kind_of
from client.games.second_edition.bot.together import RoundStart, Uses
from client.model.tables import TableView
from protocol.boards import routes
from protocol.boards.maps import Boundary
from protocol.common.asks import Choice, Point, Question
from protocol.games.second_edition import events as se
from protocol.games.second_edition.table import (
    Face,
    FeatureKind,
    Harm,
    Investigator,
    Monster,
    Possession,
    SecondEditionTable,
    Skill,
    Token,
    TokenKind,
)

_TOKENS = {
    TokenKind.EXPLORE: 80.0,
    TokenKind.SEARCH: 70.0,
    TokenKind.INTERACT: 60.0,
    TokenKind.PERSON: 55.0,
    TokenKind.SIGHT: 45.0,
}
_GROUPS = {
    "fight": 50.0,
    "look": 50.0,
    "free": 20.0,
    "use": 20.0,
    "move": 12.0,
    "rest": END_OF_TURN,
    "risk": END_OF_TURN,
}
_FRESH = 25.0
"""
Points for the newest token. Older tokens have fewer, because stories usually lead to new tokens.
"""
_TIRED = 0.7
"""The factor for each try without a gain."""
_MONSTER, _CROWD = 12.0, 15.0
"""Points subtracted for a monster in a space, and for each further monster there."""
_END_OF_TURN, _TOO_FAR, _LACKING = "choice/end_turn", "refusal/too_far", "EXPLORE-5"
"""
The subject of a choice that every turn has; the reason for refusing an option that is too far away;
the rule that refuses an option within reach because something is lacking.
"""
_SECTIONS = {
    TokenKind.EXPLORE: "EXPLORE-",
    TokenKind.SEARCH: "SEARCH-",
    TokenKind.INTERACT: "INTERACT-",
    TokenKind.PERSON: "INTERACT-",
    TokenKind.SIGHT: "SIGHT-",
}
"""
Prefixes of the rules that refuse distant options of tokens, by kind of token. No rule refuses the
options of Sights.
"""
_GAINS = (
    se.ProgressKept,
    se.CluesGained,
    se.PossessionGained,
    se.TokenPlaced,
    se.TilePlaced,
    se.ObjectiveSet,
    se.CodeGuessed,
    se.MonsterDamaged,
    se.MonsterDiscarded,
)
"""Kinds of events that show the benefit of a choice."""
_LOOK_AT = "look/token"
_WORSE, _LEAST_FIT, _BEST = 0.08, 0.7, 1.15
"""
Subtracted from the factor of a test for each die that somebody else has more; its minimum; the
factor for whoever has the most dice.
"""
_TAKEN = 0.75
"""The factor for walking to a token that `plans` gives to another investigator."""
_NEARER = 0.9
"""The factor for each step from the player to a token."""
_KEY = 8.0
"""Points of an item for an investigator whose planned token has an option that needs it."""
_BETTER = 2.0
"""The minimum of points that a gift has to gain."""
_GIFT, _PER_POINT, _MOST_FOR_A_TRADE = 20.0, 8.0, 80.0
"""Points for a trade, for each point that its best gift gains, and their maximum."""
_LYING = 25.0
"""Points for a trade in a space with cards on the floor."""


def worths(view: TableView, question: Question) -> tuple[float, ...]:
    game = view.table.game
    if not isinstance(game, SecondEditionTable):
        return tuple(_GROUPS.get(choice.group, END_OF_TURN) for choice in question.choices)
    past = Past.from_log(view, _GAINS, se.TurnBegan)
    mine = [i for i in game.investigators.values() if i.seat == view.seat and not i.is_eliminated]
    named = [i for i in mine if i.investigator_id in question.prompt.params]
    active = [i for i in mine if i.investigator_id == game.active]
    # A seat may have several investigators: the one that the question names is asked.
    me = next(iter((*named, *active, *mine)), None)
    mind = _Mind(game, me, past, question, _tested(view), view)
    return tuple(_SCALE.worth(mind, past, choice) for choice in question.choices)


def _tested(view: TableView) -> Mapping[str, Skill]:
    """Return the skill that each option of the story tests, learnt from tests on the log.

    The key is the subject of the option's words.
    """
    tested: dict[str, Skill] = {}
    chosen: tuple[str, str] | None = None
    for record in view.records[-MEMORY:]:
        event = record.event
        if isinstance(event, se.OptionChosen):
            who = event.investigator
            chosen = None if who is None else (who, event.text.subject)
        elif isinstance(event, se.TestDeclared):
            if chosen is not None and chosen[0] == event.investigator:
                tested.setdefault(chosen[1], event.skill)
            chosen = None
        elif isinstance(event, se.TurnBegan | se.PhaseBegan):
            chosen = None
    return tested


# The mind ----------------------------------------------------------------------------------


@attrs.define
class _Mind:
    """The state of a table and of the viewer's past choices, shared by all judges of one answer."""

    game: SecondEditionTable
    me: Investigator | None
    past: Past
    question: Question
    tested: Mapping[str, Skill]
    """The skill that each option of the story tests, if a test of the option was seen."""
    view: TableView
    menu: Question | None = attrs.field(init=False)
    """
    The last question of a turn, which contains the options of every token, offered or refused.
    """
    owners: Mapping[str, str] = attrs.field(init=False)
    """The token of each option that was ever offered, by the subject of the option's words."""
    refused: Collection[str] = attrs.field(init=False)
    """Subjects of the options refused since the last gain because the investigator lacked
    something."""
    _ways: dict[str, Mapping[str, int]] = attrs.field(factory=dict, init=False)
    _planned: Mapping[str, str] | None = attrs.field(default=None, init=False)
    """The token of each investigator; see `plans`. None until it is needed."""
    _uses: Uses | None = attrs.field(default=None, init=False)

    def __attrs_post_init__(self) -> None:
        # A question that offers to end the turn is the menu of the turn.
        menus = [
            (at, question)
            for at, question in self.past.asked
            if any(choice.text.subject == _END_OF_TURN for choice in question.choices)
        ]
        self.menu = menus[-1][1] if menus else None
        self.refused = frozenset(
            refused.text.subject
            for at, question in menus
            # After a gain, the investigator may have what was lacking.
            if at > self.past.last_gain
            for refused in question.refused
            if refused.rule == _LACKING
        )
        self.owners = {
            choice.text.subject: choice.points[0].piece
            for _, question in self.past.asked
            for choice in question.choices
            if kind_of(choice) == _LOOK_AT
        }

    def hurt(self, harm: Harm) -> float:
        """Return the used-up share of health or sanity, from 0 to 1; 0 without an investigator."""
        if self.me is None:
            return 0.0
        limit = self.me.health if harm is Harm.DAMAGE else self.me.sanity
        return self.game.harm_count(self.me.investigator_id, harm) / max(1, limit)

    def steps_from(self, space: str) -> Mapping[str, int]:
        """Return the number of steps from `space` to every space that can be reached on the map.

        Doors that still have a token count as closed.
        """
        board = self.game.map
        # A door with a token on it was never opened.
        shut = {board.doors[t.at].door for t in self.game.tokens.values() if t.at in board.doors}

        def onward(at: str) -> list[str]:
            return [
                edge.across(at)
                for edge in board.edges_of(at)
                if edge.line is Boundary.BORDER
                or (edge.line is Boundary.DOOR and edge.door not in shut)
            ]

        # Every possible move is compared with staying, so that one space is asked for many times.
        if space not in self._ways:
            self._ways[space] = routes.reach([space], onward)
        return self._ways[space]

    def token_worth(self, token: Token) -> float:
        """Return the points of a token: more for a new token, fewer after tries without a gain."""
        tries = sum(
            count
            for (_, points), count in self.past.in_vain.items()
            if Point("token", token.token_id) in points
        )
        return _public_worth(tuple(self.game.tokens.values()), token) * float(_TIRED**tries)

    def fitness(self, subjects: Collection[str]) -> float:
        """
        Return the factor for options that test a skill; higher for skills with more dice.

        Args:
            subjects: the subjects of the options' words. The best option counts; an option whose
                skill is unknown counts as 1.
        """
        factors = [self._fitness(self.tested[one]) for one in subjects if one in self.tested]
        untested = [1.0 for one in subjects if one not in self.tested]
        return max((*factors, *untested), default=1.0)

    def _fitness(self, skill: Skill) -> float:
        people = self.game.investigators.values()
        if self.me is None:
            return 1.0
        mine = self.me.skills.get(skill, 0)
        best = max(
            (one.skills.get(skill, 0) for one in people if not one.is_eliminated), default=mine
        )
        return _BEST if mine >= best else max(_LEAST_FIT, 1 - _WORSE * (best - mine))

    def subjects_of(self, token: Token) -> Collection[str]:
        """Return the subjects of the options that a token is known to have."""
        owned = (subject for subject, owner in self.owners.items() if owner == token.token_id)
        return {offer.text.subject for offer in token.offers} | {*owned}

    def is_anothers(self, token: Token) -> bool:
        """Return whether `plans` assigns a token to another investigator."""
        if self.me is None:
            return False
        mine = self.me.investigator_id
        return any(one == token.token_id for who, one in self.plans().items() if who != mine)

    def plans(self) -> Mapping[str, str]:
        """
        Return the token assigned to each investigator, so that no two walk to the same token.

        The worth of a token falls with each step to it. Investigators and tokens are paired
        greedily, the pair of highest worth first. The pairs depend on the positions and tokens at
        the beginning of the round, so they stay all round; an investigator whose token is gone gets
        another, by their present position. All of this is public, so all bots compute one plan.
        """
        if self._planned is None:
            tokens, people = tuple(self.game.tokens.values()), self.game.investigators.values()
            start = RoundStart.from_log(self.view.records[-MEMORY:], self.game)
            began = self._shared(start.spaces, start.tokens)
            plans = {who: token for who, token in began.items() if token in self.game.tokens}
            spaces = {
                who.investigator_id: who.space
                for who in people
                if who.investigator_id not in plans
                and not who.is_eliminated
                and who.space is not None
            }
            left = tuple(token for token in tokens if token.token_id not in plans.values())
            self._planned = {**plans, **self._shared(spaces, left)}
        return self._planned

    def _shared(self, spaces: Mapping[str, str], tokens: Sequence[Token]) -> Mapping[str, str]:
        """Pair investigators with tokens greedily, by worth and distance."""
        pairs = [
            (_public_worth(tokens, token) * _NEARER**steps, who, token.token_id)
            for who, space in spaces.items()
            for token in tokens
            if (steps := self.steps_to(space, token)) is not None
        ]
        shared: dict[str, str] = {}
        for _, who, token in sorted(pairs, key=lambda pair: -pair[0]):
            if who not in shared and token not in shared.values():
                shared[who] = token
        return shared

    def gain(self, giver: Investigator, possession: Possession, receiver: Investigator) -> float:
        """Return the points gained by giving a possession away; 0 if it was given before."""
        if self._uses is None:
            self._uses = Uses.from_log(self.view, self.game)
        if possession.possession_id in self._uses.handed_over:
            return 0.0
        mine, theirs = (
            max(self._uses.value(possession, who), self._as_key(possession, who))
            for who in (giver, receiver)
        )
        return theirs - mine

    def _as_key(self, possession: Possession, who: Investigator) -> float:
        """Return an item's points if the investigator's planned token needs the item, else 0."""
        assert self._uses is not None
        token = self.game.tokens.get(self.plans().get(who.investigator_id, ""))
        subjects = self._uses.needed.get(possession.card, frozenset())
        if token is None or who.space is None or subjects.isdisjoint(self.subjects_of(token)):
            return 0.0
        return _KEY * float(_NEARER ** (self.steps_to(who.space, token) or 0))

    def beside(self) -> tuple[Investigator, ...]:
        """Return the other investigators in the space of the bot's investigator."""
        me = self.me
        if me is None or me.space is None:
            return ()
        people = self.game.investigators.values()
        return tuple(
            one
            for one in people
            if one.space == me.space and one is not me and not one.is_eliminated
        )

    def steps_to(self, space: str, token: Token) -> int | None:
        """Return the number of steps from a space to a token; None if the map shows no path."""
        ways = self.steps_from(space)
        door = self.game.map.doors.get(token.at)
        places = (token.at,) if door is None else door.sides
        return min((ways[at] for at in places if at in ways), default=None)

    def offers_nothing(self, token: Token) -> bool:
        """Return whether the open menu shows that a token has no option for the player."""
        menu = self.menu
        if menu is None or any(Point("token", token.token_id) in c.points for c in menu.choices):
            return False
        if token.offers:
            return all(offer.text.subject in self.refused for offer in token.offers)
        # Its options come and go, and are on no token: only the menu shows them, as refused.
        of_others = {
            offer.text.subject for t in self.game.tokens.values() for offer in t.offers
        } | {subject for subject, owner in self.owners.items() if owner != token.token_id}
        return not any(
            r.reason.subject == _TOO_FAR
            and r.rule.startswith(_SECTIONS[token.kind])
            and r.text.subject not in of_others
            for r in menu.refused
        )

    def pull(self, space: str) -> float:
        """Return the points of a space: the best token's points, reduced by the steps to it."""
        best = 0.0
        for token in self.game.tokens.values():
            steps = None if self.offers_nothing(token) else self.steps_to(space, token)
            if steps is not None:
                worth = self.token_worth(token) * self.fitness(self.subjects_of(token))
                worth *= _TAKEN if self.is_anothers(token) else 1.0
                best = max(best, worth * _NEARER**steps)
        return best

    def monsters_at(self, space: str | None) -> tuple[Monster, ...]:
        return tuple(m for m in self.game.monsters.values() if m.space == space)


def _public_worth(tokens: Sequence[Token], token: Token) -> float:
    """Return the points of a token before any try; newer tokens have more."""
    return _TOKENS[token.kind] + _FRESH * (tokens.index(token) + 1) / len(tokens)


# Worths ------------------------------------------------------------------------------------


def _token(mind: _Mind, choice: Choice) -> float:
    token = mind.game.tokens.get(choice.points[0].piece)
    if token is None:
        return _GROUPS["look"]
    worth = mind.token_worth(token) * mind.fitness((choice.text.subject,))
    if mind.me is not None and mind.monsters_at(mind.me.space):
        # A monster in the space has to be evaded first.
        worth *= 0.7
    return worth - mind.past.in_vain.get(key_of(choice), 0)


def _fight(mind: _Mind, choice: Choice) -> float:
    monster = mind.game.monsters.get(choice.points[0].piece)
    if monster is None or mind.me is None:
        return _GROUPS["fight"]
    is_armed = any(point.kind == "possession" for point in choice.points)
    left = monster.health - monster.damage
    worth = 75.0 - 4 * left + (15 if is_armed else 0)
    worth += 10 if monster.space == mind.me.space else 0
    return worth * (1.2 - mind.hurt(Harm.DAMAGE))


def _move(mind: _Mind, choice: Choice) -> float:
    """Return the points of a move.

    A step towards a valuable token has most points. Monsters and Fire in the target space reduce
    them, and so does each earlier move to that space in this turn.
    """
    if mind.me is None or mind.me.space is None:
        return _GROUPS["move"]
    space, here = choice.points[0].piece, mind.me.space
    if space == here:
        return 1.0
    there, now = mind.pull(space), mind.pull(here)
    # Anything that can be done here comes before walking.
    worth = there * _NEARER if there > now else min(8.0, there)
    # A crowd is worse than each of its monsters.
    monsters = len(mind.monsters_at(space))
    worth -= (_MONSTER * monsters + _CROWD * max(0, monsters - 1)) * (0.8 + mind.hurt(Harm.DAMAGE))
    if mind.game.has_feature(FeatureKind.FIRE, space) and not mind.me.quenches:
        worth -= 12
    if mind.monsters_at(here):
        worth *= 0.6 + mind.hurt(Harm.DAMAGE) / 2
    # Not to and fro.
    return worth * 0.5 ** mind.past.this_turn.get(key_of(choice), 0)


def _component(mind: _Mind, _choice: Choice) -> float:
    hurt = max(mind.hurt(Harm.DAMAGE), mind.hurt(Harm.HORROR))
    return 120 * hurt if hurt >= 0.4 else 2.0


def _trade(mind: _Mind, _choice: Choice) -> float:
    """Return the points of a trade, by its best gift and by the cards on the floor of the space."""
    me = mind.me
    if me is None or me.space is None:
        return 1.0
    best = max(
        (mind.gain(me, held, other) for held in me.possessions for other in mind.beside()),
        default=0.0,
    )
    worth = _LYING if mind.game.lying.get(me.space) else 1.0
    if best >= _BETTER:
        worth = max(worth, min(_MOST_FOR_A_TRADE, _GIFT + _PER_POINT * best))
    # A monster in the space has to be evaded first.
    return worth * 0.7 if mind.monsters_at(me.space) else worth


def _give(mind: _Mind, choice: Choice) -> float:
    """Return the points of a gift: many if the receiver uses the card better, else almost none."""
    ids = {point.kind: point.piece for point in choice.points}
    receiver = mind.game.investigators.get(ids.get("investigator", ""))
    for giver in mind.game.investigators.values():
        for held in giver.possessions:
            if held.possession_id == ids.get("possession") and receiver is not None:
                gain = mind.gain(giver, held, receiver)
                return _GIFT + _PER_POINT * gain if gain >= _BETTER else 1.0
    return 1.0


def _fight_fire(mind: _Mind, _choice: Choice) -> float:
    """Return the points of fighting a fire: many in the burning space, few elsewhere."""
    is_in_it = mind.me is not None and mind.game.has_feature(FeatureKind.FIRE, mind.me.space)
    return 50.0 if is_in_it else 5.0


def _missing(mind: _Mind) -> int | None:
    """Return the number of successes that the open test still lacks.

    None if there is no test or its difficulty is unknown; 0 or less if the test is passed already.
    """
    test = mind.game.test
    if test is None or test.difficulty is None:
        return None
    return test.difficulty - test.faces.count(Face.SUCCESS) - len(test.converted)


def _spend(mind: _Mind, choice: Choice) -> float:
    count, missing = len(choice.points), _missing(mind)
    if missing is None:
        return 30.0 + count
    if missing <= 0:
        return 0.0
    # As many as it takes; fewer only help together with a reroll.
    return 60.0 - count if count >= missing else 2.0


def _convert(mind: _Mind, _choice: Choice) -> float:
    """Return the points of turning a die into a success; 0 if the test is passed already."""
    missing = _missing(mind)
    return 0.0 if missing is not None and missing <= 0 else 80.0


def _reroll(mind: _Mind, choice: Choice) -> float:
    """Return the points of a reroll: more if it costs no card, 0 if no die would be chosen."""
    test, missing = mind.game.test, _missing(mind)
    if test is None or (missing is not None and missing <= 0):
        return 0.0
    if all(_die_worth(mind, at) <= 0 for at in range(len(test.faces))):
        return 0.0
    return 75.0 if choice.group == "free" else 70.0


def _die(mind: _Mind, choice: Choice) -> float:
    at = choice.points[0].piece if choice.points else ""
    return _die_worth(mind, int(at)) if at.isdigit() else 0.0


def _die_worth(mind: _Mind, at: int) -> float:
    """Return the points of rerolling a die: most for a blank, below 0 for a die worth keeping."""
    test = mind.game.test
    if test is None or at >= len(test.faces):
        return 0.0
    if test.faces[at] is Face.BLANK:
        return 10.0
    is_idle = test.faces[at] is Face.INVESTIGATION and at not in test.converted
    return 5.0 if is_idle and mind.me is not None and not mind.me.clues else -1.0


_PREVENTED: Mapping[str, tuple[Harm, ...]] = {
    "choice/prevent": (Harm.DAMAGE, Harm.HORROR),
    "choice/prevent_damage": (Harm.DAMAGE,),
    "choice/prevent_horror": (Harm.HORROR,),
}
"""Harms that the numbers of a choice stand for, by the subject of the choice's words."""


def _prevent(mind: _Mind, choice: Choice) -> float:
    numbers = [param for param in choice.text.params if isinstance(param, int)]
    harms = _PREVENTED[choice.text.subject]
    if len(numbers) != len(harms):
        return 50.0
    worth = (n * (mind.hurt(harm) + 0.1) for n, harm in zip(numbers, harms, strict=True))
    return 50 + 10 * sum(worth)


_SCALE: Scale[_Mind] = Scale(
    by_subject={
        **dict.fromkeys(
            (
                "choice/carries_instead",
                "choice/another_order",
                "choice/usual_once",
                "choice/not_usual",
            ),
            flat(0.0),
        ),
        "choice/trade": _trade,
        "choice/give": _give,
        "choice/give_clue_to": flat(1.0),
        "choice/claim_too": flat(0.0),
        "choice/drop": flat(0.0),
        "choice/set_fire": flat(0.0),
        "choice/fight_fire": _fight_fire,
        "choice/push": flat(1.0),
        "choice/steal": flat(0.0),
        "choice/take": flat(40.0),
        "choice/pick_up": flat(40.0),
        "choice/move_later": flat(1.0),
        "choice/take_turn": flat(60.0),
        "choice/component": _component,
        "choice/spend_clues": _spend,
        "choice/convert": _convert,
        "choice/reroll": _reroll,
        "choice/die": _die,
        **dict.fromkeys(_PREVENTED, _prevent),
        "choice/puzzle_guess": flat(70.0),
        "choice/swap": flat(65.0),
        **{f"choice/slide_{way}": flat(65.0) for way in ("left", "right", "up", "down")},
        "choice/puzzle_clue": flat(60.0),
        "choice/puzzle_card": flat(61.0),
    },
    by_kind={_LOOK_AT: _token, "fight/monster": _fight, "move/space": _move},
    groups=_GROUPS,
)
