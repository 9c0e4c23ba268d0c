"""The inset between a question and its choices: the stakes of the open test."""

import attrs

from client.games.first_edition.odds import stakes
from client.games.first_edition.panes.scene import FirstEditionScene
from client.widgets.canvas import Pane
from client.widgets.question import Inset


@attrs.frozen(eq=False)
class TestInset(Inset):
    """The inset of this game: the stakes of the open test, and the curses on it."""

    __test__ = False
    scene: FirstEditionScene

    def worded(self, prompt: str) -> str:
        """Return a prompt with the rules of the cards that the question names."""
        speaker, rules = self.scene.speaker, self.scene.rules_in_question()
        if len(self.scene.in_question) > 1:
            texts = [speaker.say("plain.card", speaker.card(card), text) for card, text in rules]
        else:
            # One card needs no name: the question says which it is.
            texts = [text for _, text in rules if text != prompt]
        return " ".join((prompt, *texts))

    def rows(self, columns: int, *, is_large: bool) -> int:
        """Return the number of rows of the stakes; 0 if no test is open."""
        del columns, is_large
        return len(stakes(self.scene)) if self.scene.table.room.ask is not None else 0

    def draw(self, pane: Pane, *, is_large: bool) -> None:
        """Draw the stakes."""
        del is_large
        if self.scene.table.room.ask is not None:
            for row, line in enumerate(stakes(self.scene)):
                pane.write_clipped(row, 0, line, "class:journal.dice")
