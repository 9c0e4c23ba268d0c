"""The inset between a question and its choices: the stakes of the open test."""

import attrs

from client.games.first_edition.odds import odds, open_test
from client.games.first_edition.panes.scene import FirstEditionScene
from client.text.printable import wrap
from client.widgets.canvas import Pane
from client.widgets.question import Inset


@attrs.frozen(eq=False)
class TestInset(Inset):
    """The inset of this game: the stakes of the open test, with a skill point and without."""

    __test__ = False
    scene: FirstEditionScene

    def worded(self, prompt: str) -> str:
        """Return a prompt with the texts of the cards that the question names."""
        scene, texts = self.scene, list[str]()
        for card in scene.in_question:
            words = " ".join(scene.speaker.details("card", card))
            named = scene.speaker.say("plain.card", scene.speaker.card(card), words)
            # One card needs no name: the question says which it is.
            texts.append(named if len(scene.in_question) > 1 else words)
        return " ".join((prompt, *(text for text in texts if text)))

    def _lines(self, columns: int) -> list[str]:
        ask, test = self.scene.table.room.ask, open_test(self.scene.game)
        if ask is None or test is None:
            return []
        return [line for text in odds(self.scene) for line in wrap(text, columns - 1)]

    def rows(self, columns: int, *, is_large: bool) -> int:
        """Return the number of rows of the stakes; 0 if no test is open."""
        del is_large
        return len(self._lines(columns))

    def draw(self, pane: Pane, *, is_large: bool) -> None:
        """Draw the stakes."""
        del is_large
        for row, line in enumerate(self._lines(pane.columns)):
            pane.write(row, 0, line, "class:journal.dice")
