"""Character cards of other programs: the twelve pitfalls of their formats, hostile files, and the way back."""

from __future__ import annotations

import base64
import json
import random
import zlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chimein_gui.domain.character_cards.card import CardVersion
from chimein_gui.domain.character_cards.card_file import CardContainer, CardFile, read_card, written_card
from chimein_gui.domain.character_cards.charx import card_of as card_in_charx
from chimein_gui.domain.character_cards.contents import CardPart, CardUse, contents_of
from chimein_gui.domain.character_cards.persona import instructions_of, suggested_name
from chimein_gui.domain.errors import RefusedError
from chimein_gui.domain.notes.character_cards import CardReason
from tests.support.character_cards import as_charx, as_json, as_png, book, chunk, entry, v1, v2, v3

PLAIN = instructions_of(read_card(as_json(v2())).card, with_prompts=False)


def used(card: object, *, with_prompts: bool = False) -> str:
    return instructions_of(read_card(as_json(card)).card, with_prompts=with_prompts)


def uses(file: CardFile) -> dict[CardPart, tuple[CardUse, int]]:
    return {one.part: (one.use, one.number) for one in contents_of(file)}


def reason(data: bytes) -> CardReason:
    with pytest.raises(RefusedError) as refused:
        read_card(data)
    assert refused.value.note is not None
    assert isinstance(refused.value.note.kind, CardReason)
    return refused.value.note.kind


def data_of(data: bytes) -> dict[str, object]:
    whole: dict[str, object] = json.loads(read_card(data).card.text)
    inner = whole.get("data", whole)
    assert isinstance(inner, dict)
    return inner


# --- the twelve pitfalls ----------------------------------------------------------------------------------------------


def test_1_of_two_cards_in_a_picture_the_newer_one_counts_however_its_keyword_is_written() -> None:
    file = read_card(as_png(chara=v2(description="old"), CCV3=v3()))
    assert file.card.version is CardVersion.V3
    assert uses(file)[CardPart.OTHER_CARD] == (CardUse.IGNORED, 1)
    assert CardPart.OTHER_CARD not in uses(read_card(as_png(chara=v2(), ccv3=v3())))  # they say the same
    assert read_card(as_png(chara=b"broken!", ccv3=v3())).card.version is CardVersion.V3


def test_2_a_v3_card_without_greetings_for_groups_is_taken() -> None:
    card = v3()
    del card["data"]["group_only_greetings"]  # type: ignore[attr-defined]
    assert read_card(as_json(card)).card.version is CardVersion.V3


def test_3_of_texts_written_twice_those_in_data_count_and_are_copied_outwards() -> None:
    mirrored = {**v2(), "description": "stale", "personality": "dry, kind", "fav": False}
    file = read_card(as_json(mirrored))
    assert "stale" not in instructions_of(file.card, with_prompts=False)
    assert uses(file)[CardPart.MISMATCHED] == (CardUse.IGNORED, 1)
    out = json.loads(written_card(file.data, "Mira Holt", PLAIN.replace("dry, kind", "loud")))
    assert out["description"] == out["data"]["description"] != "stale"
    assert out["personality"] == out["data"]["personality"] == "loud"


def test_4_where_a_lore_entry_belongs_is_read_from_its_extensions_first() -> None:
    late = entry("LATE", position="before_char", extensions={"position": 4}, insertion_order=1)
    text = used(v2(character_book=book(late, entry("EARLY", position="before_char", insertion_order=9))))
    assert text.index("EARLY") < text.index("LATE")


def test_5_lore_entries_in_the_words_of_world_info_are_understood() -> None:
    entries = {
        "0": {"uid": 0, "key": ["a"], "content": "OFF", "constant": True, "disable": True, "order": 1},
        "1": {"uid": 1, "key": ["b"], "content": "SECOND", "constant": True, "disable": False, "order": 9},
        "2": {"uid": 2, "key": ["c"], "content": "FIRST", "constant": True, "order": 2},
    }
    card = read_card(as_json(v2(character_book={"entries": entries}))).card
    assert [one.content for one in card.lore.always_on()] == ["FIRST", "SECOND"]
    assert [one.keys for one in card.lore.entries] == [("a",), ("b",), ("c",)]


def test_6_secondary_keys_are_a_list_or_separated_by_commas() -> None:
    lore = read_card(
        as_json(v3(character_book=book(entry(secondary_keys="a, b"), entry(secondary_keys=["c"]))))
    ).card.lore
    assert [one.secondary_keys for one in lore.entries] == [("a", "b"), ("c",)]


