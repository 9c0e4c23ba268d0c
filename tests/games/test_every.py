"""Every game in every layer: lobby, screen, plain mode, spectators, files, bots."""

import random
import re

import pytest

from client.commands.replays import json_lines, markdown, page, replay
from client.commands.verify import check
from client.exports.figures import in_lines
from client.exports.statistics import counted
from client.journal.journal import Journal
from client.journal.replay_model import ReplayModel, words_of
from client.locale import LANGUAGES
from client.locale import load as load_locale
from client.locale.speaker import Speaker
from client.model.checkpoints import checkpoints
from client.model.tables import TableView
from client.model.viewpoints import Viewpoint, seen_from, viewpoints_of
from client.screens.base.screen import Desk
from client.screens.review.replay import ReplayScreen
from client.screens.ui import Ui
from client.settings.appearance import NO_WISHES
from client.settings.preferences import Charset, Preferences
from client.settings.table_settings import OF_SOME_GAMES
from protocol import messages
from protocol.archive import BadArchive, load
from protocol.audit import SetupSource, audit
from protocol.common import events
from protocol.common.asks import Settle
from protocol.common.table import Settings, Stage, table_class
from tests.games.every import DELAY, GAMES, NAMES, Evening, Person, an_evening, seated, start, types
from tests.kit.closing import close_for
from tests.kit.servers.house import House
from tests.kit.servers.tables import assert_same, happened, room_id_of, room_of
from tests.kit.tables.resuming import resume
from tests.kit.terminals.pages import shown_by
from tests.lobby.test_setups import closed, exported, made
from tests.verifying.logs import verifier

UNSAID = re.compile(r"<[a-z_]+[/.][^>]*>")
"""What stands for a text that has no words."""
QUESTIONS_OF_SETUP = 2
"""Number of questions that a game may ask before it has laid everything out."""
BEGINNING = 24
"""Number of characters of a choice that fit on one line."""

every_game = pytest.mark.parametrize("game", GAMES)
pytestmark = pytest.mark.issue(11)


def view_of(evening: Evening) -> TableView:
    """Return the host's view of the table."""
    view = evening.ann.model.view
    assert view is not None
    return view


# The lobby ---------------------------------------------------------------------------------


@every_game
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.issue(39)
def test_it_is_listed_with_a_name_and_a_sentence(game: str, language: str) -> None:
    client = GAMES[game].house().client("Ann", language=language)
    (line,) = client.session.last(messages.Scenarios).games

    name, sentence = map(client.model.speaker.text, (line.title, line.summary))

    assert line.ruleset == game
    assert name
    assert sentence.endswith((".", "!", "?"))
    assert UNSAID.search(name + sentence) is None


@every_game
@pytest.mark.issue(39)
def test_its_tables_have_the_settings_that_its_questions_need(game: str) -> None:
    evening, has = an_evening(game), set(table_class(game).has_settings)
    asked = {one.settle for one in happened(evening.house, room_id_of(evening.ann), events.Asked)}

    assert has <= OF_SOME_GAMES
    assert Settle.WINDOW not in asked or "window_seconds" in has
    assert Settle.BESIDE not in asked or "least_seconds" in has


@every_game
def test_it_is_opened_started_and_played_to_its_end(game: str) -> None:
    """The game runs through the real lobby, and each client's fold equals the server's cut."""
    evening = an_evening(game)

    assert evening.is_over
    assert view_of(evening).table.room.ruleset == game
    assert_same(evening.house, [evening.ann, evening.ben])


@every_game
def test_everybodys_share_of_chance_goes_into_its_start(game: str) -> None:
    """The ceremony is on the log before the game begins."""
    evening = an_evening(game)

    shares = happened(evening.house, room_id_of(evening.ann), events.ShareOpened)

    assert [share.seat for share in shares] == list(room_of(evening.house, evening.ann).seats)


