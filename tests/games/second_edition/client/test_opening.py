"""Opening a table: scenarios and settings at a glance."""

import attrs
import pytest

from client.keymap.keys import Context
from client.locale import LANGUAGES, load
from client.locale.speaker import Speaker
from client.locale.word_store import WordStore
from client.model.model import ClientModel
from client.plain.choice import UnreadableCommand
from client.plain.settings import read_settings
from client.settings.table_settings import (
    CALENDAR,
    DELAY,
    LIMIT,
    SPECTATORS,
    TAKEBACKS,
    effective,
    lasting,
    lines,
    offered,
)
from protocol.common.table import Settings
from protocol.common.text import Text
from tests.games.second_edition.client.scripted import lobby
from tests.games.second_edition.client.stage import (
    SCENARIO,
    SIZES,
    OnStage,
    model_of,
    play,
    same_screen,
)
from tests.kit.every_run import screens

EN = load("en")


def with_scenarios(count: int, language: str = "en") -> ClientModel:
    """Return a client in the lobby of a server with this many scenarios."""
    model = model_of(None, language=language, is_lobby=True)
    model.update_lobby(
        scenarios=tuple(
            attrs.evolve(
                SCENARIO,
                scenario=f"core/s{at}",
                title=Text(f"scenario/s{at}", field="name"),
                minutes=20 + 35 * at,
                difficulty=1 + at % 5,
                roster=attrs.evolve(SCENARIO.roster, most=1 + at % 5),
            )
            for at in range(count)
        )
    )
    names = ("A Light at Harrow", "The Sluice House", "Rooms", "The Seventh Chair", "Fog")
    named = [
        (f"scenario/s{at}", (("name", f"{names[at % 5]} {at // 5 or ''}"),)) for at in range(count)
    ]
    model.words.add(language, tuple(named))
    return model


def opened(model: ClientModel, *keys: str) -> tuple[str, Settings]:
    """Return the scenario and settings of the table that these keys open."""

    async def press(stage: OnStage) -> None:
        await stage.press("n", *keys)

    said = play(model, press).port.said
    name, settings, scenario, _ = said[-1]
    assert name == "open_table"
    return scenario, settings


@pytest.mark.parametrize(("size", "language"), screens(SIZES))
def test_five_scenarios_and_all_settings_fit_on_a_small_screen(
    size: tuple[int, int], language: str
) -> None:
    rows, columns = size

    async def look(stage: OnStage) -> None:
        await stage.press("n", "tab", "down", " ", "down", "right")
        same_screen(f"opening_settings-{columns}x{rows}-{language}", stage.text)

    play(with_scenarios(5, language), look, rows=rows, columns=columns)


def test_a_long_list_is_scrolled() -> None:

    async def look(stage: OnStage) -> None:
        await stage.press("n", *["down"] * 9)
        same_screen("opening_many-80x24-en", stage.text)
        await stage.press(*["down"] * 11)
        assert "> A Light at Harrow" in stage.text
        await stage.press("tab")
        assert "> Takebacks: allowed if all agree" in stage.text
        assert "* A Light at Harrow" in stage.text

    play(with_scenarios(20), look)


def test_a_table_is_opened_as_it_was_set() -> None:
    watched = ("tab", "left", "down", " ", "down", *["right"] * 3)
    keys = (
        *watched,
        "down",
        " ",
        "down",
        "right",
        "down",
        "left",
        "down",
        "down",
        "right",
        "down",
        "right",
    )

    scenario, settings = opened(with_scenarios(1), *keys, "tab", "enter")

    assert scenario == "core/s0"
    assert settings == Settings(
        takebacks=False,
        spectators=True,
        spectators_delay_seconds=900,
        time_limit_seconds=60,
        by_calendar=True,
        secrets_go_along=False,
        publish=True,
        as_proposed=True,
        bots_wait=False,
    )


def test_a_delay_is_offered_only_where_people_may_watch() -> None:
    """A delay that was chosen is dropped when spectators are switched off."""
    assert DELAY not in offered(Settings())
    watched = SPECTATORS.turned(Settings(), 1)
    later = DELAY.turned(watched, -1)

    assert DELAY in offered(watched)
    assert later.spectators_delay_seconds == 900
    nobody = SPECTATORS.turned(later, 1)
    assert effective(nobody) == Settings()
    # Switching back and forth loses nothing.
    assert SPECTATORS.turned(nobody, 1) == later
    limited = CALENDAR.turned(LIMIT.turned(Settings(), 1), 1)
    assert effective(LIMIT.turned(limited, -1)) == Settings()


@pytest.mark.issue(38)
def test_enter_changes_a_setting_and_opens_the_table_from_the_scenarios() -> None:

    async def press(stage: OnStage) -> None:
        await stage.press("n", "down", "tab")
        assert "Enter change" in stage.text.splitlines()[-1]
        await stage.press("enter", "tab")
        assert "Enter opens the table" in stage.text
        assert "Enter open the table" in stage.text.splitlines()[-1]
        await stage.press("enter")

    said = play(with_scenarios(2), press).port.said[-1]
    assert said == ("open_table", Settings(takebacks=False), "core/s1", "")


