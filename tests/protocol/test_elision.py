"""Elision: a word before a slot loses its last letter where its language says so."""

import pytest

from protocol.common.text import SubjectWords, Text, render

FRENCH = {"name": "Français", "elided": "de que"}


@pytest.mark.parametrize(
    ("template", "name", "said"),
    [
        ("Le tour de {0}", "Ada", "Le tour d’Ada"),
        ("Ce que {0} garde", "Élodie", "Ce qu’Élodie garde"),
        ("De {0}, rien", "Ilse", "D’Ilse, rien"),
        ("Le tour de {0}", "Bob", "Le tour de Bob"),
        ("Le tour de {0}", "Hester", "Le tour de Hester"),
        ("Le monde {0}", "Ada", "Le monde Ada"),
        ("Le tour de {0}", "", "Le tour de "),
        ("{0} et la place de {0}", "Ada", "Ada et la place d’Ada"),
    ],
)
def test_french_says_d_before_a_vowel(template: str, name: str, said: str) -> None:
    words: dict[str, SubjectWords] = {"language": FRENCH, "turn": {"text": template}}

    assert render(Text("turn", (name,)), words.get) == said


def test_a_language_that_names_no_words_keeps_them() -> None:
    words: dict[str, SubjectWords] = {
        "language": {"name": "Español"},
        "turn": {"text": "El de {0}"},
    }

    assert render(Text("turn", ("Ada",)), words.get) == "El de Ada"
