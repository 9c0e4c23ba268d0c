"""The inset between a question and its choices: the dice of a test, or guesses at a code."""

import attrs

from client.games.second_edition.panes.dice import Dice, dice_rows, draw_dice
from client.games.second_edition.panes.puzzle import guesses, open_puzzle
from client.games.second_edition.panes.scene import SecondEditionScene
from client.text.printable import width_of
from client.widgets.canvas import Pane, Styled
from client.widgets.question import Inset
from protocol.games.second_edition.table import CodePuzzle, OpenTest


@attrs.frozen(eq=False)
class DiceInset(Inset):
    """The inset of this game: the dice of the open test, and the guesses at unsolved codes."""

    scene: SecondEditionScene

    @property
    def _test(self) -> OpenTest | None:
        """The open test; None if there is none or its dice are not rolled yet."""
        test = self.scene.game.test if self.scene.game is not None else None
        return test if test is not None and test.faces else None

    @property
    def tells_about(self) -> bool:
        """Whether `worded` puts the purpose of rolled dice before the prompt."""
        return self._test is not None and self.scene.table.room.ask is not None

    def worded(self, prompt: str) -> str:
        """Return a prompt with the purpose of the rolled dice before it, or card texts after it."""
        scene, ask = self.scene, self.scene.table.room.ask
        if self.tells_about and ask is not None:
            return f"{scene.speaker.text(ask.about)} {prompt}"
        texts: list[str] = []
        for card in scene.in_question:
            words = " ".join(scene.speaker.details("card", card))
            named = scene.speaker.say("plain.card", scene.speaker.name("card", card), words)
            # One card needs no name: the question says which it is.
            texts.append(named if len(scene.in_question) > 1 else words)
        return " ".join((prompt, *texts))

    def rows(self, columns: int, *, is_large: bool) -> int:
        """Return the number of rows of the dice; 0 if there are none."""
        test = self._test
        if test is None:
            return 0
        # Large dice have no label beside them: their outline says what they are.
        label = 0 if is_large else width_of(self.scene.speaker.say("question.test")) + 1
        return dice_rows(len(test.faces), columns - label, is_large=is_large)

    def draw(self, pane: Pane, *, is_large: bool) -> None:
        """Draw the dice, each with a mouse target."""
        scene, test = self.scene, self._test
        if test is None:
            return
        lit = (at for at in range(len(test.faces)) if scene.is_lit("die", str(at)))
        # Faces of a scene that is a record behind could be fewer than the dice.
        faces = scene.faces if len(scene.faces) == len(test.faces) else test.faces
        dice = Dice(faces, frozenset(test.converted), frozenset(lit), scene.falling)
        label = scene.speaker.say("question.test")
        column = 0 if is_large else pane.write(0, 0, label, "class:prompt") + 1
        draw_dice(pane.inner(0, column), dice, scene.charset, is_large=is_large, can_click=True)

    def guesses(self) -> list[Styled]:
        """Return the guesses at unsolved code puzzles with their marks.

        Return none while a puzzle is drawn, since the drawing has the guesses.
        """
        scene = self.scene
        if open_puzzle(scene) is not None:
            # The drawing of the puzzle shows them.
            return []
        puzzles = scene.game.puzzles.values() if scene.game is not None else ()
        codes = (one for one in puzzles if isinstance(one, CodePuzzle) and not one.is_solved)
        return [line for code in codes for line in guesses(scene, code)]
