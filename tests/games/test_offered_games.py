"""Games that a server offers: their names and settings, and what holds for those it does not."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from protocol import messages
from protocol.common.table import Settings, Stage
from protocol.plugs import games
from server.packs.shelf import PackShelf
from server.system.own_program import STATUS_BAD_SETTINGS, command_of
from tests.games.club import WOODS, Club, shelf_of
from tests.games.every import start
from tests.games.woods.test_installed import INSTALLED
from tests.kit.servers.house import Client, House
from tests.kit.servers.tables import room_id_of, room_of
from tests.kit.stores.memory import MemoryStore

pytestmark = pytest.mark.issue(39)


def scenarios_for(
    house: House, name: str, language: str = "en"
) -> tuple[Client, messages.Scenarios]:
    """Connect a person; return their client and the lists that it was sent."""
    client = house.client(name, language=language)
    return client, client.session.last(messages.Scenarios)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_each_game_has_a_name_and_a_sentence_in_the_lobby(language: str) -> None:
    client, told = scenarios_for(Club(), "Ann", language)

    said = [
        (client.model.speaker.text(g.title), client.model.speaker.text(g.summary))
        for g in told.games
    ]

    assert [line.ruleset for line in told.games] == ["second_edition", "woods", "toy"]
    assert ("The Woods" if language == "en" else "Les bois") in [title for title, _ in said]
    assert all(title and "<" not in title and text.endswith(".") for title, text in said)


def test_each_game_says_which_settings_its_tables_have() -> None:
    _, told = scenarios_for(Club(), "Ann")
    lines = {line.ruleset: line for line in told.games}

    assert lines["second_edition"].settings == Settings()
    assert lines["second_edition"].has == ("takebacks", "as_proposed")
    assert lines["woods"].settings == Settings(takebacks=False)
    assert lines["toy"].has == ("takebacks", "stops", "window_seconds", "least_seconds")


# What is not offered ------------------------------------------------------------------------


def test_no_table_of_a_game_that_is_not_offered_is_opened() -> None:
    house = Club(games=("toy", "second_edition"))
    ann, told = scenarios_for(house, "Ann")

    ann.port.open_table(WOODS, Settings())
    house.settle()

    assert [line.ruleset for line in told.games] == ["toy", "second_edition"]
    refusal = ann.session.last(messages.Refusal)
    assert refusal.code == "table/game_not_offered"
    assert ann.model.bar.text == (
        "This server opens no more tables of that game; those that are open go on."
    )
    assert ann.model.view is None


def test_tables_that_are_open_go_on_when_their_game_is_offered_no_more() -> None:
    """Also before the game: their scenarios are still listed, since clients need the rosters."""
    house = Club()
    clients = seated_in_the_woods(house)
    shelf_of(house).games = ("second_edition",)
    late = house.client("Kim")
    late.port.join(clients[0].session.last(messages.TableOpened).code)
    house.settle()
    late.port.claim_role("keeper")
    house.settle()
    for client in (*clients, late):
        client.port.set_ready(is_ready=True)
        house.settle()

    clients[0].port.choose_scenario("woods/paths")
    house.settle()
    assert room_of(house, clients[0]).scenario == "woods/paths"
    for client in (*clients, late):
        client.port.set_ready(is_ready=True)
        house.settle()
    clients[0].port.start()
    house.settle()

    assert room_of(house, clients[0]).stage is Stage.PLAYING


def seated_in_the_woods(house: House) -> list[Client]:
    """Seat two animals at a table of the woods."""
    ann, ben = house.client("Ann"), house.client("Ben")
    ann.port.open_table(WOODS, Settings())
    house.settle()
    ben.port.join(ann.session.last(messages.TableOpened).code)
    house.settle()
    for client in (ann, ben):
        client.port.claim_role("animal")
        house.settle()
        room, model = room_of(house, client), client.model
        free = [
            c
            for c in model.characters(room)
            if all(c not in s.characters for s in room.seats.values())
        ]
        client.port.claim(tuple(free[:1]))
        house.settle()
    return [ann, ben]


def test_a_finished_game_is_practised_but_not_played_again() -> None:
    """Looking back needs no offer; a table that follows is a new table."""
    evening = start("woods")
    evening.play()
    house, ann = evening.house, evening.ann
    shelf_of(house).games = ("second_edition",)

    ann.port.play_again()
    house.settle()
    assert ann.session.last(messages.Refusal).code == "table/game_not_offered"

    ann.send(messages.Practise(ann.next_serial(), room_id_of(ann), 10**6))
    house.settle()
    assert ann.session.all(messages.Joined)


# Which games a server loads -----------------------------------------------------------------


def run(code: str, home: Path, *arguments: str) -> "subprocess.CompletedProcess[bytes]":
    """Run code of our program in a process where the woods are installed."""
    return subprocess.run(
        command_of(code, *arguments),
        input=b"",
        capture_output=True,
        timeout=120,
        check=False,
        env={**os.environ, "PYTHONPATH": str(INSTALLED), "MANSE_HOME": str(home), "LANGUAGE": "en"},
    )


_SERVED = """
import sys, json
from pathlib import Path
from twisted.internet import reactor
from twisted.internet.defer import Deferred
from server.process.app import Config, certificate_of, open_server, opening_of
import attrs

