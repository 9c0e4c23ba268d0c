"""Curses by the clock: how long the roll of somebody who is cursed waits for the keeper."""

import functools
from collections.abc import Iterator
from typing import Any

import attrs
import pytest

from content.games.first_edition.schema.pack import Pack
from content.plugs import packs
from protocol import messages
from protocol.archive import load
from protocol.audit import audit
from protocol.common.chance import SeededChance
from protocol.common.table import Settings
from protocol.games.first_edition import events as fe
from protocol.games.first_edition.table import FirstEditionTable
from tests.games.first_edition.house import RoomsHouse
from tests.games.first_edition.outing_pack import BY_THE_LAKE, files
from tests.kit.servers.house import Client
from tests.kit.servers.tables import come_back, happened, records_of, room_id_of, seat_all

pytestmark = pytest.mark.issue(41)
rule = pytest.mark.rule

LEAST = 4
"""The least time of the table, in seconds."""
WILLPOWER = 5
"""Of Ann's investigator, who has 7, with the modifier of the deed."""
DARE = "deed/test-dare"


@functools.cache
def daring(curses: int) -> Pack:
    """Return a pack with a deed that curses whoever dares it, and has them test willpower."""
    effect = [{"skill_points": {"add": -9}}, *[{"curse": {}}] * curses]
    test = '{"test": {"attribute": "willpower", "modifier": -2}}'
    steps = ", ".join([*(str(one).replace("'", '"') for one in effect), test])
    deed = f"deeds:\n  - id: {DARE}\n    effect: [{steps}]\n"
    made = packs.load("outing", packs.completed(files(by_the_lake=("deeds:\n", deed))))
    assert isinstance(made, Pack)
    return made


@attrs.define
class Loaded:
    """Chance whose tests fall as a test wants."""

    chance: SeededChance
    rolls: Iterator[int]
    """From 1 to 10."""

    def __getattr__(self, name: str) -> Any:
        return getattr(self.chance, name)

    def roll(self, number: int, purpose: str, count: int, sides: int) -> tuple[int, ...]:
        if purpose == "test":
            return (next(self.rolls) - 1,)
        return self.chance.roll(number, purpose, count, sides)


@attrs.frozen
class Dared:
    """A game in which Ann has dared and rolled; Kim is the keeper, if a person is."""

    house: RoomsHouse
    kim: Client
    ann: Client
    ben: Client
    rolled_at: float
    """Time of the roll, in seconds."""

    def applied(self) -> tuple[float, bool] | None:
        """Return when the result was applied, in seconds since the roll, and what it is."""
        for record in records_of(self.house, room_id_of(self.ann)):
            if isinstance(record.event, fe.TestEnded):
                return round(_seconds(self.house, record.time) - self.rolled_at, 1), (
                    record.event.is_passed
                )
        return None


def _seconds(house: RoomsHouse, time: int) -> float:
    return (time - house.wall_began) / 1000


def dared(*rolls: int, curses: int = 1, is_keeper_bot: bool = False) -> Dared:
    """
    Return a game in which Ann has just rolled.

    Args:
        rolls: the rolls of all tests, in order.
        curses: curse tokens of Ann.
        is_keeper_bot: True if a bot of the server is the keeper.
    """
    fallen = iter(rolls)
    house = RoomsHouse(
        pack=daring(curses),
        scenario=BY_THE_LAKE,
        make_chance=lambda _stream, key: Loaded(SeededChance(key), fallen),
    )
    names = ["Ann", "Ben"] if is_keeper_bot else ["Ann", "Ben", "Kim"]
    clients = seat_all(house, names, Settings(takebacks=False))
    ann, ben, kim = clients[0], clients[1], clients[-1]
    if is_keeper_bot:
        ann.port.add_bot("keeper")
    else:
        kim.port.claim_role("keeper")
    house.settle()
    for client, who in ((ann, "josiah-pell"), (ben, "nora-voss")):
        client.port.claim((f"investigator/{who}",))
        house.settle()
    for client in clients:
        client.port.set_ready(is_ready=True)
        house.settle()
    ann.port.start()
    house.settle()
    for _ in range(30):
        for client in clients:
            _take(client, DARE, "investigator/josiah-pell")
            house.settle(0.1)
        times = [
            record.time
            for record in records_of(house, room_id_of(ann))
            if isinstance(record.event, fe.TestRolled)
        ]
        if times:
            game = house.host_of(ann).room.table.game
            assert isinstance(game, FirstEditionTable)
            assert game.test is not None
            # What a bot does before the deed may change it.
            assert is_keeper_bot or game.test.value == WILLPOWER
            return Dared(house, kim, ann, ben, _seconds(house, times[0]))
        house.settle(LEAST)
    raise AssertionError("nobody dares")