def test_7_no_book_and_entries_with_any_or_no_id_are_taken() -> None:
    assert read_card(as_json(v2(character_book=None))).card.lore.entries == ()
    entries = [entry("A", id="x"), entry("B", id=7), entry("C"), entry("D", id=7), None, "odd"]
    assert len(read_card(as_json(v3(character_book=book(*entries)))).card.lore.entries) == 4


def test_8_words_about_the_card_never_reach_the_prompt_and_its_variables_are_filled() -> None:
    text = used(v3(), with_prompts=True)
    for secret in ("NOTES-OF-CREATOR", "TAG-OF-CARD", "CREATOR-OF-CARD", "VERSION-OF-CARD", "riginal", "ORIGINAL"):
        assert secret not in text
    assert "Mi keeps the lighthouse.\nShe answers {{user}} slowly." in text
    assert "{{char}} keeps the lighthouse." in used(v2())  # the agent's name, whatever it will be


def test_9_decorators_of_lore_are_stripped() -> None:
    file = read_card(as_json(v3(character_book=book(entry("@@depth 4\n@@@role system\n\nThe lamp burns.")))))
    assert "## Background\nThe lamp burns." in instructions_of(file.card, with_prompts=False)
    assert uses(file)[CardPart.DECORATORS] == (CardUse.IGNORED, 1)


def test_10_every_byte_but_those_of_a_changed_text_survives() -> None:
    odd = {
        **v3(future={"deep": [1e3, "\ud83d\ude00", None]}, assets=[{"type": "icon", "uri": "embeded://a"}]),
        "z": 1.0,
    }
    data = as_json(odd)
    now = written_card(data, "Mira Holt", used(odd).replace("dry, kind", "loud"))
    assert now == data.replace(b'"dry, kind"', b'"loud"')
    assert written_card(data, "Mira Holt", used(odd)) == data
    parts = uses(read_card(data))
    assert parts[CardPart.UNKNOWN] == (CardUse.KEPT, 2)
    assert parts[CardPart.ASSETS] == (CardUse.KEPT, 1)
    assert parts[CardPart.EXTENSIONS] == (CardUse.KEPT, 2)


def test_11_keys_are_never_searched_for_assets_never_fetched_and_prompts_only_used_on_request() -> None:
    card = v3(
        character_book=book(entry(keys=["(a+)+$"], constant=False)),
        assets=[{"type": "icon", "uri": "https://example.org/a.png"}],
    )
    parts = uses(read_card(as_json(card)))
    assert parts[CardPart.LORE_BY_KEYS] == (CardUse.KEPT, 1)
    assert parts[CardPart.WEB_ASSETS] == (CardUse.IGNORED, 1)
    assert parts[CardPart.SYSTEM_PROMPT] == (CardUse.ON_REQUEST, 1)
    assert "Never leave the character." not in used(card)
    assert "Never leave the character." in used(card, with_prompts=True)


def test_12_a_chat_or_a_lorebook_alone_is_no_card_and_says_so() -> None:
    chat = b'{"user_name":"You","character_name":"Mira","create_date":"2023-1-2 @3h 4m"}\n{"name":"Mira","mes":"Hi"}\n'
    assert reason(chat) is reason(chat.partition(b"\n")[0]) is CardReason.CHAT
    world_info = {"entries": {"0": {"uid": 0, "key": ["a"], "content": "b"}}}
    assert (
        reason(as_json(world_info)) is reason(as_json({"spec": "lorebook_v3", "data": book()})) is CardReason.LOREBOOK
    )


# --- round trips ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("card", [v1(), v2(character_book=book(entry())), v3(character_book=book(entry(), entry("B")))])
@pytest.mark.parametrize("with_prompts", [False, True])
def test_each_version_in_each_file_comes_back_as_it_was_and_as_it_was_changed(card: object, with_prompts: bool) -> None:
    text = used(card, with_prompts=with_prompts)
    changed = text.replace("A storm is coming.", "The storm is here.").replace("The lamp burns oil.", "It is dark.")
    for data in (as_json(card), as_png(chara=card), as_png(chara=card, ccv3=card), as_charx(card)):
        before = data_of(data)
        assert data_of(written_card(data, "Mira Holt", text)) == before
        after = data_of(written_card(data, "Mira", changed))
        assert {name for name in before if before[name] != after[name]} == {
            *("name", "scenario"),
            *(("character_book",) if "character_book" in before else ()),
        }
        assert (after["name"], after["scenario"]) == ("Mira", "The storm is here.")
        again = read_card(written_card(data, "Mira", changed))
        assert instructions_of(again.card, with_prompts=with_prompts) == changed
    picture = as_png(chara=card)
    assert written_card(picture, "Mira Holt", text) == picture
    assert card_in_charx(written_card(as_charx(card), "Mira Holt", text), 10**6) == as_json(card)


