"""The product keeps the rules of `rules.py`, and each rule bites on a bad line and passes a good one."""

import ast
from pathlib import PurePosixPath

import pytest

from tests.architecture import rules
from tests.architecture.source_tree import ROOT, modules, tree_of

BAD = [
    (rules.nested_loops, "ui/x.py", "QMenu(parent).exec_(point)"),
    (rules.nested_loops, "app.py", "def show_painted():\n    loop.exec()"),
    (rules.nested_loops, "app.py", "pump = app.processEvents"),
    (rules.static_dialogs, "ui/x.py", "name = QtWidgets.QFileDialog.getOpenFileName(self)[0]"),
    (rules.raw_tasks, "engine/x.py", "asyncio.get_running_loop().create_task(work())"),
    (rules.raw_tasks, "ui/x.py", "group = make()\ngroup.create_task(work())"),
    (rules.widgets_in_viewmodels, "viewmodels/deep/x.py", "from PySide6 import QtCore, QtWidgets"),
    (rules.compared_words, "ui/x.py", "if typed == self.tr('any call'): ..."),
    (rules.whole_engine_in_models, "viewmodels/x.py", "from chimein_gui.viewmodels.engine_api.engine import EngineApi"),
    (rules.real_time_in_engine, "engine/x.py", "async def f():\n    async with asyncio.timeout(1): ..."),
    (rules.real_time_in_engine, "engine/deep/x.py", "from time import monotonic"),
    (rules.real_time_in_engine, "engine/x.py", "loop.call_later(1, f)"),
    (rules.unnamed_thread, "engine/x.py", "def f(tx: Transaction): ..."),
    (rules.unnamed_thread, "engine/x.py", "def f(tx: Transaction): ...\ndef g():\n    'Starts a thread.'"),
    (rules.unnamed_thread, "engine/x.py", "def f():\n    'On a thread.'\n    def g(*, tx: Transaction): ..."),
    (rules.private_words, "ui/x.py", "def show(fate): ..."),
    (rules.private_words, "ui/x.py", "class ExportDesk: ..."),
    (rules.private_words, "ui/x.py", "pane.put_away()\nlate = LateParts()"),
    (rules.private_words, "ui/x.py", "told = 1"),
]

GOOD = [
    (rules.nested_loops, "program.py", "def show_painted():\n    loop.exec()"),
    (rules.nested_loops, "ui/x.py", "dialog.open()\nexec('1')\ncursor.execute('select 1')\nmenu.popup(point)"),
    (rules.static_dialogs, "ui/x.py", "box = QMessageBox(self)\nQMessageBox.StandardButton(0)\nbox.open()"),
    (rules.raw_tasks, "engine/x.py", "async def f():\n  async with TaskGroup() as tg:\n    tg.create_task(g())"),
    (rules.widgets_in_viewmodels, "ui/x.py", "from PySide6.QtWidgets import QListView"),
    (rules.compared_words, "ui/x.py", "shown = self.tr('any call') if method == '' else method"),
    (rules.whole_engine_in_models, "viewmodels/core/feed.py", "from x import EngineApi"),
    (rules.real_time_in_engine, "engine/x.py", "clock.sleep(1)\nclock.monotonic()\nasyncio.gather()"),
    (rules.unnamed_thread, "engine/x.py", "'Runs on the writer thread.'\ndef f(tx: Transaction): ..."),
    (rules.unnamed_thread, "engine/x.py", "def f(tx: Transaction):\n    'Runs on the reader thread.'"),
    (rules.unnamed_thread, "engine/x.py", "class A:\n  'On the writer thread.'\n  def f(self, tx: Transaction): ..."),
    (rules.private_words, "ui/x.py", "desktop.show(status, _HELP_DESK)"),
]


def _name(rule: rules.Rule) -> str:
    return getattr(rule, "__name__", repr(rule))


@pytest.mark.parametrize("rule", rules.RULES, ids=_name)
def test_the_product_keeps_the_rule(rule):
    findings = [finding for path in modules() for finding in rules.check(rule, path, tree_of(path))]
    assert not findings, "\n" + "\n".join(findings)


def test_the_tests_use_the_usual_terms_too():
    texts = {path.relative_to(ROOT): path.read_text("utf-8") for path in (ROOT / "tests").rglob("*.py")}
    suspects = {path: ast.parse(text) for path, text in texts.items() if rules.may_hold_private_words(text)}
    found = [
        one for path, tree in suspects.items() for one in rules.check(rules.private_words, PurePosixPath(path), tree)
    ]
    assert not found, "\n" + "\n".join(found)
    bad = [source for rule, _, source in BAD if rule is rules.private_words and "told" not in source]
    assert all(map(rules.may_hold_private_words, bad))


def findings(rule, path, source):
    return rules.check(rule, PurePosixPath("chimein_gui", path), ast.parse(source))


def test_the_rules_bite_and_let_pass():
    assert [(_name(case[0]), case[2]) for case in BAD if not findings(*case)] == []
    assert [(_name(case[0]), case[2]) for case in GOOD if findings(*case)] == []


def test_every_rule_has_both_proofs():
    assert {rule for rule, _, _ in BAD} == {rule for rule, _, _ in GOOD} == set(rules.RULES)


def test_the_tables_name_files_that_exist():
    assert set(rules.TASK_MAKERS) <= set(map(str, modules()))
