"""preferences.toml: what cannot be used keeps its default and is reported."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from chimein_gui.adapters.files.preferences import load_preferences
from chimein_gui.domain.costs import PRICES, Price
from chimein_gui.domain.notes.files import FileReason
from chimein_gui.domain.settings.preferences import Preferences


def test_a_missing_file_means_all_defaults(tmp_path: Path) -> None:
    assert load_preferences(tmp_path / "none.toml") == (Preferences(), ())


def test_values_are_taken_over(tmp_path: Path) -> None:
    path = tmp_path / "preferences.toml"
    path.write_text('debounce_s = 0\nparallel_plans = 3\nmodel = "gemini-x"\n', encoding="utf-8")
    assert load_preferences(path) == (Preferences(debounce_s=0.0, parallel_plans=3, model="gemini-x"), ())


@pytest.mark.parametrize(
    "text",
    [
        "debounce_s = true",
        "debounce_s = -1",
        'undo_s = "5"',
        "parallel_plans = 0",
        "parallel_plans = 1.5",
        "modell = 1",
    ],
)
def test_a_wrong_value_is_reported_by_name_and_the_others_hold(tmp_path: Path, text: str) -> None:
    path = tmp_path / "preferences.toml"
    path.write_text(f"{text}\ntyping_base_s = 1\n", encoding="utf-8")
    preferences, problems = load_preferences(path)
    assert preferences == Preferences(typing_base_s=1.0)
    assert problems[0].note.words == text.split(" ")[0]


def test_prices_of_models_go_before_the_list(tmp_path: Path) -> None:
    path = tmp_path / "preferences.toml"
    path.write_text('[prices]\n"gemini-9" = [1, 2.5]\n', encoding="utf-8")
    preferences, problems = load_preferences(path)
    assert preferences.prices == (Price("gemini-9", 1.0, 2.5), *PRICES)
    assert problems == ()


def test_a_price_may_have_one_of_cached_tokens_and_a_day(tmp_path: Path) -> None:
    path = tmp_path / "preferences.toml"
    path.write_text("[prices]\na = [1, 2, 0.5, 2026-11-01]\nb = [1, 2, 2026-11-02]\n", encoding="utf-8")
    preferences, problems = load_preferences(path)
    first, second = Price("a", 1.0, 2.0, 0.5, date(2026, 11, 1)), Price("b", 1.0, 2.0, None, date(2026, 11, 2))
    assert preferences.prices == (first, second, *PRICES)
    assert problems == ()


WRONG = ("[1]", "[1, -2]", "[1, 2, 3, 4]", '[1, "2"]', "[2026-11-01, 1, 2]", "[1, 2, 2026-11-01T00:00:00Z]")


@pytest.mark.parametrize("text", ["prices = 3", "[prices]\nx = 1", *(f"[prices]\nx = {one}" for one in WRONG)])
def test_a_wrong_price_is_reported_and_the_list_holds(tmp_path: Path, text: str) -> None:
    path = tmp_path / "preferences.toml"
    path.write_text(text, encoding="utf-8")
    preferences, problems = load_preferences(path)
    assert preferences.prices == PRICES
    assert len(problems) == 1
    assert problems[0].note.kind in {FileReason.PRICE_PAIR, FileReason.LIST_OF_PRICES}


@pytest.mark.parametrize(
    "text",
    ['config_dirs = "/a"', "config_dirs = [1]", 'config_dirs = ["a/b"]', 'config_dirs = ["/a", "/a"]', "tick_s = 0"],
)
def test_wrong_directories_and_a_tick_without_end_are_reported(tmp_path: Path, text: str) -> None:
    path = tmp_path / "preferences.toml"
    path.write_text(text, encoding="utf-8")
    preferences, problems = load_preferences(path)
    assert preferences == Preferences()
    assert problems[0].note.words == text.split(" ")[0]