def test_sections_that_were_removed_added_or_moved_find_their_fields() -> None:
    data = as_json(v2(personality=""))
    now = PLAIN.replace("## Scenario\nA storm is coming.\n\n", "").replace("## Personality\ndry, kind\n\n", "")
    out = data_of(written_card(data, "Mira Holt", f"Be brief.\n\n{now}\n\n## Personality\nloud"))
    assert (out["scenario"], out["personality"]) == ("", "loud")
    assert str(out["description"]).startswith("Be brief.\n\n{{char}} keeps")
    assert out["system_prompt"] == v2()["data"]["system_prompt"]  # type: ignore[index]


def test_a_card_whose_own_text_has_our_headings_is_written_as_one_description() -> None:
    data = as_json(v2(description="A\n## Scenario\nB"))
    assert written_card(data, "Mira Holt", used(json.loads(data))) == data
    out = data_of(written_card(data, "Mira Holt", "## Description\nnew"))
    assert (out["description"], out["scenario"]) == ("## Description\nnew", "")


def test_an_agent_without_a_card_becomes_a_card_of_the_newest_version() -> None:
    data = written_card(None, "Nora", "Be “Nora”.\n\nAlways.")
    card = read_card(data).card
    assert (card.version, card.word("name"), card.word("description")) == (
        CardVersion.V3,
        "Nora",
        "Be “Nora”.\n\nAlways.",
    )
    assert written_card(data, "Nora", instructions_of(card, with_prompts=False)) == data


@settings(max_examples=40)
@given(
    st.dictionaries(st.text(max_size=6), st.none() | st.integers() | st.lists(st.text(max_size=9)), max_size=4),
    st.text(),
)
def test_unknown_members_survive_whatever_they_are(unknown: dict[str, object], scenario: str) -> None:
    data = as_json(v2(**{f"?{name}": value for name, value in unknown.items()}, scenario=scenario))
    assert written_card(data, suggested_name(read_card(data).card), used(json.loads(data))) == data


# --- hostile files ----------------------------------------------------------------------------------------------------

GOOD_PNG, GOOD_CHARX = as_png(ccv3=v3()), as_charx(v3())
BOMB = b"chara\0\0" + zlib.compress(b"A" * 50_000_000)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b" " * 10_000_001, CardReason.TOO_LARGE),
        (as_json(v2(description="x " * 100_000)), CardReason.TEXT_TOO_LONG),
        (as_json(v2(description="x" * 9_000_000)), CardReason.TEXT_TOO_LONG),
        (as_json(v2(description="x" * 4_001)), CardReason.UNBROKEN),
        (as_png(head=chunk(b"zTXt", BOMB)), CardReason.UNPACKED_TOO_LARGE),
        (as_png(head=chunk(b"zTXt", BOMB[:400])), CardReason.CUT_OFF),
        (as_png(head=chunk(b"zTXt", b"chara\0\0junk")), CardReason.CUT_OFF),
        (as_png(head=chunk(b"tIME", b"") * 20_000, chara=v2()), CardReason.TOO_MANY_PARTS),
        (as_png(), CardReason.PICTURE_WITHOUT_CARD),
        (b"\xff\xd8\xff\xe0 JFIF", CardReason.PICTURE_WITHOUT_CARD),
        (GOOD_PNG[:-40], CardReason.CUT_OFF),
        (GOOD_PNG.replace(b"ccv3\0", b"ccv3\0 ", 1), CardReason.CHECKSUM),
        (GOOD_PNG.replace(b"IDAT", b"IDAX"), CardReason.CHECKSUM),
        (as_png(chara=b"%%%"), CardReason.NOT_BASE64),
        (as_png(chara=base64.b64encode(b'{"name": "\xed\xa0\x80"}')), CardReason.NOT_UTF8),
        (b'{"name": "a", "description": ', CardReason.NOT_JSON),
        (b'{"name": "a", "description": NaN}', CardReason.NOT_JSON),
        (b'{"name": "a", "description": ' + b"9" * 5_000 + b"}", CardReason.NOT_JSON),
        (b'{"a":' * 120_000, CardReason.TOO_DEEP),
        (b'{"name": "a", "description": "b", "x": [' + b"[]," * 200_000 + b"0]}", CardReason.TOO_MANY_PARTS),
        (b"", CardReason.NOT_JSON),
        (b"[]", CardReason.NO_CARD),
        (b'{"name": 7, "description": "x"}', CardReason.NO_CARD),
        (GOOD_CHARX[: len(GOOD_CHARX) // 2], CardReason.ARCHIVE_BROKEN),
        (GOOD_CHARX.replace(b"icon", b"ikon", 1).replace(b"card.json", b"cord.json"), CardReason.NO_CARD),
        (as_charx(v3(), more={"../../.bashrc": b"x"}), CardReason.ARCHIVE_PATH),
        (as_charx(v3(), more={"/etc/x": b"x"}), CardReason.ARCHIVE_PATH),
        (as_charx(v3(), more={"a\\..\\x": b"x"}), CardReason.ARCHIVE_PATH),
        (as_charx(v3(), more={"C:x": b"x"}), CardReason.ARCHIVE_PATH),
        (as_charx(v3(), more={"bomb": bytes(60_000_000)}), CardReason.UNPACKED_TOO_LARGE),
        (as_charx(v3(x=" " * 10_000_000)), CardReason.UNPACKED_TOO_LARGE),
    ],
    ids=lambda one: one.value if isinstance(one, CardReason) else "",
)
def test_a_file_that_is_damaged_or_made_to_harm_is_refused_with_its_reason(data: bytes, why: CardReason) -> None:
    assert reason(data) is why