def loaded():
    # The cache of parsed packs locates the packages of every game, without their modules.
    return [name for name in sys.modules if "games.woods." in name and name.count(".") > 3]

async def main():
    folder = Path(sys.argv[1])
    folder.mkdir(mode=0o700)
    config = Config(folder, "127.0.0.1", 0, games=("second_edition",), may_make_database=True,
        cache=Path(sys.argv[2]))
    server = await open_server(config, reactor)
    await server.start()
    first = loaded(), server.lobby.services.shelf.offered()
    more = attrs.evolve(config, games=("woods", "second_edition"))
    server.apply_settings(more, certificate_of(more), opening_of(more))
    waited = Deferred()
    for _ in range(200):
        if len(server.lobby.services.shelf.offered()) > 1:
            break
        waited = Deferred()
        reactor.callLater(0.02, waited.callback, None)
        await waited
    scenarios = [card.scenario for card in server.lobby.services.shelf.scenarios()]
    print(json.dumps([*first, server.lobby.services.shelf.offered(), scenarios]))
    await server.stop()
    reactor.stop()

def failed(failure):
    failure.printTraceback()
    reactor.stop()

reactor.callWhenRunning(lambda: Deferred.fromCoroutine(main()).addErrback(failed))
reactor.run()
"""


def test_a_server_of_one_game_imports_no_other_until_it_offers_it(tmp_path: Path) -> None:
    done = run(_SERVED, tmp_path, str(tmp_path / "server"), str(tmp_path / "cache"))

    assert done.returncode == 0, done.stderr.decode()
    loaded, first, later, scenarios = json.loads(done.stdout)
    assert (loaded, first) == ([], ["second_edition"])
    assert later == ["woods", "second_edition"]
    assert {"woods/night", "woods/paths"} <= set(scenarios)


@pytest.mark.long
def test_an_unknown_game_keeps_a_server_from_starting(tmp_path: Path) -> None:
    folder = tmp_path / "server"
    folder.mkdir(mode=0o700)
    (folder / "serve.toml").write_text("[server]\ngames = ['woods', 'chess']\n")
    code = "import sys; from commands.main import main; sys.exit(main(sys.argv[1:]))"
    told = (
        'server.games cannot be "chess"; allowed: a list of games out of "second_edition", '
        '"first_edition", "cards", "woods"'
    )

    served, checked = run(code, tmp_path, "serve"), run(code, tmp_path, "serve", "--check")

    assert (served.returncode, checked.returncode) == (STATUS_BAD_SETTINGS, 1)
    assert told in served.stderr.decode()
    assert told in checked.stderr.decode()


def test_the_packs_of_older_tables_are_loaded_with_the_words_of_their_game() -> None:
    """Rules of today may say what the words of an older pack lack."""
    store, first = MemoryStore(), PackShelf()
    loading = first.load(store)
    with pytest.raises(StopIteration):
        loading.send(None)
    assert "woods" in games()
    later = PackShelf(games=("second_edition",))
    loading = later.load(store)
    with pytest.raises(StopIteration):
        loading.send(None)

    assert later.offered() == ("second_edition",)
    assert later.current("woods/night") == first.current("woods/night")
