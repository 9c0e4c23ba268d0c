"""
Investigators: the points of each choice for a sensible investigator.

The plan is read from the public table alone, so that bots of one table share the work: each room
that is worth exploring goes to whoever is nearest.
"""

import random
from collections.abc import Callable, Mapping, Sequence

import attrs

from client.bots.weighing import END_OF_TURN, MEMORY
from client.games.first_edition.bot.advice import (
    AGAINST_MONSTERS,
    AT_ONCE,
    GOALS,
    HEALING,
    NOTHING_TO_DO,
    OPENERS,
    SIDELINES,
    SIGNS,
    Goals,
)
from client.games.first_edition.bot.board import Board, weakness
from client.model.tables import TableView
from protocol.common.asks import Choice, Question
from protocol.games.first_edition.events import ItemGiven
from protocol.games.first_edition.table import (
    CardId,
    FirstEditionTable,
    Investigator,
    Item,
    RoomId,
    SpaceId,
)
from protocol.games.first_edition.words import Attribute, FeatureKind, Keyword

NEARER = 0.86
"""Factor for each step to something."""
ROOM, CARD = 45.0, 8.0
"""Points of a room with unexplored cards, and for each card."""
OPENS = 40.0
"""Points more for a room with something that the investigator can open."""
ANOTHERS = 0.45
"""Factor for a room that goes to somebody else."""


def worths(
    view: TableView, game: FirstEditionTable, question: Question, rng: random.Random
) -> Sequence[float]:
    """Return the points of each choice."""
    del rng
    mine = [one for one in game.investigators.values() if one.seat == view.seat]
    mind = Mind(view, game, question, mine[0] if mine else None)
    return [worth(mind, choice) for choice in question.choices]


def goals_of(view: TableView, game: FirstEditionTable) -> Goals:
    """Return what to do for the objective, or for the one that open signs betray."""
    if game.revealed is not None:
        return GOALS.get(game.revealed, NOTHING_TO_DO)
    for sign in SIGNS.get(view.table.room.scenario, ()):
        kinds = {one.kind for one in game.monsters.values()} | set(game.killed)
        line = game.counters.get(sign.counter)
        is_seen = not kinds.isdisjoint(sign.monsters)
        is_counted = line is not None and line.amount >= sign.at_least
        if is_seen or is_counted:
            # What cannot be undone waits until the objective is known.
            return attrs.evolve(GOALS.get(sign.objective, NOTHING_TO_DO), burns=False)
    return NOTHING_TO_DO


