"""Which messages order to remember something: sentences in ten languages, and how often the rules are right.

`pytest -rP tests/unit/domain/memory/test_order_wordings.py` prints the table by language.
"""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest

from chimein_gui.domain.memory.orders.recognition import OrderForm, may_be_order, read_order

NAMES = ("Nora", "nora_b", "Нора", "Норо", "诺拉", "諾拉", "ノラ")  # noqa: RUF001 - her name in other scripts
LANGUAGES = ("en", "de", "fr", "es", "pt", "it", "ru", "uk", "zh", "ja")
FLOOR = 0.90
"""Precision and recall that each language must have by itself."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence, and what of it must be stored; None if nothing."""

    language: str
    text: str
    fact: str | None


def sentences() -> list[Sentence]:
    found = []
    for line in Path(__file__).with_name("sentences.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        language, marked = line.split("\t")
        _, opened, rest = marked.partition("⟨")
        fact = rest.partition("⟩")[0] if opened else None
        found.append(Sentence(language, marked.replace("⟨", "").replace("⟩", ""), fact))
    return found


@dataclass
class Score:
    """How often sentences were taken for orders, rightly and wrongly."""

    right: int = 0
    wrong: int = 0
    missed: int = 0
    left: int = 0

    @property
    def precision(self) -> float:
        return self.right / max(1, self.right + self.wrong)

    @property
    def recall(self) -> float:
        return self.right / max(1, self.right + self.missed)

    def count(self, one: Sentence) -> None:
        is_stored = read_order(one.text, NAMES) is not None
        self.right += is_stored and one.fact is not None
        self.wrong += is_stored and one.fact is None
        self.missed += not is_stored and one.fact is not None
        self.left += not is_stored and one.fact is None


def test_the_sentences_are_enough_and_half_of_them_are_no_orders() -> None:
    found = sentences()
    assert len(found) >= 400
    assert len({(one.language, one.text) for one in found}) == len(found)
    assert sum(one.fact is None for one in found) >= len(found) / 2
    by_language = Counter((one.language, one.fact is not None) for one in found)
    assert all(by_language[language, is_order] >= 20 for language in LANGUAGES for is_order in (True, False))


def test_orders_are_recognised_and_hardly_anything_else_is() -> None:
    scores = {language: Score() for language in (*LANGUAGES, "all")}
    for one in sentences():
        scores[one.language].count(one)
        scores["all"].count(one)
    for language, score in scores.items():
        counts = f"stored {score.right}, wrongly {score.wrong}, missed {score.missed}, left {score.left}"
        sys.stdout.write(f"{language:>4}  precision {score.precision:.3f}  recall {score.recall:.3f}  {counts}\n")
    assert scores["all"].precision >= 0.98
    assert scores["all"].recall >= 0.95
    assert all(min(score.precision, score.recall) >= FLOOR for score in scores.values())


def test_no_order_is_passed_over_before_it_is_read() -> None:
    orders = [one.text for one in sentences() if read_order(one.text, NAMES) is not None]
    assert all(map(may_be_order, orders))
    assert all(map(may_be_order, ("/remember", "/REMEMBER@nora_vale tea", f"Nora, {orders[0]}")))
    assert not may_be_order("tea?")
    assert not may_be_order("お茶は？")


def test_what_is_stored_is_the_fact_alone() -> None:
    other = []
    for one in sentences():
        order = read_order(one.text, NAMES)
        if one.fact is not None and order is not None and order.text.rstrip(".。") != one.fact.rstrip(".。"):
            other.append((one.text, order.text))
    assert other == []


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("/remember I like tea", "I like tea"),
        ("/Remember: I like\ntea", "I like\ntea"),
        ("/remember@nora_b  I like tea ", "I like tea"),
        ("@nora_b /remember I like tea", "I like tea"),
        ("Nora, /remember Do I like tea?", "Do I like tea?"),
        ("/remember\nI like tea", "I like tea"),
        ("/remember", ""),
        (" /remember@nora_b ", ""),
    ],
)
def test_the_command_stores_whatever_follows(text: str, fact: str) -> None:
    order = read_order(text, NAMES)
    assert order is not None
    assert (order.form, order.text) == (OrderForm.COMMAND, fact)


@pytest.mark.parametrize(
    "text", ["/remembering that", "/rememberI", "remember", "say /remember x", "/remember@bob x", ""]
)
def test_what_only_looks_like_the_command_is_none(text: str) -> None:
    assert read_order(text, NAMES) is None


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("Remember that my brother is allergic to nuts, please! 🥜", "my brother is allergic to nuts"),
        ("Merk dir, dass ich komme, bitte.", "ich komme"),
        ("Souviens-toi que je viens s'il te plaît", "je viens"),
        ("remember that I say please!", "I say"),
        ("remember that I am pleased.", "I am pleased."),
    ],
)
def test_a_please_at_the_end_is_no_part_of_the_fact(text: str, fact: str) -> None:
    order = read_order(text, NAMES)
    assert order is not None
    assert order.text == fact


def test_a_fact_ends_before_the_first_question() -> None:
    order = read_order("Remember that I eat no nuts. It is serious. Will you? Thanks.")
    assert order is not None
    assert order.text == "I eat no nuts. It is serious."
    assert read_order("Remember that I eat no nuts? It is serious.") is None


PIECES = ("a ", "?", "。", "覚えて", " ", "please ", "\u3000", "Hi, ", "你好", "😀", "¿", "'", "ß")


@pytest.mark.parametrize("piece", PIECES)
def test_hostile_texts_take_no_longer_the_longer_they_are(piece: str) -> None:
    """The characters that are looked at are bounded, so a text of a million of them costs what one of 10,000 costs."""
    for begin in ("", "remember that ", "/remember "):
        long, cut = f"{begin}{piece * 1_000_000}", f"{begin}{piece * 20_000}"
        assert read_order(long[:2_000_000], NAMES) == read_order(cut, NAMES)
