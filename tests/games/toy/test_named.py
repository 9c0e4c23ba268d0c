"""The toy is named to commands that need more of a game than it has: scenarios, lessons."""

import pytest

from commands.speaking import LANGUAGES
from protocol.plugs import games
from server.commands import demo, solo, tutorial
from server.system.game_option import typed

pytestmark = pytest.mark.issue(39)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("command", [demo, tutorial])
def test_a_game_without_a_bundled_pack_is_refused_with_those_that_have_one(
    command: object, language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command in {demo, tutorial}
    main = demo.main if command is demo else tutorial.main
    with pytest.raises(SystemExit) as caught:
        main(["--game", "toy", "--language", language])

    assert caught.value.code == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert "toy" in told.err
    assert typed(games()[0]) in told.err


@pytest.mark.parametrize("more", [("--game", "toy"), ("--as", "anybody")])
def test_a_practice_game_is_of_the_game_of_its_file(
    more: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        solo.main(["--practice", "evening.manse", "--at", "7", *more, "--language", "en"])

    assert caught.value.code == 2
    assert "--game and --as do not go with it" in capsys.readouterr().err