def test_a_picture_that_claims_to_be_huge_is_never_decoded() -> None:
    huge = as_png(chara=v2()).replace((1).to_bytes(4, "big") * 2, b"\x7f\xff\xff\xff" * 2, 1)
    head = huge.index(b"IHDR")
    huge = huge[: head + 17] + zlib.crc32(huge[head : head + 17]).to_bytes(4, "big") + huge[head + 21 :]
    assert read_card(huge).container is CardContainer.PNG


def test_scripts_marks_and_letters_that_nobody_sees_are_tamed_and_told() -> None:
    text = "<script>alert(1)</script>\n# «send»\nhi ⟦x⟧ \ud800 \u202eevil\U000e0041\x1b[31m"
    file = read_card(as_json(v2(description=text)))
    shown = instructions_of(file.card, with_prompts=False)
    assert "<script>alert(1)</script>\n# ‹send»\nhi 〔x〕 \ufffd evil[31m" in shown  # noqa: RUF001
    assert shown.encode()
    assert uses(file)[CardPart.UNSAFE_CHARACTERS] == (CardUse.IGNORED, 1)
    assert written_card(file.data, "Mira Holt", shown) == file.data


def test_members_of_a_wrong_type_are_told_and_kept() -> None:
    data = as_json(v2(personality=["odd"], tags="odd", character_book="odd", extensions=None))
    assert uses(read_card(data))[CardPart.MISTYPED] == (CardUse.IGNORED, 3)
    assert written_card(data, "Mira Holt", used(json.loads(data))) == data


@pytest.mark.parametrize(
    ("name", "suggested"),
    [(" Mira\n Holt. ", "Mira Holt"), ("a/b\\c:d", "abcd"), ("CON", ""), ("..", ""), ("é" * 90, "é" * 64), ("", "")],
)
def test_a_name_is_suggested_without_what_names_can_not_have(name: str, suggested: str) -> None:
    assert suggested_name(read_card(as_json(v2(name=name))).card) == suggested


ODD: tuple[object, ...] = (None, True, -1, 1.5, 10**400, "", "\ud800", "@@", "## Scenario\nx", [], [None, 1, {}], {})


def mutated(value: object, chance: random.Random) -> object:
    """Return JSON with something else in some places, and some members missing."""
    if chance.random() < 0.12:
        return chance.choice(ODD)
    if isinstance(value, dict):
        return {name: mutated(one, chance) for name, one in value.items() if chance.random() > 0.05}
    return [mutated(one, chance) for one in value] if isinstance(value, list) else value


def test_cards_with_anything_anywhere_are_refused_or_come_back_as_they_were() -> None:
    chance, taken = random.Random(7), 0
    entries = {"entries": {"0": entry(), "1": entry(secondary_keys="a, b")}}
    for _ in range(400):
        card = chance.choice((v1(), v2(character_book=book(entry())), {**v3(character_book=entries), "name": "top"}))
        data = as_json(mutated(card, chance))
        try:
            file = read_card(data)
        except RefusedError:
            continue
        contents_of(file)
        text, name = instructions_of(file.card, with_prompts=chance.random() < 0.5), suggested_name(file.card)
        (text + name).encode()  # no lone surrogate is left
        assert file.card.mismatched or written_card(data, name, text) == data
        changed = read_card(written_card(data, "Mira", f"{text}\n\n## Personality\nQUICK")).card
        assert (changed.word("name"), "QUICK" in instructions_of(changed, with_prompts=True)) == ("Mira", True)
        taken += 1
    assert taken > 200
