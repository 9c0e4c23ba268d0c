"""
Plan: the goals of an investigator, and the tasks in each room.

It uses the public table alone, so that all bots of a table make the same plan and share the work:
the nearest investigator explores a room.
"""

import random
from collections.abc import Iterator, Sequence

import attrs

from client.games.first_edition.bot.advice import CARDS, NO_GOALS, advice_on
from client.games.first_edition.bot.advice.forms import Advice, Answer, Goals, Lead, Task
from client.games.first_edition.bot.board import Board, weakness
from client.games.first_edition.bot.seen import OpenTable
from client.model.tables import TableView
from protocol.common.asks import Question
from protocol.games.first_edition.table import (
    Ally,
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
FETCHED = 60.0
"""Maximum points of several items that nobody has; a single wanted item can have more."""
FOR_A_DEED = 70.0
"""Points of an item that nobody carries, and a deed needs."""
DELIVERED, WAITED = 300.0, 30.0
"""Points of a room into which all of some items must come, once all are carried and before."""
HAULED = 300.0
"""Points of a corpse to be dragged, and of its goal. What ends a game is worth passing monsters."""
HAULED_EARLY = 50.0
"""The same before the last clue is found: what cannot end the game yet waits for what can."""
TALK, PROTECT = 35.0, 15.0
"""Points of talking with an ally, and more for what helps one in danger."""
LED = 0.5
"""Factor for joining an ally who has to be led somewhere."""
AS_GUEST = 5
"""Steps that a crossing counts for an investigator whom somebody else must row."""
IN_WATER, IN_PIT, DEADLY = 45.0, 12.0, 60.0
"""
Penalties of a half-dead investigator for ending a turn in the water and for falling into a pit, and
a larger one for anybody who could die of it.
"""
HARM = 3
"""Damage that a pit or the water can do."""

Spot = tuple[tuple[SpaceId, ...], float]
"""The spaces where something can be done, and its points."""


def goals_of(advice: Advice, table: OpenTable) -> Goals:
    """Return what to do for the objective, or for the one that open signs betray."""
    chosen = table.game.objective
    if chosen is not None and chosen.is_open:
        # The investigators chose it. W-STORY-5.
        return advice.goals.get(chosen.value, NO_GOALS)
    if table.game.revealed is not None:
        return advice.goals.get(table.game.revealed, NO_GOALS)
    for sign in advice.signs:
        if table.hold(sign.when):
            goals = advice.goals.get(sign.objective, NO_GOALS)
            # What cannot be undone waits until the objective is known.
            return goals if sign.is_sure else attrs.evolve(goals, burns=False)
    return advice.meanwhile


def _order(who: Investigator) -> tuple[int, str]:
    """Return what decides between two who are as near."""
    return who.seat, who.investigator_id


@attrs.define
class Mind:
    """Goals and situation of one investigator."""

    view: TableView
    game: FirstEditionTable
    question: Question
    rng: random.Random
    me: Investigator | None
    table: OpenTable = attrs.field(init=False)
    advice: Advice = attrs.field(init=False)
    goals: Goals = attrs.field(init=False)
    board: Board = attrs.field(init=False)
    ally: Ally | None = attrs.field(init=False)
    """The ally that the question is about."""
    _tasks: Sequence[Spot] | None = attrs.field(default=None, init=False)
    _dangers: dict[SpaceId, float] = attrs.field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        self.table = OpenTable(self.view, self.game)
        self.advice = advice_on(self.view.table.room.scenario)
        self.goals = goals_of(self.advice, self.table)
        shut = frozenset(
            room
            for room, lock in self.game.locks.items()
            if lock.shown is not None and self.me is not None and not self.can_open(lock.shown)
        )
        self.board = Board(self.game, shut)
        named = (self.game.allies.get(str(one)) for one in self.question.prompt.params)
        self.ally = next((one for one in named if one is not None), None)

    def can_open(self, card: CardId) -> bool:
        """Return whether the investigator may get a lock or obstacle open."""
        wanted = CARDS.openers.get(card)
        assert self.me is not None
        return wanted is None or any(item.card == wanted for item in self.me.items)

    # What is worth how much

    def room_worth(self, who: Investigator, room: RoomId) -> float:
        """Return the points of exploring a room; 0 if there is nothing to find."""
        laid = self.game.laid.get(room, ())
        each = [self.item_worth(item) for item in self.game.lying.get(room, ())]
        lying = min(max(FETCHED, *each), sum(each)) if each else 0.0
        top = laid[0].shown if laid else None
        if not laid:
            return lying
        found = ROOM + CARD * len(laid) + self.hinted(room)
        if top is not None:
            wanted = CARDS.openers.get(top)
            if wanted is None:
                found += OPENS / 2
            elif any(item.card == wanted for item in who.items):
                found += OPENS
            else:
                return lying
        lock = self.game.locks.get(room)
        if lock is not None and lock.shown is not None:
            wanted = CARDS.openers.get(lock.shown)
            if any(item.card == wanted for item in who.items):
                found += OPENS
            elif wanted is not None:
                return 0.0
        elif lock is not None:
            found -= 15.0
        if self.game.revealed is not None and not self.missing():
            # All that rooms still hide are items.
            found *= 0.3
        return found

    def hinted(self, room: RoomId) -> float:
        """Return the points that hints add to the exploring of a room."""
        if self.game.revealed is not None:
            return 0.0
        hints = (one for one in self.advice.hints if one.room == room)
        return sum(hint.worth for hint in hints if self.table.hold(hint.when))

    def item_worth(self, item: Item) -> float:
        """Return the points of an item that somebody could have."""
        if (wanted := self.goals.takes.get(item.card)) is not None:
            return wanted
        if item.card in self.wanted():
            return FOR_A_DEED
        if item.card in CARDS.openers.values() or Keyword.KEY in item.keywords:
            return 60.0
        if item.weapon is not None:
            return 15.0 + 10 * item.weapon.damage
        if Keyword.LANTERN in item.keywords:
            return 20.0
        return 15.0

    def wanted(self) -> set[CardId]:
        """Return the items that deeds need, or that must be carried somewhere."""
        needed = {task.brings for task in self.goals.deeds.values() if task.brings}
        return needed | set(self.goals.carries)

    def missing(self) -> set[CardId]:
        """Return the wanted items that nobody has, unless they lie open in a room."""
        held = {item.card for one in self.game.investigators.values() for item in one.items}
        lying = {item.card for items in self.game.lying.values() for item in items}
        return self.wanted() - held - lying

    # Who does what

    def rowing(self, who: Investigator) -> int:
        """Return the steps that a way by boat counts for somebody; 0 if there is none."""
        key = self.advice.boat_key
        if key is None:
            # The key of the boat is unknown until somebody in it is offered a crossing.
            subjects = {choice.text.subject for choice in self.question.choices}
            return int(who == self.me and "choice/row" in subjects)
        able = {
            one.investigator_id
            for one in self.game.investigators.values()
            if not key or any(item.card == key for item in one.items)
        }
        if who.investigator_id in able:
            return 1
        return AS_GUEST if able else 0

    def steps_to_room(self, who: Investigator, room: RoomId) -> int | None:
        """Return the steps of an investigator to a room, on foot or by boat."""
        return self.board.steps_to_room(who.space, room, self.rowing(who))

    def rooms(self) -> tuple[RoomId, ...]:
        return tuple(dict.fromkeys(self.game.map.rooms.values()))

    def mine_first(self, room: RoomId, me: Investigator) -> bool:
        """Return whether nobody else is nearer to a room, or as near and before the player."""
        mine = self.steps_to_room(me, room)
        if mine is None:
            return False
        for other in self.game.investigators.values():
            if other.investigator_id == me.investigator_id:
                continue
            if self.room_worth(other, room) < self.room_worth(me, room):
                continue
            away = self.steps_to_room(other, room)
            if away is not None and (away, *_order(other)) < (mine, *_order(me)):
                return False
        return True

    def is_among(self, room: RoomId, people: int, item: CardId = "") -> bool:
        """
        Return whether the player is among those who go to a room: the nearest, so many.

        Args:
            room: where they go.
            people: how many.
            item: what each of them must carry; empty for nothing.
        """
        assert self.me is not None
        able = [
            one
            for one in self.game.investigators.values()
            if not item or any(held.card == item for held in one.items)
        ]
        away = [(self.steps_to_room(one, room), one) for one in able]
        near = [(steps, *_order(one)) for steps, one in away if steps is not None]
        return self.me.investigator_id in {who for _, _, who in sorted(near)[:people]}

    def is_due(self, deed: CardId) -> bool:
        """Return whether the conditions of a deed of the story hold."""
        task = self.goals.deeds[deed]
        return self.table.hold(task.when) and (not task.allies or bool(self.task_room(task)))

    def task_room(self, task: Task) -> RoomId:
        """Return the room where a deed is done: its own one, or that of an ally; maybe none."""
        for ally, when in task.allies.items():
            if ally in self.game.allies and self.table.hold(when):
                return self.game.room_of(self.game.allies[ally].space)
        return task.room

    # Where to go

    def tasks(self) -> list[Spot]:
        """Return what there is to do on the board: the spaces where, and the points."""
        return [] if self.me is None else [*self.works(), *self.waits()]

    def works(self) -> Iterator[Spot]:
        """Yield what takes an action, or ends the way of a corpse."""
        me, rooms = self.me, self.rooms()
        assert me is not None
        for room in rooms:
            value = self.room_worth(me, room)
            if value > 0:
                value *= 1 if self.mine_first(room, me) else ANOTHERS
                yield self.game.map.spaces_of(room), value
        for deed, task in self.goals.deeds.items():
            room = self.task_room(task)
            is_mine = self.is_due(deed) and self.is_among(room, task.people, task.brings)
            if room in rooms and is_mine:
                yield self.game.map.spaces_of(room), task.worth * 0.9
        if self.can_fight():
            yield from self.prey()
        if self.hauls():
            is_late = self.is_known() or self.goals.burns
            value = HAULED if is_late else HAULED_EARLY
            yield from (((at,), value) for at in self.corpse_way())

    def prey(self) -> Iterator[Spot]:
        """Yield the monsters to fight: those that advice names, and those beside allies."""
        for monster in self.game.monsters.values():
            room = self.game.room_of(monster.space)
            value = self.goals.kills.get(monster.kind, 0.0)
            beside = [o for o in self.game.allies.values() if self.game.room_of(o.space) == room]
            if value >= 0 and beside:
                is_mine = self.is_here(room) or self.is_among(room, 1)
                worth = 20.0 + max(map(self.protect_worth, beside))
                value = max(value, worth * (1 if is_mine else ANOTHERS))
            if value > 0:
                yield (monster.space,), value

    def waits(self) -> Iterator[Spot]:
        """Yield where it is enough to be: rooms to hold, goals of items, and those of allies."""
        spaces_of, rooms = self.game.map.spaces_of, self.rooms()
        for room, guard in self.goals.guards.items():
            is_mine = self.table.hold(guard.when) and self.is_among(room, guard.people)
            if room in rooms and is_mine:
                yield spaces_of(room), guard.worth
        yield from self.deliveries()
        for ally in self.game.allies.values():
            room, lead = self.game.room_of(ally.space), self.lead_of(ally)
            value = self.talk_worth(ally)
            if lead is not None and lead.room != room:
                # Joining it is worth less than what it is led for.
                value = max(value, lead.worth * LED)
            if value > 0:
                if self.game.monsters_in(room):
                    value += self.protect_worth(ally)
                yield spaces_of(room), value * (1 if self.is_among(room, 1) else ANOTHERS)

    def is_here(self, room: RoomId) -> bool:
        """Return whether the player is in a room."""
        return self.me is not None and self.game.room_of(self.me.space) == room

    def work_in_reach(self) -> float:
        """Return the points of the best action elsewhere that can be reached in this turn."""
        away = self.board.ways(self.me.space, rowing=self.rowing(self.me)) if self.me else {}
        return max((worth for at, worth in self._near_works() if away[at]), default=0.0)

    def errand(self) -> tuple[SpaceId, float] | None:
        """
        Return the best action elsewhere that costs no wait: its space, and its points.

        The player would wait here, and can wait as well after it: there, or back again.
        """
        me = self.me
        if me is None or not self.game.has_action:
            return None
        away = self.board.ways(me.space)
        waits = list(self.waits())

        def wait(at: SpaceId) -> float:
            return max((worth for spaces, worth in waits if at in spaces), default=0.0)

        found: list[tuple[float, SpaceId]] = []
        for at, worth in self._near_works():
            onward = self.board.ways(at)
            left = self.game.steps_left - away.get(at, 99)
            ends = [wait(end) for end, steps in onward.items() if steps <= left]
            if away.get(at) and max(ends, default=-1.0) >= wait(me.space):
                found.append((worth - self.danger(at) / 2, at))
        worth, at = max(found, default=(0.0, ""))
        return (at, worth) if at else None

    def _near_works(self) -> Iterator[tuple[SpaceId, float]]:
        """Yield the spaces of actions that can be reached in this turn, but for those done here."""
        me = self.me
        if me is not None:
            ways = self.board.ways(me.space, rowing=self.rowing(me))
            for spaces, worth in self.works():
                if me.space not in spaces:
                    near = (at for at in spaces if ways.get(at, 99) <= self.game.steps_left)
                    yield from ((at, worth) for at in near)

    def talk_worth(self, ally: Ally) -> float:
        """Return the points of talking with an ally; 0 if there is nothing to hear."""
        if ally.is_insane or not self.game.tales[ally.ally_id]:
            return 0.0
        return self.table.worth(self.goals.talks.get(ally.ally_id, Answer(TALK)))

    def protect_worth(self, ally: Ally) -> float:
        """Return the points more for whatever helps an ally in danger."""
        return self.goals.protects.get(ally.ally_id, PROTECT)

    def deliveries(self) -> list[Spot]:
        """Return the rooms to which the player must carry something."""
        assert self.me is not None
        held = {item.card for one in self.game.investigators.values() for item in one.items}
        # An investigator who waits there can fetch nothing.
        is_whole = held.issuperset(self.goals.carries) and self.is_known()
        value = DELIVERED if is_whole else WAITED
        rooms = {self.goals.carries.get(item.card) for item in self.me.items}
        return [(self.game.map.spaces_of(room), value) for room in self.rooms() if room in rooms]

    def all_tasks(self) -> Sequence[Spot]:
        """Return `tasks`, found once for all spaces that are compared."""
        if self._tasks is None:
            self._tasks = self.tasks()
        return self._tasks

    def is_known(self) -> bool:
        """Return whether the objective is known: it is revealed, or was chosen in secret."""
        chosen = self.game.objective
        return self.game.revealed is not None or (chosen is not None and chosen.is_open)

    def can_fight(self) -> bool:
        me = self.me
        return me is not None and me.health_left > 2

    def hauls(self) -> bool:
        """Return whether corpses are to be dragged somewhere."""
        return self.goals.burns or bool(self.goals.drags_to)

    def corpse_ends(self) -> Sequence[SpaceId]:
        """Return the spaces to which corpses are to be dragged."""
        if self.goals.drags_to:
            return self.game.map.spaces_of(self.goals.drags_to)
        return self.of_kind(FeatureKind.CAMPFIRE)

    def corpse_way(self) -> Sequence[SpaceId]:
        """Return the spaces with corpses, or the corpses' goal if the player is beside one."""
        me = self.me
        assert me is not None
        corpses = self.of_kind(FeatureKind.CORPSE)
        if me.space in corpses and self.game.room_of(me.space) != self.goals.drags_to:
            return self.corpse_ends()
        away = [at for at in corpses if self.game.room_of(at) != self.goals.drags_to]
        return [at for at in away if self.is_among(self.game.room_of(at), 1)]

    def of_kind(self, kind: FeatureKind) -> list[str]:
        return [f.at for f in self.game.features.values() if f.kind is kind]

    def pull(self, space: SpaceId, boat: SpaceId = "") -> float:
        """
        Return the points of being in a space: those of the best task, less for each step.

        What is dangerous there is taken off before, so that nobody stops one step short of it.

        Args:
            space: the space.
            boat: where the boat is then; empty for where it is now.
        """
        assert self.me is not None
        best, ways = 0.0, self.board.ways(space, rowing=self.rowing(self.me), boat=boat)
        for spaces, value in self.all_tasks():
            for at in spaces:
                if at in ways:
                    best = max(best, (value - self.danger(at)) * NEARER ** ways[at])
        return best

    def stay(self, space: SpaceId, boat: SpaceId = "") -> float:
        """Return `pull`, less what ending the turn in a space would do."""
        assert self.me is not None
        return self.pull(space, boat) - self.wet(self.me, space, boat)

    def wet(self, who: Investigator | Ally, space: SpaceId, boat: SpaceId = "") -> float:
        """Return the points that ending a turn in a space takes, because of water and pits."""
        loss = IN_WATER if self.board.is_deep(space, boat) else 0.0
        if self.board.is_pit(space) and space != who.space:
            loss += IN_PIT
        if loss and who.health_left <= HARM:
            loss += DEADLY
        return loss * (0.5 + weakness(who))

    def danger(self, space: SpaceId) -> float:
        """Return the points that monsters, fire and advice take from a space."""
        if space not in self._dangers:
            self._dangers[space] = self._danger(space)
        return self._dangers[space]

    def _danger(self, space: SpaceId) -> float:
        me, room = self.me, self.game.room_of(space)
        assert me is not None
        loss = self.goals.avoids.get(room, 0.0)
        for one in self.game.monsters_in(room):
            if not one.stun and self.goals.kills.get(one.kind, 0.0) <= 0:
                loss += (14.0 if one.space == space else 6.0) * (0.5 + weakness(me))
        if self.game.is_burning(room) and space != me.space:
            loss += 15.0 * (0.5 + weakness(me))
        return loss + self.wet(me, space) / 2

    # Allies

    def ally_pull(self, ally: Ally, space: SpaceId) -> float:
        """Return the points of an ally being in a space: where it is led, less what threatens."""
        ways, best = self.board.ways(space), 0.0
        for room, value in self.leads(ally):
            steps = [ways[at] for at in self.game.map.spaces_of(room) if at in ways]
            if steps:
                best = max(best, value * NEARER ** min(steps))
        return best - self.unease(ally, space) - self.wet(ally, space)

    def leads(self, ally: Ally) -> Iterator[tuple[RoomId, float]]:
        """Yield the rooms to which an ally is led; if there is none, those of investigators."""
        if (lead := self.lead_of(ally)) is not None:
            yield lead.room, lead.worth
        elif (value := self.talk_worth(ally)) > 0:
            people = self.game.investigators.values()
            yield from ((self.game.room_of(one.space), value) for one in people)

    def lead_of(self, ally: Ally) -> Lead | None:
        """Return where an ally is to be led now."""
        lead = self.goals.leads.get(ally.ally_id)
        is_due = lead is not None and lead.room in self.rooms() and self.table.hold(lead.when)
        return lead if is_due else None

    def unease(self, ally: Ally, space: SpaceId) -> float:
        """Return the points that monsters near a space, and fire, take from an ally there."""
        away = [
            self.board.monster_steps(one, one.space, space)
            for one in self.game.monsters.values()
            if not one.stun
        ]
        loss = 6.0 * sum(max(0, 4 - steps) for steps in away)
        if self.game.is_burning(self.game.room_of(space)):
            loss += 15.0
        return loss * (0.5 + weakness(ally)) * (1 + self.protect_worth(ally) / 50)

    def evades(self, who: Investigator | Ally | None = None) -> float:
        """Return the chance to pass all evade tests of the own space, or of that of an ally."""
        who = who or self.me
        if who is None:
            return 1.0
        chance = 1.0
        for monster in self.game.monsters_at(who.space):
            if not monster.stun:
                value = who.attributes.get(Attribute.DEXTERITY, 5) + monster.awareness
                chance *= min(1.0, max(0.1, value / 10))
        return chance
