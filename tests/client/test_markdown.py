"""The journal as Markdown: how lines are marked, and where the file is written."""

import os
import stat
from pathlib import Path

import pytest

from client.journal.markdown import journal_markdown
from client.keyring.private_files import write_new
from client.locale import LANGUAGES, load
from client.tellers.base import JournalLine, Tone


def lines(*told: tuple[Tone, str]) -> list[JournalLine]:
    return [JournalLine(at, 0, 0, tone, text) for at, (tone, text) in enumerate(told)]


def markdown(*told: tuple[Tone, str], language: str = "en") -> str:
    """Return sample lines as Markdown, without the title."""
    document = journal_markdown(lines(*told), "The House", load(language))
    title, _, rest = document.partition("\n\n")
    assert title == "# The House"
    return rest


def test_every_tone_has_its_mark() -> None:
    assert markdown(
        (Tone.ROUND, "Round 2"),
        (Tone.STEP, "Ada’s turn"),
        (Tone.STORY, "The river rises."),
        (Tone.STORY, "Nobody answers."),
        (Tone.ACTION, "Ada moves: Hall"),
        (Tone.DICE, "[*] [?] [ ]"),
        (Tone.PRIVATE, "The water knows your name."),
        (Tone.CHAT, "Bob: hello"),
        (Tone.ROOM, "Bob is away."),
    ) == (
        "## Round 2\n\n"
        "### Ada’s turn\n\n"
        "> The river rises.\n>\n> Nobody answers.\n\n"
        "- Ada moves: Hall\n"
        "- `[*] [?] [ ]`\n"
        "- **For you alone:** The water knows your name.\n"
        "- **Said:** Bob: hello\n"
        "- *Bob is away.*\n"
    )


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("tone", Tone)
def test_no_tone_is_forgotten(tone: Tone, language: str) -> None:
    assert "text" in markdown((tone, "text"), language=language)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("# big", "\\# big"),
        ("<b>bold</b>", "\\<b\\>bold\\</b\\>"),
        ("[here](http://evil)", "\\[here\\](http://evil)"),
        ("![x](y)", "\\!\\[x\\](y)"),
        ("*_`~|$&", "\\*\\_\\`\\~\\|\\$\\&"),
        ("- item", "\\- item"),
        ("12. item", "12\\. item"),
        ("3) item", "3\\) item"),
        ("back\\slash", "back\\\\slash"),
        ("\x1b[2J\u202eboo", "?\\[2Jboo"),
    ],
)
def test_what_people_type_stays_text(text: str, written: str) -> None:
    assert markdown((Tone.ACTION, text)) == f"- {written}\n"


def test_dice_cannot_end_their_code() -> None:
    assert markdown((Tone.DICE, "[*]` # [ ]")) == "- `[*]  # [ ]`\n"


def test_a_file_is_new_and_nobody_else_s(tmp_path: Path) -> None:
    path = tmp_path / "evening.md"
    mask = os.umask(0)
    try:
        write_new(path, "à bientôt\n")
    finally:
        os.umask(mask)

    assert path.read_text(encoding="utf-8") == "à bientôt\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_no_file_is_overwritten(tmp_path: Path) -> None:
    path, link = tmp_path / "evening.md", tmp_path / "link.md"
    path.write_text("kept")
    link.symlink_to(tmp_path / "nowhere")

    for taken in (path, link):
        with pytest.raises(FileExistsError):
            write_new(taken, "lost")

    assert path.read_text() == "kept"
    assert not (tmp_path / "nowhere").exists()


def test_the_home_folder_may_be_shortened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    write_new(Path("~/evening.md"), "text")

    assert (tmp_path / "evening.md").read_text() == "text"