@attrs.define
class Mind:
    """What an investigator makes of the table."""

    view: TableView
    game: FirstEditionTable
    question: Question
    me: Investigator | None
    goals: Goals = attrs.field(init=False)
    board: Board = attrs.field(init=False)
    _tasks: Sequence[tuple[tuple[SpaceId, ...], float]] | None = attrs.field(
        default=None, init=False
    )

    def __attrs_post_init__(self) -> None:
        self.goals = goals_of(self.view, self.game)
        shut = [
            room
            for room, lock in self.game.locks.items()
            if lock.shown is not None and self.me is not None and not self.can_open(lock.shown)
        ]
        self.board = Board(self.game, shut)

    def can_open(self, card: CardId) -> bool:
        """Return whether the investigator may get a lock or obstacle open."""
        wanted = OPENERS.get(card)
        assert self.me is not None
        return wanted is None or any(item.card == wanted for item in self.me.items)

    def room_worth(self, who: Investigator, room: RoomId) -> float:
        """Return the points of exploring a room; 0 if there is nothing to find."""
        laid = self.game.laid.get(room, ())
        lying = sum(item_worth(item) for item in self.game.lying.get(room, ()))
        top = laid[0].shown if laid else None
        if not laid:
            return min(60.0, lying)
        found = ROOM + CARD * len(laid)
        if top is not None:
            wanted = OPENERS.get(top)
            if wanted is None:
                found += OPENS / 2
            elif any(item.card == wanted for item in who.items):
                found += OPENS
            else:
                return min(60.0, lying)
        lock = self.game.locks.get(room)
        if lock is not None and lock.shown is not None:
            wanted = OPENERS.get(lock.shown)
            if any(item.card == wanted for item in who.items):
                found += OPENS
            elif wanted is not None:
                return 0.0
        elif lock is not None:
            found -= 15.0
        if self.game.revealed is not None:
            # All that rooms still hide are items.
            found *= 0.3
        return found

    def rooms(self) -> tuple[RoomId, ...]:
        return tuple(dict.fromkeys(self.game.map.rooms.values()))

    def mine_first(self, room: RoomId, me: Investigator) -> bool:
        """Return whether nobody else is nearer to a room, or as near and before the player."""
        mine = self.board.steps_to_room(me.space, room)
        if mine is None:
            return False
        for other in self.game.investigators.values():
            if other.investigator_id == me.investigator_id:
                continue
            if self.room_worth(other, room) < self.room_worth(me, room):
                continue
            away = self.board.steps_to_room(other.space, room)
            if away is not None and (away, other.seat) < (mine, me.seat):
                return False
        return True

    def tasks(self) -> list[tuple[tuple[SpaceId, ...], float]]:
        """Return what there is to do on the board: the spaces where, and the points."""
        me = self.me
        if me is None:
            return []
        spaces_of = self.game.map.spaces_of
        found: list[tuple[tuple[SpaceId, ...], float]] = []
        for room in self.rooms():
            value = self.room_worth(me, room)
            if value > 0:
                found.append(
                    (spaces_of(room), value * (1 if self.mine_first(room, me) else ANOTHERS))
                )
        for room, value in self.goals.guards.items():
            if room in self.rooms():
                found.append((spaces_of(room), value if self.is_guard(room) else 0.0))
        for deed, room in self.goals.places.items():
            if room in self.rooms() and self.deed_is_due(deed) and self.is_guard(room):
                found.append((spaces_of(room), self.goals.deeds[deed] * 0.9))
        kills = self.goals.kills if self.can_fight() else {}
        found += [
            ((monster.space,), kills[monster.kind])
            for monster in self.game.monsters.values()
            if monster.kind in kills
        ]
        if self.goals.burns:
            found += [((at,), 120.0) for at in self.corpse_way()]
        return found

    def all_tasks(self) -> Sequence[tuple[tuple[SpaceId, ...], float]]:
        """Return `tasks`, found once for all spaces that are compared."""
        if self._tasks is None:
            self._tasks = self.tasks()
        return self._tasks

    def deed_is_due(self, deed: CardId) -> bool:
        """Return whether some counter of the story is above 0, as far as deeds are about one."""
        del deed
        return any(line.amount > 0 for line in self.game.counters.values())

    def is_guard(self, room: RoomId) -> bool:
        """Return whether the player is the one who goes to a room that somebody must hold."""
        me = self.me
        assert me is not None
        away = {
            one.investigator_id: (self.board.steps_to_room(one.space, room), one.seat)
            for one in self.game.investigators.values()
        }
        near = [(steps, seat, who) for who, (steps, seat) in away.items() if steps is not None]
        return bool(near) and min(near)[2] == me.investigator_id

    def can_fight(self) -> bool:
        me = self.me
        return me is not None and me.health_left > 2

    def corpse_way(self) -> list[SpaceId]:
        """Return where the corpses are, or the hearths once the player stands at a corpse."""
        me = self.me
        assert me is not None
        corpses = self.of_kind(FeatureKind.CORPSE)
        if me.space in corpses:
            return self.of_kind(FeatureKind.CAMPFIRE)
        return corpses

    def of_kind(self, kind: FeatureKind) -> list[str]:
        return [f.at for f in self.game.features.values() if f.kind is kind]

    def pull(self, space: SpaceId) -> float:
        """Return the points of being in a space: those of the best task, less for each step."""
        best = 0.0
        ways = self.board.ways(space)
        for spaces, value in self.all_tasks():
            steps = min((ways[at] for at in spaces if at in ways), default=None)
            if steps is not None:
                best = max(best, value * NEARER**steps)
        return best - self.danger(space)

    def danger(self, space: SpaceId) -> float:
        """Return the points that monsters and fire take from a space."""
        me = self.me
        assert me is not None
        hurt = 0.5 + weakness(me)
        here = self.game.monsters_at(space)
        loss = sum(14.0 for one in here if not one.stun and not self.goals.kills.get(one.kind))
        if self.game.is_burning(self.game.room_of(space)) and space != me.space:
            loss += 15.0
        return loss * hurt

    def evades(self) -> float:
        """Return the chance to pass all evade tests of the own space."""
        me = self.me
        if me is None:
            return 1.0
        chance = 1.0
        for monster in self.game.monsters_at(me.space):
            if not monster.stun:
                value = me.attributes.get(Attribute.DEXTERITY, 5) + monster.awareness
                chance *= min(1.0, max(0.1, value / 10))
        return chance


