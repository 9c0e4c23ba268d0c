"""The clearings, with all that stands in them: as lines on the screen and in plain mode."""

from collections.abc import Iterable

from client.locale.speaker import Speaker
from client.widgets.bits import Bit, draw_bits
from client.widgets.canvas import Pane
from client.widgets.frame import DrawnFrame, Frame, draw_asked, draw_status, draw_told, in_columns
from client.widgets.layout import Layout
from client.widgets.pages import draw_rule
from client.widgets.question import Inset
from protocol.common.table import GameTable
from tests.games.woods.protocol.table import CLEARINGS, WoodsTable

LEAST = (16, 72)
"""Rows and columns below which there is no room for the clearings."""


def lines(speaker: Speaker, game: GameTable | None) -> Iterable[str]:
    """Yield a line for each clearing: the animals, and the snare if the viewer knows it."""
    if not isinstance(game, WoodsTable):
        return
    snare = game.snare.value if game.snare is not None and game.snare.is_open else ""
    for clearing in CLEARINGS:
        standing = (one.name for one in game.living() if one.clearing == clearing)
        found = [speaker.name("animal", name) for name in standing]
        found += [speaker.say("woods.snare")] if clearing == snare else []
        there = ", ".join(found) or speaker.say("woods.nobody")
        yield speaker.say("woods.clearing", clearing_name(speaker, clearing), there)


def clearing_name(speaker: Speaker, clearing: str) -> str:
    """Return the name in the pack's words; the face's own before the pack's have arrived."""
    own = speaker.say(f"woods.{clearing.replace('/', '.')}")
    return speaker.words.find(clearing, "clearing").get("name", own)


class WoodsLayout(Layout):
    """Clearings above the question, with the journal beside them."""

    def draw(self, pane: Pane, frame: Frame) -> DrawnFrame:
        """Draw a game; a small screen has the layout of any game."""
        if pane.rows < LEAST[0] or pane.columns < LEAST[1]:
            return super().draw(pane, frame)
        scene = frame.scene
        draw_status(pane.inner(0, 0, 1), frame)
        body = pane.inner(1, 0)
        left, right = in_columns(body, [body.columns * 58 // 100], scene.charset)
        draw_rule(left, 0, scene.speaker.say("pane.clearings"), scene.charset)
        shown = [[Bit(line)] for line in lines(scene.speaker, scene.table.game)]
        draw_bits(left.inner(1, 1, len(shown)), shown)
        draw_asked(left.inner(1 + len(shown), 0), frame, Inset())
        return DrawnFrame(draw_told(right, frame))