@every_game
def test_a_killed_server_goes_on_at_the_same_question(game: str) -> None:
    """Only what was not stored, and therefore never shown, is lost."""
    evening = start(game)
    evening.play(6)
    house, room_id = evening.house, room_id_of(evening.ann)
    before = room_of(house, evening.ann)
    assert before.ask is not None

    house.restart()
    evening.ann.connect()
    evening.ann.port.enter(room_id)
    house.settle()

    after = room_of(house, evening.ann)
    assert after.ask is not None
    assert after.ask.ask_id == before.ask.ask_id
    assert after.ask.questions == before.ask.questions


@every_game
def test_its_rules_compute_the_whole_log_again(game: str) -> None:
    evening = an_evening(game)
    room = evening.house.host_of(evening.ann).room

    again = resume(
        room.room_id,
        evening.house.log_of(room.room_id),
        evening.house.lobby.registry.services.shelf,
        evening.house.entropy,
        from_start=True,
    )

    assert again.table == room.table


# What is shown -----------------------------------------------------------------------------


@every_game
def test_every_frame_fits_its_terminal(game: str) -> None:
    shown = an_evening(game).shown

    assert {one.columns for one in shown} == {40, 80}
    for one in shown:
        lines = one.text.split("\n")
        assert len(lines) == one.rows
        assert max(map(len, lines)) <= one.columns


@every_game
def test_what_is_asked_stands_on_the_screen(game: str) -> None:
    """Terminals below the minimum size and boxes over the question are exempt."""
    wide = [one for one in an_evening(game).shown if one.columns == 80 and not one.is_covered]

    assert wide
    # A long choice goes on in the next line.
    assert [one.text for one in wide if one.choice[:BEGINNING] not in one.text] == []


@every_game
def test_a_small_screen_shows_what_is_asked_or_says_that_it_is_too_small(game: str) -> None:
    """The game sets the minimum size."""
    small = [one for one in an_evening(game).shown if one.columns == 40 and not one.is_covered]

    assert small
    for one in small:
        # A long choice goes on in the next line.
        beginning = one.choice[:BEGINNING]
        assert beginning in one.text or "This terminal is too small." in one.text


@every_game
def test_no_text_is_shown_without_its_words(game: str) -> None:
    evening = an_evening(game)
    shown = [*(one.text for one in evening.shown), *evening.printed]

    assert [text for text in shown if UNSAID.search(text)] == []


@every_game
def test_questions_and_the_end_are_printed_in_plain_mode(game: str) -> None:
    printed = an_evening(game).printed

    blocks = "\n".join(printed).split("\n\n")
    asked = [block for block in blocks if block.startswith("Your choice.")]
    assert asked
    known = ("\n1. ", "as before; question reads")
    assert [block for block in asked if not any(words in block for words in known)] == []
    assert "The game is over." in printed[-1]


@every_game
def test_its_replay_ends_at_the_table(game: str) -> None:
    """Every tenth moment is drawn on the way."""
    evening = an_evening(game)
    view = view_of(evening)
    replay = ReplayModel(view.records, points=(Viewpoint(view.seat),))
    ui = Ui(evening.ui.desk, ReplayScreen(evening.ui.desk, replay))

    for position in (*range(0, len(view.records), 10), len(view.records)):
        replay.position = position
        assert len(ui.draw(24, 80).plain().split("\n")) == 24

    assert replay.table == view.table


# Spectators --------------------------------------------------------------------------------


@every_game
def test_a_spectator_sees_it_later_and_without_secrets(game: str) -> None:
    """Nothing newer than the delay is shown, and everything once the delay is over."""
    evening = start(game)
    evening.play(5)
    assert evening.wat.model.view is not None
    assert not evening.wat.model.view.records

    # Twice, since a window that closes meanwhile writes more.
    evening.house.settle(DELAY + 1)
    evening.house.settle(DELAY + 1)

    table = evening.house.host_of(evening.ann).room.table
    assert evening.wat.model.view.table == close_for(table, None)
    cuts = [
        shown for message in evening.wat.session.all(messages.Records) for shown in message.cuts
    ]
    assert cuts
    assert not [shown for shown in cuts if shown.openings]