def item_worth(item: Item) -> float:
    """Return the points of an item that somebody could have."""
    if item.card in OPENERS.values() or Keyword.KEY in item.keywords:
        return 60.0
    if item.weapon is not None:
        return 15.0 + 10 * item.weapon.damage
    if Keyword.LANTERN in item.keywords:
        return 20.0
    return 15.0


Judge = Callable[[Mind, Choice], float]


def worth(mind: Mind, choice: Choice) -> float:
    """Return the points of one choice."""
    subject = choice.text.subject
    if (judge := _JUDGES.get(subject)) is not None:
        return judge(mind, choice)
    if subject in _FLAT:
        return _FLAT[subject]
    return END_OF_TURN if choice.ends else 20.0


def _move(mind: Mind, choice: Choice) -> float:
    me = mind.me
    if me is None or not choice.points:
        return 5.0
    there, here = mind.pull(choice.points[0].piece), mind.pull(me.space)
    if there <= here:
        return 1.0 + there / 100
    # Whoever is where the work is stays for it.
    return (20.0 + there) * (0.4 + 0.6 * mind.evades())


def _drag(mind: Mind, choice: Choice) -> float:
    me = mind.me
    if me is None or not choice.points or not mind.goals.burns:
        return -5.0
    hearths = mind.of_kind(FeatureKind.CAMPFIRE)
    ways, onward = mind.board.ways(me.space), mind.board.ways(choice.points[0].piece)
    now = min((ways[at] for at in hearths if at in ways), default=99)
    then = min((onward[at] for at in hearths if at in onward), default=99)
    return 150.0 if then < now else -5.0


def _explore(mind: Mind, _choice: Choice) -> float:
    me = mind.me
    if me is None:
        return 50.0
    room = mind.game.room_of(me.space)
    value = mind.room_worth(me, room)
    if value <= 0:
        return 2.0
    return (value + 25.0) * (0.4 + 0.6 * mind.evades())


def _run(mind: Mind, _choice: Choice) -> float:
    """Return the points of running: for somebody who has no step left, and somewhere to go."""
    me = mind.me
    if me is None or mind.game.steps_left:
        return 1.0
    here = mind.pull(me.space)
    best = max((mind.pull(at) for at, n in mind.board.ways(me.space).items() if n == 1), default=0)
    return 35.0 * (0.4 + 0.6 * mind.evades()) if best > here else 2.0


def _fight(mind: Mind, choice: Choice) -> float:
    me = mind.me
    monster = mind.game.monsters.get(choice.points[0].piece) if choice.points else None
    if me is None or monster is None:
        return 20.0
    weapon = None
    if choice.text.subject == "choice/attack_with" and len(choice.text.params) > 1:
        card = choice.text.params[1]
        weapon = next((one.weapon for one in me.items if one.card == card and one.weapon), None)
    worth = 26.0 + mind.goals.kills.get(monster.kind, 0.0)
    if weapon is not None:
        skill = _skill(me, weapon.kind.value)
        worth += 12.0 + 5.0 * weapon.damage + skill
        # A shot is kept for what counts, or for what is near.
        worth -= 6.0 if weapon.uses == 1 else 0.0
    elif choice.text.subject == "choice/cast_at":
        worth += 16.0
    else:
        worth += me.attributes.get(Attribute.STRENGTH, 4) / 2
    worth += 3.0 * monster.damage
    if monster.space == me.space and mind.evades() < 0.5:
        worth += 15.0
    return worth * (1.15 - min(0.8, weakness(me) / 2))


def _skill(me: Investigator, kind: str) -> int:
    attribute = Attribute.MARKSMANSHIP if kind == "ranged" else Attribute.STRENGTH
    return me.attributes.get(attribute, 4)


def _use_card(mind: Mind, choice: Choice) -> float:
    """Return the points of a printed action, by what advice says of its card."""
    card = str(choice.text.params[0]) if choice.text.params else ""
    me = mind.me
    if me is None:
        return 20.0
    # What is free does not wait for the action of the turn.
    bonus = 40.0 if choice.group == "free" else 0.0
    if card in HEALING:
        damage, horror = HEALING[card]
        near = [one for one in mind.game.investigators.values() if one.space == me.space]
        healed = [min(damage, one.damage) * (0.5 + one.damage / one.health) for one in near]
        healed += [min(horror, one.horror) * (0.5 + one.horror / one.sanity) for one in near]
        best = max(healed)
        return bonus + 28.0 * best if best >= 1 else 1.0
    if card in AGAINST_MONSTERS:
        return 55.0 if mind.game.monsters_in(mind.game.room_of(me.space)) else 1.0
    if card in AT_ONCE:
        return bonus + 30.0
    if card in SIDELINES:
        return 12.0 if me.sanity_left > 3 else 1.0
    return bonus + 5.0