def _take(client: Client, *wishes: str) -> None:
    """Answer the open question of somebody: by a wish that is offered, else by the default."""
    view = client.model.view
    question = None if view is None or client.model.sent else view.my_question()
    if view is None or view.ask is None or question is None or view.seat is None:
        return
    if view.ask.may_interrupt(view.seat):
        return
    found = [one.choice_id for wish in wishes for one in question.choices if wish in repr(one.text)]
    picks = (found[0],) if found and not question.then else question.row_default
    client.port.answer(view.ask.ask_id, picks)


@rule("W-EX-26", "W-DECIDE-34", "W-CURSE-10")
@pytest.mark.parametrize("answers", [False, True])
def test_where_the_keeper_says_nothing_the_result_is_applied_once_the_least_time_is_over(
    answers: bool,
) -> None:
    game = dared(3)
    if answers:
        _take(game.ann)
    game.house.settle(LEAST - 0.5)
    before = game.applied()
    game.house.settle(1)

    assert (before, game.applied()) == (None, (LEAST, True))


@rule("W-EX-26", "W-DECIDE-34", "W-CURSE-3", "W-CURSE-4")
def test_a_token_that_is_used_in_time_has_the_second_roll_applied_at_once() -> None:
    game = dared(3, 8)
    _take(game.ann)
    game.house.settle(3 - (game.house.clock.seconds() - game.rolled_at))
    use_curse(game)

    assert game.applied() == (3, False)


@rule("W-EX-26", "W-CURSE-5", "W-DECIDE-35")
def test_a_second_token_is_never_used_on_the_test() -> None:
    game = dared(3, 8, curses=2)
    use_curse(game)

    assert game.applied() is not None
    assert len(happened(game.house, room_id_of(game.ann), fe.CurseUsed)) == 1


@rule("W-EX-26", "W-DECIDE-34")
@pytest.mark.parametrize("curses", [0, 1])
def test_nobody_waits_without_a_token_or_for_a_bot_as_keeper(curses: int) -> None:
    game = dared(1, 1, curses=curses, is_keeper_bot=bool(curses))
    game.house.settle(0.5)

    assert game.applied() == (0, True)


def use_curse(game: Dared) -> None:
    """Have the keeper use a curse token."""
    view = game.kim.model.view
    question = None if view is None else view.my_question()
    assert view is not None and view.ask is not None and question is not None  # noqa: PT018 (one thing)
    (use,) = [one for one in question.choices if one.text.subject == "choice/use_curse"]
    game.kim.port.answer(view.ask.ask_id, (use.choice_id,))
    game.house.settle(0.2)


@rule("W-DECIDE-34", "K-DECIDE-98")
def test_no_time_passes_while_the_keeper_is_away() -> None:
    game = dared(3)
    room_id = room_id_of(game.ann)
    game.kim.disconnect()
    game.house.settle(2 * LEAST)
    _take(game.ann)
    game.house.settle(LEAST)
    assert game.applied() is None

    come_back(game.house, "Kim", room_id)
    game.house.settle(LEAST)

    assert game.applied() is not None


@rule("W-DECIDE-34")
def test_the_roll_of_somebody_who_has_gone_stands_in_time() -> None:
    game = dared(3)
    game.ann.disconnect()
    game.house.settle(LEAST)

    assert game.applied() == (LEAST, True)


@rule("W-CURSE-3", "W-DECIDE-34")
def test_nobody_else_uses_the_token_and_the_log_of_all_this_is_sound() -> None:
    game = dared(3)
    for client in (game.ann, game.ben):
        view = game.kim.model.view
        assert view is not None
        question = view.my_question()
        assert view.ask is not None and question is not None  # noqa: PT018 (one thing)
        (use,) = [one for one in question.choices if one.text.subject == "choice/use_curse"]
        picks = (use.choice_id,)
        client.send(messages.Answer(9000, view.room_id, view.ask.ask_id, picks))
        client.send(messages.AnswerInWindow(9001, view.room_id, view.ask.ask_id, picks))
        game.house.settle(0.2)
    game.house.settle(LEAST)

    assert game.applied() == (LEAST, True)
    for client in (game.kim, game.ann, game.ben):
        client.send(messages.ExportTable(9002, room_id_of(game.ann)))
        game.house.settle()
        file = b"".join(part.data for part in client.session.all(messages.ExportPart))
        assert audit(load(file)).has_game_laws