@pytest.mark.issue(38)
@pytest.mark.parametrize("leave", [("escape",), ("tab", "enter")])
def test_chosen_settings_stay_while_the_screen_is_closed_or_refused(leave: tuple[str, ...]) -> None:
    """In earlier versions a refusal of the server threw the chosen settings away."""

    async def press(stage: OnStage) -> None:
        await stage.press("n", "tab", " ", *leave, "n", "enter")

    assert play(with_scenarios(1), press).port.said[-1][1] == Settings(takebacks=False)


@pytest.mark.issue(38)
def test_a_click_goes_to_the_other_pane_and_a_second_one_acts() -> None:
    async def press(stage: OnStage) -> None:
        await stage.press("n")
        await stage.click("Spectators: none")
        await stage.click("Spectators: none")
        assert "> Spectators: by invitation" in stage.text
        await stage.click("The Sluice House")
        assert "> The Sluice House" in stage.text
        await stage.click("The Sluice House")

    said = play(with_scenarios(2), press).port.said[-1]
    assert said == ("open_table", Settings(spectators=True), "core/s1", "")


def test_left_and_right_change_settings_alone() -> None:

    async def press(stage: OnStage) -> None:
        await stage.press("n", "right")
        assert "!" in stage.text.splitlines()[-2]
        assert stage.terminal.ui.context() is Context.OPENING

    assert ("open_table",) not in {said[:1] for said in play(with_scenarios(2), press).port.said}


def test_at_a_table_that_stands_only_the_scenario_is_chosen() -> None:

    async def press(stage: OnStage) -> None:
        await stage.press("n")
        assert "Another scenario" in stage.text
        assert "Takebacks" not in stage.text
        await stage.press("enter")

    assert play(model_of(lobby()), press).port.said == [("choose_scenario", "core/sluice")]


# Words -------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_setting_has_words_for_all_that_is_offered(language: str) -> None:
    locale, settings = load(language), Settings(spectators=True, time_limit_seconds=60)
    for setting in offered(settings, ("takebacks", "least_seconds", "as_proposed")):
        for _ in setting.values:
            settings = setting.turned(attrs.evolve(settings, spectators=True), 1)
            said = setting.in_words(locale, settings)
            assert "<" not in said
            assert len(said) <= 37
        assert "<" not in setting.about(locale)


def test_a_setting_that_is_not_offered_is_said_all_the_same() -> None:
    """A different client may have opened the table with a setting that ours does not offer."""
    strange = Settings(time_limit_seconds=90, spectators=True, spectators_delay_seconds=3600)

    assert LIMIT.in_words(EN, strange) == "Time for each question: 90 seconds"
    assert DELAY.in_words(EN, strange) == "Spectators see it 1 hour later"
    assert LIMIT.turned(strange, 1).time_limit_seconds == 60
    assert [lasting(EN, s) for s in (1, 60, 7200, 86400)] == [
        "1 second",
        "1 minute",
        "2 hours",
        "1 day",
    ]


def test_what_holds_is_said_without_saying_it_twice() -> None:
    """A delay for spectators implies that they may watch."""
    assert len(list(lines(EN, Settings(), ""))) == 6
    assert len(list(lines(EN, Settings(spectators=True), ""))) == 6
    later = list(lines(EN, Settings(spectators=True, spectators_delay_seconds=300), ""))
    assert "Spectators see it 5 minutes later" in later
    assert SPECTATORS.in_words(EN, Settings(spectators=True)) not in later
    assert TAKEBACKS.in_words(EN, Settings()) in later


# Plain lines -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "language"),
    [
        ("watch later 5 limit 10 calendar noback forget shut usual brisk", "en"),
        ("brisk usual shut forget calendar noback limit 10 later 5", "en"),
        ("regarder après 5 limite 10 calendrier définitif oublier fermer habituel vite", "fr"),
        ("WATCH Later 5 limit 10 calendar noback oublier shut usual vite", "fr"),
    ],
)
def test_settings_are_typed_in_any_order(line: str, language: str) -> None:
    """Setting names may be English or in the player's language; numbers are minutes."""
    assert read_settings(line.split(), load(language)) == Settings(
        spectators=True,
        spectators_delay_seconds=300,
        time_limit_seconds=600,
        by_calendar=True,
        takebacks=False,
        secrets_go_along=False,
        publish=False,
        as_proposed=True,
        bots_wait=False,
    )


@pytest.mark.parametrize(
    ("line", "key"),
    [
        ("frog", "plain.open_unknown"),
        ("calendar", "plain.open_calendar"),
        ("later", "plain.open_minutes"),
        ("limit soon", "plain.open_minutes"),
        ("limit 1234567890", "plain.open_minutes"),
        ("later 61", "plain.open_too_long"),
        ("limit 99999", "plain.open_too_long"),
    ],
)
def test_what_is_no_setting_is_told(line: str, key: str) -> None:
    with pytest.raises(UnreadableCommand) as caught:
        read_settings(line.split(), EN)

    assert caught.value.key == key
    assert "<" not in caught.value.in_words(Speaker(EN, WordStore()))