def _deed(mind: Mind, choice: Choice) -> float:
    card = str(choice.text.params[0]) if choice.text.params else ""
    known = mind.goals.deeds.get(card)
    usual = 30.0 if mind.goals is NOTHING_TO_DO else 5.0
    value = usual if known is None else known
    return value * (0.4 + 0.6 * mind.evades())


def _burn(mind: Mind, _choice: Choice) -> float:
    return 200.0 if mind.goals.burns else -5.0


def _spend(mind: Mind, choice: Choice) -> float:
    """Return the points of a skill point: when it lifts a bad chance over half."""
    test = mind.game.test
    value = choice.text.params[0] if choice.text.params else None
    if test is None or not isinstance(value, int):
        return 5.0
    gain = min(10, value) - max(0, min(10, test.value))
    is_late = mind.game.clues_left <= 1 or len(mind.game.resolved) >= 2
    if gain >= 3 and (test.value <= 5 or is_late):
        return 60.0
    return 5.0


def _hide(mind: Mind, _choice: Choice) -> float:
    me = mind.me
    if me is None:
        return 1.0
    is_hunted = any(
        (steps := mind.board.steps(me.space, one.space)) is not None and steps <= 3
        for one in mind.game.monsters.values()
    )
    return 45.0 if weakness(me) > 0.9 and me.health_left <= 3 and is_hunted else 1.0


def _whom(mind: Mind, choice: Choice) -> float:
    who = mind.game.investigators.get(choice.points[0].piece) if choice.points else None
    return 10.0 if who is None else 10.0 + 40.0 * weakness(who)


def _item_of(mind: Mind, choice: Choice) -> Item | None:
    piece = choice.points[0].piece if choice.points else ""
    held = [item for one in mind.game.investigators.values() for item in one.items]
    lying = [item for items in mind.game.lying.values() for item in items]
    return next((item for item in (*held, *lying) if item.piece == piece), None)


def _give_up(mind: Mind, choice: Choice) -> float:
    item = _item_of(mind, choice)
    return 50.0 if item is None else 80.0 - item_worth(item)


def _take(mind: Mind, choice: Choice) -> float:
    item = _item_of(mind, choice)
    return 20.0 if item is None else item_worth(item)


def _offer(mind: Mind, choice: Choice) -> float:
    """Return the points of a gift: a second weapon for somebody who has none."""
    me, item = mind.me, _item_of(mind, choice)
    if me is None or item is None or item.weapon is None or len(choice.points) < 2:
        return 0.0
    other = mind.game.investigators.get(choice.points[1].piece)
    if other is None or any(one.weapon for one in other.items):
        return 0.0
    if sum(1 for one in me.items if one.weapon) < 2:
        return 0.0
    records = mind.view.records[-MEMORY:]
    given = {r.event.piece for r in records if isinstance(r.event, ItemGiven)}
    return 0.0 if item.piece in given else 40.0


def _try(mind: Mind, choice: Choice) -> float:
    card = str(choice.text.params[0]) if choice.text.params else ""
    return 40.0 if mind.me is not None and mind.can_open(card) else 2.0


def _leave_spot(mind: Mind, _choice: Choice) -> float:
    return 30.0 if mind.me is not None and weakness(mind.me) < 0.9 else 8.0


_JUDGES: Mapping[str, Judge] = {
    "choice/move": _move,
    "choice/drag": _drag,
    "choice/explore": _explore,
    "choice/run": _run,
    "choice/attack_with": _fight,
    "choice/attack_unarmed": _fight,
    "choice/cast_at": _fight,
    "choice/cast": _use_card,
    "choice/use_card": _use_card,
    "choice/deed": _deed,
    "choice/burn_corpses": _burn,
    "choice/spend_skill_point": _spend,
    "choice/hide": _hide,
    "choice/leave_by_step": _leave_spot,
    "choice/whom": _whom,
    "choice/item": _give_up,
    "choice/take": _take,
    "choice/offer": _offer,
    "choice/try": _try,
}
_FLAT: Mapping[str, float] = {
    "choice/end_turn": END_OF_TURN,
    "choice/withdraw": -50.0,
    "choice/drop": -10.0,
    "choice/block": 1.0,
    "choice/unblock": 1.0,
    "choice/leave_by_action": 8.0,
    "choice/leave_be": END_OF_TURN,
    "choice/roll": 20.0,
    "choice/accept": 60.0,
    "choice/trade_done": END_OF_TURN,
}
