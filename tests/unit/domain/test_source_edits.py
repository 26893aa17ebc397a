"""An edit of a section finds its way back into the file, with variables and every other byte."""

import pytest

from chimein_gui.domain.prompt.source_edits import carried
from chimein_gui.domain.text.line_merge import merge_lines

FILE = "\ufeff# Name\r\n\r\nYou are {{char}}, with {user}.\r\nBe kind.\r\n\r\n# End\r\n"
BUILT = "You are Nora, with ⟦name: Marta⟧.\nBe kind."


@pytest.mark.parametrize(
    ("after", "lines"),
    [
        (BUILT, ["You are {{char}}, with {user}.", "Be kind."]),
        ("You are Nora, alone with ⟦name: Marta⟧.\nBe kind.", ["You are {{char}}, alone with {user}.", "Be kind."]),
        ("You are alone.\nBe kind.", ["You are alone.", "Be kind."]),
        (f"{BUILT}\nBe brief.", ["You are {{char}}, with {user}.", "Be kind.", "Be brief."]),
        ("Be kind.", ["Be kind."]),
        ("Hey. You are Nora, with ⟦name: Marta⟧. Be kind.", ["Hey. You are {{char}}, with {user}. Be kind."]),
        ("You are Nora,\nwith ⟦name: Marta⟧.\nBe kind.", ["You are {{char}},", "with {user}.", "Be kind."]),
    ],
)
def test_an_edit_goes_into_its_lines(after, lines):
    expected = FILE.replace("You are {{char}}, with {user}.\r\nBe kind.", "\r\n".join(lines))
    assert carried(FILE, 3, BUILT, after) == expected


def test_a_section_at_the_end_of_a_file_and_one_that_is_not_there():
    assert carried("a\nb", 2, "b", "c\nd") == "a\nc\nd"
    assert carried(FILE, 1, "# Name", "# Other") == FILE.replace("# Name", "# Other")
    for line, text in ((0, "# Name"), (2, "You"), (7, "x\ny"), (9, "x")):
        assert carried(FILE, line, text, "new") is None


def test_a_file_of_many_variables_that_is_another_one_now_is_refused_at_once():
    line = "{{char}} and " * 2_000
    assert carried(line, 1, line.replace("{{char}}", "Nora"), "new") == "new"
    assert carried(f"{line}.", 1, line.replace("{{char}}", "Nora") * 2, "new") is None
    assert carried("{{char}}{{user}}" * 200 + "x", 1, "Nora" * 5_000, "new") is None


def test_thousands_of_equal_lines_cost_no_time():
    blank = "\n" * 15_000
    assert carried(f"a{blank}b", 1, f"a{blank}b", f"A{blank}\nB") == f"A{blank}\nB"
    assert merge_lines(f"a{blank}b", f"A{blank}\nB", f"a{blank}b\nc") is None
    assert merge_lines(f"a\nx{blank}b", f"A\nx{blank}b", f"a\nx{blank}B") == f"A\nx{blank}B"