@every_game
def test_a_spectators_screen_has_the_journal_and_no_question(game: str) -> None:
    """The screen also says that the viewer is a spectator."""
    evening = start(game, Settings(spectators=True))
    model = evening.wat.model
    journal = Journal(lambda: model.speaker)
    journal.begin(model.view)
    model.followers.append(journal)
    # The page of a story would cover the journal.
    ui = Ui(Desk(model, evening.wat.port, journal, prefs=Preferences(story=False)))

    evening.play(5)

    text = ui.draw(24, 80).plain()
    assert "Journal" in text
    assert "Your choice" not in text
    assert model.locale.say("status.looking_on") in text


# Fixed setups and time ---------------------------------------------------------------------


def drawn_before_play(house: House, room_id: str) -> list[object]:
    """Return what a setup has decided so far: the orders of piles, and the deals."""
    mixed = happened(house, room_id, events.Shuffled)
    dealt = happened(house, room_id, events.Dealt)
    return [
        *((mix.purpose, mix.order.value) for mix in mixed),
        *((deal.purpose, deal.choice.value) for deal in dealt),
    ]


@every_game
def test_two_tables_of_a_fixed_setup_are_laid_out_alike(game: str) -> None:
    """The seed is opened once the setup is closed, and the archive then verifies."""
    house = GAMES[game].house()
    owner = house.client("Olga")
    code = made(house, owner)
    tables = [
        seated(game, house, Settings(), names=names, setup=code)
        for names in (NAMES, ("Cid", "Dee", "Eve"))
    ]
    for clients in tables:
        clients[0].port.start()
        house.settle()
    groups = [
        [Person(one.model, one.port, random.Random(1)) for one in clients] for clients in tables
    ]
    for _ in range(QUESTIONS_OF_SETUP):
        for person in (one for people in groups for one in people):
            person.act()
            house.settle(0.1)
    laid_out = [drawn_before_play(house, room_id_of(clients[0])) for clients in tables]
    assert laid_out[0]
    assert laid_out[0] == laid_out[1]

    ann, people = tables[0][0], groups[0]
    while room_of(house, ann).stage is not Stage.OVER:
        for person in people:
            person.act()
            house.settle(0.1)
    closed(house, owner, code)
    house.settle()
    assert audit(exported(house, ann)).setup is SetupSource.OPENED


@every_game
def test_time_that_is_up_takes_the_default(game: str) -> None:
    """A table with a time limit cannot be held up."""
    evening = start(game, Settings(time_limit_seconds=60, spectators=True))
    asked = room_of(evening.house, evening.ann).ask
    assert asked is not None

    evening.house.settle(61)

    now = room_of(evening.house, evening.ann).ask
    assert now is not None
    assert now.ask_id > asked.ask_id
    assert happened(evening.house, room_id_of(evening.ann), events.TimedOut)


# Changes of mind ---------------------------------------------------------------------------


@every_game
def test_the_table_goes_back_once_all_agree(game: str) -> None:
    """The open question is then that of the checkpoint."""
    evening = start(game)
    while len(view_of(evening).table.checkpoints) < 3:
        evening.play(1)
    earlier = min(checkpoints(view_of(evening)), key=lambda point: point.sequence)

    evening.ann.port.propose_take_back(earlier.sequence)
    evening.house.settle()
    assert not happened(evening.house, room_id_of(evening.ann), events.TakenBack)
    evening.consent()

    assert happened(evening.house, room_id_of(evening.ann), events.TakenBack) == [
        events.TakenBack(earlier.sequence)
    ]
    gone_back = view_of(evening).last
    evening.play(3)
    assert view_of(evening).last > gone_back
    assert_same(evening.house, [evening.ann, evening.ben])


@every_game
def test_a_seat_is_handed_to_a_bot(game: str) -> None:
    evening = start(game)
    evening.play(4)

    evening.ann.port.propose_give_seat(1, to_bot=True)
    evening.house.settle()
    evening.consent()
    evening.house.settle(5)

    seat = room_of(evening.house, evening.ann).seats[1]
    assert seat.is_bot
    assert seat.is_present


