"""Nothing in the window reads markup, and the rules that tell bite."""

import ast
from pathlib import PurePosixPath

import pytest

from tests.architecture import display_rules as rules
from tests.architecture.source_tree import modules, tree_of

BAD = [
    (rules.rich_text, "label = QLabel(name)"),
    (rules.rich_text, "view.setHtml(text)"),
    (rules.rich_text, "label.setTextFormat(Qt.TextFormat.AutoText)"),
    (rules.rich_text, "QMessageBox(self).setText(name)"),
    (rules.style_sheets, "widget.setStyleSheet('color: red;')"),
    (rules.state_colours, "def paintEvent(self, e):\n    if self.hasFocus():\n        pen(color('accent'))"),
    (rules.state_colours, "def _paint(self):\n    on = self.isChecked()\n    pen(color('ok' if on else 'line'))"),
    (rules.state_colours, "def draw(p, look):\n    pen(color('raised') if look.hovered else NONE)"),
    (rules.leading_edges, "row.setContentsMargins(16, 0, 8, 0)"),
    (rules.leading_edges, "field.setTextMargins(*margins)"),
    (rules.selected_by_action, "speak_rows_only(self)\nself.setModel(rows)"),
]

GOOD = [
    (rules.rich_text, "PlainLabel(theme, name)\nlabel.setTextFormat(Qt.TextFormat.PlainText)"),
    (rules.rich_text, "asks = QMessageBox(self)\nasks.setTextFormat(Qt.TextFormat.PlainText)"),
    (rules.leading_edges, "row.setContentsMargins(side, 0, side, 0)"),
    (rules.selected_by_action, "speak_rows_only(self)\nself.setModel(rows)\nmake_selected_current(self)"),
    (rules.state_colours, "def _paint(self):\n    pen(colours_of(theme, Role.ROW, state_of(self)).ink)"),
    (rules.style_sheets, "button.setProperty(CONTROL, ControlStyle.TAB.value)"),
]


def check(rule, path, tree):
    return [f"{path}:{line}: {what}" for line, what in rule(PurePosixPath(path), tree)]


@pytest.mark.parametrize("rule", rules.RULES, ids=lambda rule: rule.__name__)
def test_the_window_keeps_the_rule(rule):
    findings = [finding for path in modules() if rules.in_ui(path) for finding in check(rule, path, tree_of(path))]
    assert not findings, "\n" + "\n".join(findings)


def test_no_error_is_shown_in_the_words_of_the_log():
    below = (rules.errors_in_words, rules.errors_by_name, rules.sentences_below)
    findings = [finding for path in modules() for rule in below for finding in check(rule, path, tree_of(path))]
    assert not findings, "\n" + "\n".join(findings)
    assert check(rules.errors_by_name, "chimein_gui/engine/x.py", ast.parse("raise StoreError(f'Full: {path}')"))
    assert check(rules.errors_by_name, "chimein_gui/engine/x.py", ast.parse("raise RefusedError('no')"))
    for said in ("x = 'It is so.'", "f(words=f'Nothing of {name} was sent now')", "raise StoreError(f'{x} is full.')"):
        assert check(rules.sentences_below, "chimein_gui/engine/x.py", ast.parse(said)), said
    for said in ("'It is so.'", "_log.info('It is so.')", "raise ValueError('It is so.')", "x = 'agent files'"):
        assert not check(rules.sentences_below, "chimein_gui/engine/x.py", ast.parse(said)), said
    for shown in ("str(error)", "f'No: {error}'"):
        tree = ast.parse(f"try:\n    f()\nexcept ChimeinError as error:\n    tell({shown})")
        assert check(rules.errors_in_words, "chimein_gui/viewmodels/x.py", tree)
        assert not check(rules.errors_in_words, "chimein_gui/engine/x.py", tree)


def bites(rule, source, place="ui/panes/x.py"):
    return bool(check(rule, f"chimein_gui/{place}", ast.parse(source)))


def test_the_rules_bite_in_the_window_alone_and_let_pass():
    assert [source for rule, source in BAD if not bites(rule, source)] == []
    assert [source for rule, source in BAD if bites(rule, source, "engine/x.py")] == []
    assert [source for rule, source in GOOD if bites(rule, source)] == []
