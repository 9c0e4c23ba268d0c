"""The client copies an invitation, and nothing else, to the terminal's clipboard."""

import base64
import re

import attrs
import pytest

from client.settings.preferences import Preferences
from client.terminal.clipboard import MAX_TEXT, sequence
from tests.games.second_edition.client.scripted import lobby
from tests.games.second_edition.client.stage import OnStage, inviting, model_of, play

OSC_52 = re.compile(r"\x1b\]52;c;([^\x07]*)\x07")


def test_a_line_is_asked_to_be_kept() -> None:
    """The sequence OSC 52 takes base64, so the copied text cannot contain a control sequence."""
    line = "manse join example.org:4470/0123-4567-89ab-cdef/é"

    [kept] = OSC_52.findall(sequence(line, {}))

    assert base64.b64decode(kept).decode() == line


def test_inside_tmux_it_is_also_handed_on() -> None:
    """Tmux passes a sequence on if its escapes are doubled."""
    plain = sequence("line", {})
    both = sequence("line", {"TMUX": "/tmp/tmux-0/default,1,0"})

    assert both == plain + "\x1bPtmux;\x1b" + plain + "\x1b\\"


@pytest.mark.parametrize("text", ["two\nlines", "\x1b[0m", "a" * (MAX_TEXT + 1)])
def test_nothing_but_a_short_printable_line_is_copied(text: str) -> None:
    with pytest.raises(ValueError, match="printable line"):
        sequence(text, {})


def test_the_host_copies_the_invitation_with_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """The message says that copying works only if the terminal allows it."""
    monkeypatch.delenv("TMUX", raising=False)
    model = inviting()

    async def copy(stage: OnStage) -> None:
        assert "\x1b]52" not in stage.raw
        await stage.press("y")
        [kept] = OSC_52.findall(stage.raw)
        assert base64.b64decode(kept).decode() == model.invitation()
        assert "if your terminal allows it" in stage.text

    play(model, copy)


def test_who_does_not_want_it_is_told_so() -> None:

    async def copy(stage: OnStage) -> None:
        desk = stage.terminal.ui.desk
        desk.prefs = attrs.evolve(desk.prefs, clipboard=False)
        await stage.look()
        assert "v shows the line to send" in stage.text
        assert "y copies" not in stage.text
        await stage.press("y")
        assert "\x1b]52" not in stage.raw
        assert "Your settings turn the clipboard off" in stage.text

    assert Preferences().clipboard
    play(inviting(), copy)


def test_a_guest_has_nothing_to_copy() -> None:

    async def copy(stage: OnStage) -> None:
        await stage.press("y")
        assert "\x1b]52" not in stage.raw
        assert "Only the host" in stage.text

    play(model_of(lobby(), seat=1), copy)
