"""Terms by which memories are found: alike for the forms and spellings of a word, shared by words for one subject."""

import pytest

from chimein_gui.domain.memory import terms
from chimein_gui.domain.memory.ranking import fused
from chimein_gui.domain.memory.terms import MOST_WORDS, folded, read_topics, terms_of, terms_version


def shared(one, other, kind=""):
    return {term for term in terms_of(one).keys() & terms_of(other).keys() if term.startswith(kind)}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("MÜLLER", "Mueller"),
        ("Straße", "STRASSE"),
        ("Ёлка", "елка"),
        ("أحمد", "احمد"),
        ("مدرسة", "مدرسه"),
        ("ﬁn", "fin"),
    ],
)
def test_spellings_of_one_word_are_the_same(one, other):
    assert folded(one) == folded(other)


@pytest.mark.parametrize(
    ("question", "entry"),
    [
        ("what's her kitten called", "Ada has a cat"),
        ("wie heißt sein Welpe", "Ben hat einen Dackel"),
        ("il a un chien ?", "un caniche"),
        ("¿tiene mascota?", "una perra"),
        ("какой у неё пёс", "есть такса"),
        ("养了什么宠物", "家里有一只小狗"),
        ("ペットはいる？", "柴犬と暮らす"),
        ("عنده قطة؟", "لديه كلب"),
    ],
)
def test_other_words_for_a_pet_share_their_subject(question, entry):
    assert "tpet" in shared(question, entry)


def test_a_wider_subject_joins_narrow_ones():
    assert not shared("her brother", "his grandmother", "t")
    assert shared("her brother", "his grandmother", "v") == {"vfamily"}


def test_other_forms_of_a_name_share_pieces():
    assert {"p0sve", "pvenj"} <= shared("Svenjas", "Svenja", "p")
    assert shared("建国来了", "和建国") == {"p建国"}


def test_a_subject_needs_a_whole_word_where_its_beginning_says_nothing():
    assert "tpet" in terms_of("a new cat")
    assert "tpet" not in terms_of("a new catalogue")


@pytest.mark.parametrize("text", ["", " ", "?!", "\x00"])
def test_a_text_without_words_has_no_terms(text):
    assert terms_of(text) == {}


def test_weights_fit_into_a_byte_and_long_texts_end():
    weights = terms_of("a " * 3 * MOST_WORDS + "zebra")
    assert max(weights.values()) == 255
    assert "wzebra" not in weights


def test_every_wider_subject_joins_at_least_two_topics():
    wider = [one for groups in read_topics().wider.values() for one in groups]
    assert {one for one in wider if wider.count(one) < 2} == set()


def test_other_terms_have_another_version(monkeypatch):
    before = terms_version()
    assert before == terms_version() < 2**31
    monkeypatch.setattr(terms, "VERSION", terms.VERSION + 1)
    assert terms_version() != before


def test_an_entry_in_both_rankings_comes_first():
    assert [one.key for one in fused([1, 2], [3, 2])] == [2, 1, 3]
    assert fused([1, 2], [1])[0].score == 1
    assert fused([], []) == []