@every_game
def test_a_seat_is_handed_to_somebody_else(game: str) -> None:
    """The new player gets the open question and folds the server's cut of the seat."""
    evening = start(game)
    evening.play(4)
    evening.ann.port.propose_give_seat(1, to_bot=False)
    evening.house.settle()
    evening.consent()
    cleo = evening.house.client("Cleo")

    evening.house.join(cleo, evening.ann.session.last(messages.InvitationMade).code)

    assert cleo.model.view is not None
    assert cleo.model.view.seat == 1
    ask = room_of(evening.house, evening.ann).ask
    is_asked = ask is not None and 1 in ask.questions and 1 not in ask.answered
    assert (cleo.model.view.my_question() is not None) == is_asked


# Files -------------------------------------------------------------------------------------


@every_game
def test_the_file_of_a_running_game_is_the_askers_cut(game: str) -> None:
    """Both verifiers accept the archive."""
    evening = start(game)
    evening.play(5)

    data = evening.export(evening.ben)

    archive = load(data)
    assert evening.ben.model.view is not None
    assert (archive.header.is_whole, archive.header.seat) == (False, 1)
    assert archive.cuts == tuple(evening.ben.model.view.cuts)
    assert not audit(archive).is_finished
    verifier().verify(data, types())


@every_game
def test_the_file_of_a_game_that_is_over_opens_everything(game: str) -> None:
    """Both verifiers compute the draws of the archive from the seeds."""
    evening = an_evening(game)

    data = evening.export(evening.ann)

    report = audit(load(data))
    assert (report.is_whole, report.is_finished) == (True, True)
    assert report.counts.computed.total()
    verifier().verify(data, types())


@every_game
@pytest.mark.parametrize("language", LANGUAGES)
def test_its_file_is_read_as_lines_and_as_markdown(
    game: str, language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The commands are `manse verify`, `manse replay --plain` and `manse export --markdown`."""
    data = an_evening(game).export(an_evening(game).ann)
    locale, verdict = load_locale(language), check(data)

    replay(verdict.archive, locale, NO_WISHES, is_plain=True, last=None)
    shown = [
        *verdict.lines("game.manse", locale),
        capsys.readouterr().out,
        markdown(verdict.archive, locale, None),
    ]

    assert shown[-1].startswith("# ")
    assert all(shown)
    assert [text for text in shown if UNSAID.search(text)] == []


@every_game
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.issue(17)
def test_its_file_is_read_as_a_page_as_records_and_as_numbers(game: str, language: str) -> None:
    """The commands are `manse replay --html`, `manse replay --jsonl` and `manse stats`."""
    archive = check(an_evening(game).export(an_evening(game).ann)).archive
    locale, store = load_locale(language), words_of(archive, language)

    views = shown_by(page(archive, locale, 60))["views"]
    records = json_lines(archive, locale, None).splitlines()
    (found,) = counted([seen_from(archive, viewpoints_of(archive)[0])])
    numbers = list(in_lines(found, Speaker(locale.for_game(found.ruleset), store), Charset.BOXES))

    assert len(views) == len(viewpoints_of(archive))
    assert len(records) == len(archive.records)
    assert found.as_json()["games"] == 1
    assert found.charts["answers"]
    shown = [str(views), *records, *numbers]
    assert [text for text in shown if UNSAID.search(text)] == []


@every_game
def test_a_forged_record_of_it_is_found_by_both_verifiers(game: str) -> None:
    """One byte in the middle of the archive is changed."""
    data = bytearray(an_evening(game).export(an_evening(game).ann))
    data[len(data) // 2] ^= 1

    with pytest.raises(BadArchive):
        audit(load(bytes(data)))
    with pytest.raises(verifier().Wrong):
        verifier().verify(bytes(data), types())


# Bots --------------------------------------------------------------------------------------


@every_game
def test_bots_play_it_to_its_end(game: str) -> None:
    """Every seat has a bot that connects as over a network."""
    evening = start(game, Settings())
    players = [evening.house.bot(client, seed) for seed, client in enumerate(evening.clients)]

    for _ in range(400):
        if room_of(evening.house, evening.ann).stage is Stage.OVER:
            break
        evening.house.settle(0.5)

    assert all(player.is_over for player in players)
