"""Tags are letters that nobody can see; they stay only where they make a flag."""

from chimein_gui.viewmodels.core.sanitize import sanitize


def tags(words):
    return "".join(chr(0xE0000 + ord(letter)) for letter in words)


def test_the_tags_of_a_flag_stay():
    england = "\U0001f3f4" + tags("gbeng") + "\U000e007f"
    assert sanitize(f"we play for {england} today", keep_breaks=False) == f"we play for {england} today"


def test_tags_behind_a_letter_or_another_emoji_are_shown_as_what_cannot_be_seen():
    for before in ("flag", "\U0001f600"):
        assert sanitize(before + tags("obey"), keep_breaks=False) == before + "␣" * 4
