"""
The words that a server has sent, by subject.

The server sends words before the texts that need them.
"""

from collections.abc import Iterable, Mapping

from protocol.bounds import MAX_TEMPLATE, WordsBySubject
from protocol.common.text import SubjectWords, Text, is_subject, render


class WordStore:
    """
    The words of all subjects that the server has sent so far.

    After a change of language, a subject keeps its old words until the new ones arrive.
    """

    def __init__(
        self, subjects: Mapping[str, SubjectWords] | None = None, language: str = ""
    ) -> None:
        self._subjects: dict[str, dict[str, str]] = {
            subject: dict(words) for subject, words in (subjects or {}).items()
        }
        self._languages = dict.fromkeys(self._subjects, language)

    def add(self, language: str, subjects: WordsBySubject) -> None:
        """
        Add words, field by field. Words of the same subjects in another language are dropped.

        Files and caches may hold longer templates than messages; longer templates are cut.
        """
        for subject, fields in subjects:
            # Fields in two languages must not mix within one subject.
            if self._languages.get(subject) != language:
                self._languages[subject] = language
                self._subjects[subject] = {}
            self._subjects[subject].update((name, said[:MAX_TEMPLATE]) for name, said in fields)

    def lookup(self, subject: str) -> SubjectWords | None:
        return self._subjects.get(subject)

    def language_of(self, subject: str) -> str:
        return self._languages.get(subject, "")

    def subjects(self) -> Iterable[str]:
        return tuple(self._subjects)

    def say(self, text: Text | str | int) -> str:
        """Return a text in words, which may contain anything and are not safe for a terminal."""
        return render(text, self.lookup)

    def find(self, piece: str, *kinds: str) -> SubjectWords:
        """Return the words of a piece, stored by its id or with its kind (`item/<id>`).

        The result is empty if the piece has no words.
        """
        own = (piece,) if is_subject(piece) else ()
        for subject in (*own, *(f"{kind}/{piece}" for kind in kinds)):
            words = self._subjects.get(subject)
            if words is not None:
                return words
        return {}

    def name(self, piece: str, *kinds: str) -> str:
        """Return the name of a piece; a readable form of its id if the words are missing."""
        name = self.find(piece, *kinds).get("name")
        return name if name is not None else piece.rpartition("/")[2].replace("_", " ")
