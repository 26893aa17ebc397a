"""What a screen reader is told of form fields: the label that names them, the unit, and why they are wrong."""

import pytest
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QVBoxLayout, QWidget

from chimein_gui.domain.settings.preferences import Preferences
from chimein_gui.ui.panes.preferences.setting_row import SettingRow
from chimein_gui.ui.widgets.controls.form_fields import Choice, LineField, NumberField
from chimein_gui.ui.widgets.controls.labelled import Labelled
from chimein_gui.ui.widgets.theme.theme import Theme
from chimein_gui.viewmodels.preferences.catalogue import SETTINGS

Label = QAccessible.RelationFlag.Label


@pytest.fixture
def listening(qapp):
    QAccessible.setActive(True)
    yield
    QAccessible.setActive(False)


@pytest.fixture
def form(qtbot, listening):
    whole = QWidget()
    qtbot.addWidget(whole)
    QVBoxLayout(whole)
    return whole


def labels_of(widget):
    told = QAccessible.queryAccessibleInterface(widget).relations(Label)
    return [one.text(QAccessible.Text.Name) for one, _relation in told]


def test_a_combo_box_has_its_label_whether_it_is_in_sight_or_not(form):
    theme = Theme()
    alone, beside = Choice(theme, "Sort"), Choice(theme, "File")
    for choice in (alone, beside):
        choice.set_entries([("Newest first", 1), ("Oldest first", 2)])
    form.layout().addWidget(alone)
    form.layout().addWidget(labelled := Labelled(theme, "File to change", beside))
    assert labels_of(alone) == ["Sort"]
    assert labels_of(beside) == ["File to change"]
    assert alone.parentWidget() is form
    other = QWidget(form)
    alone.setParent(other)
    assert labels_of(alone) == ["Sort"]
    assert labelled.problem() == ""


def test_a_field_under_a_label_is_named_by_it_and_says_why_it_is_wrong(form):
    theme, field = Theme(), LineField(Theme(), "Name")
    form.layout().addWidget(labelled := Labelled(theme, "Name of the chat", field, hint="optional"))
    assert labels_of(field) == ["Name of the chat"]
    labelled.refuse("Too long")
    assert field.accessibleDescription() == "Too long"
    assert labelled._problem._is_alert


def test_a_number_that_a_screen_reader_sets_is_taken_and_stepped_from(form):
    field = NumberField(Theme(), "Waits", least=1, most=90, suffix=" s")
    form.layout().addWidget(field)
    field.setValue(30)
    told = QAccessible.queryAccessibleInterface(field)
    told.editableTextInterface().replaceText(0, len(field.text()), "45")
    assert field.value() == 45
    field.stepUp()
    assert (field.value(), field.text()) == (46, "46 s")
    told.editableTextInterface().deleteText(0, len(field.text()))
    assert field.value() == 46, "an empty field is not a number yet"
    told.editableTextInterface().insertText(0, "500")
    assert field.value() == 46, "nor is one that is not allowed"


def test_rows_of_preferences_are_named_with_their_unit(make_desktop):
    desktop = make_desktop()
    desktop.attach()
    QAccessible.setActive(True)
    setting = next(one for one in SETTINGS if one.name == "undo_s")
    model = desktop.models.preferences_model
    row = SettingRow(desktop.window.theme, setting, model)
    row.setParent(desktop.window)
    assert labels_of(row.field) == [row.title, row.unit.text()]
    assert row.unit.text()
    row.refuse("More than allowed")
    assert row.field.accessibleDescription().startswith("More than allowed ")
    row.refuse("")
    assert row.field.accessibleDescription().endswith(f"{setting.in_words(Preferences())}.")
    QAccessible.setActive(False)
