"""Hostile strings, wherever they are shown, change no layout, load nothing, and are no markup."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QAbstractButton, QAbstractItemView, QDockWidget

from chimein_gui.domain.accounts.sign_in import CodeWay, SentCode, SignedInAs, SignInTrouble
from chimein_gui.domain.events import LoginChanged
from chimein_gui.domain.ids import AccountId, Revision
from chimein_gui.domain.notes import Note
from chimein_gui.domain.notes.sign_ins import SignInReason
from chimein_gui.sandbox_api import SandboxLoginCode
from chimein_gui.ui.panes.rehearsal.pane import PHONE as PHONE_PAGE
from chimein_gui.ui.widgets.theme.theme import Scheme
from chimein_gui.viewmodels.preferences.catalogue import Page
from chimein_gui.viewmodels.preferences.keys import Key, KeyRow, KeyState
from tests.fakes.engine_api import NOON
from tests.support import bait as bait_module
from tests.support import hostile
from tests.support.furnished import disturb, fill, refill
from tests.support.hostile import HARMLESS
from tests.support.login_server import ALL, PHONE, LoginControls
from tests.support.on_screen import troubles, walk

pytestmark = pytest.mark.whole_window

GROUPS = [list(hostile.corpus())[start::6] for start in range(6)]
"""The corpus in portions, so that a window is made once for several texts."""

PANES = ("conversations", "approvals", "agents")


@pytest.fixture
def bait(tmp_path):
    with bait_module.laid(tmp_path) as laid:
        yield laid


@pytest.fixture
def furnished(make_desktop):
    def make(name, body, **window):
        desktop = make_desktop(**window)
        fill(desktop, name, body)
        desktop.attach(sandbox=window.get("is_sandbox", False))
        for pane in PANES:
            desktop.window.show_pane(pane)
        desktop.open_chat()
        desktop.settle()
        return desktop

    return make


def skeleton(desktop) -> dict[str, object]:
    """Measure what no name may change: panes, headers, rows."""
    window = desktop.window
    least = window.minimumSizeHint()
    shape: dict[str, object] = {"window": (window.width(), window.height()), "least": (least.width(), least.height())}
    for dock in window.findChildren(QDockWidget):
        if dock.isVisible():
            shape[f"dock {dock.objectName()}"] = (dock.width(), dock.height())
    for pane in PANES:
        for view in window.panes[pane].findChildren(QAbstractItemView):
            if view.isVisible():
                name = f"{pane} {type(view).__name__} {view.accessibleName()}"
                shape[name] = tuple(view.visualRect(index).height() for index in walk(view, view.rootIndex()))
                shape[f"{name} place"] = view.height()
    header = window.panes["conversations"].header
    shape["header"] = header.height()
    return shape


HIGHER = 60
"""Pixels by which one message's row may grow: a name in the middle of a sentence may need a second line."""

HIGHEST = 200 * 40
"""Pixels of one row: a message is folded after 70 lines, what is decided on after 200."""

BAR = 48
"""Pixels a bar above the panes may take."""

BODY = "is the bridge open?"


def grown(was: object, now: object) -> bool:
    """Tell whether a list's rows are other ones, or higher than a second line makes them."""
    assert isinstance(was, tuple)
    assert isinstance(now, tuple)
    return len(was) != len(now) or any(not 0 < after <= before + HIGHER for before, after in zip(was, now, strict=True))


def is_larger(now: object, was: object, bars: int = 0) -> bool:
    """Tell whether the least size of the window grew, but for so many bars."""
    assert isinstance(now, tuple)
    assert isinstance(was, tuple)
    return now[0] > was[0] or now[1] > was[1] + bars * BAR


def changed_by_a_name(harmless: dict[str, object], now: dict[str, object]) -> list[str]:
    found = []
    for place, was in harmless.items():
        is_transcript = "TranscriptView" in place and isinstance(was, tuple)
        if grown(was, now.get(place)) if is_transcript else now.get(place) != was:
            found.append(f"{place}: {was} is {now.get(place)}")
    return found


def changed_by_a_text(harmless: dict[str, object], now: dict[str, object]) -> list[str]:
    fixed = [place for place in harmless if place in {"window", "header"} or place.startswith("dock ")]
    found = [f"{place}: {harmless[place]} is {now[place]}" for place in fixed if now[place] != harmless[place]]
    if is_larger(now["least"], harmless["least"]):
        found.append(f"least: {harmless['least']} is {now['least']}")
    sizes = {place: size for place, size in now.items() if isinstance(size, tuple)}
    return found + [f"{place}: {size}" for place, size in sizes.items() if max(size, default=0) > HIGHEST]


@pytest.mark.parametrize("group", GROUPS, ids=lambda group: group[0])
def test_hostile_names_and_messages_change_no_layout_and_are_not_obeyed(furnished, bait, group):
    texts = hostile.corpus(str(bait.path), bait.port)
    desktop = furnished(HARMLESS, BODY)
    harmless, wrong = skeleton(desktop), troubles()
    shown = [(name, changed_by_a_name, texts[name], BODY) for name in group]
    shown += [(name, changed_by_a_text, HARMLESS, texts[name]) for name in group]
    for name, changed, who, words in shown:
        refill(desktop, who, words)
        assert not desktop.window.grab().isNull()
        found = changed(harmless, skeleton(desktop)) + troubles() + bait.touched()
        wrong += [f"{name}, {changed.__name__}: {what}" for what in found]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("scheme", list(Scheme))
def test_a_window_that_opens_on_all_of_them_is_in_shape(furnished, bait, scheme):
    """Not brought in later: there from the first moment on, in both schemes."""
    text = "".join(hostile.corpus(str(bait.path), bait.port).values())
    harmless = skeleton(furnished(HARMLESS, BODY, scheme=scheme))
    desktop = furnished(text, text, scheme=scheme)
    assert not desktop.window.grab().isNull()
    wrong = changed_by_a_text(harmless, skeleton(desktop)) + troubles() + bait.touched()
    assert not wrong, "\n".join(wrong)


def test_what_comes_and_goes_is_no_way_in_either(furnished, bait):
    desktop = furnished(HARMLESS, BODY)
    before, wrong = skeleton(desktop), []
    for name, text in hostile.corpus(str(bait.path), bait.port).items():
        disturb(desktop, text)
        now = skeleton(desktop)
        assert not desktop.window.grab().isNull()
        found = [f"{key}: {before[key]} is {now[key]}" for key in ("window", "header") if now[key] != before[key]]
        if is_larger(now["least"], before["least"], bars=3):
            found.append(f"least: {before['least']} is {now['least']}")
        wrong += [f"{name}: {what}" for what in (*found, *troubles(), *bait.touched())]
        toast = desktop.models.toasts.current
        assert toast is not None
        desktop.models.toasts.dismiss(toast.number)
    assert not wrong, "\n".join(wrong)


def test_the_palette_shows_names_as_they_are(furnished, bait):
    texts = hostile.corpus(str(bait.path), bait.port)
    desktop = furnished("".join(texts.values()), texts["link"])
    opener = desktop.window.lazy.palette
    opener.open()
    dialog = opener.dialog
    width = dialog.width()
    for typed in ("img", "@"):
        dialog.field.setText(typed)
        desktop.settle()
        assert not dialog.grab().isNull()
        assert dialog.width() == width
    wrong = troubles() + bait.touched()
    dialog.reject()
    assert not wrong, "\n".join(wrong)


def test_an_ampersand_of_theirs_makes_no_key(furnished):
    desktop = furnished("Fish &Chips", BODY, is_sandbox=True)
    texts = [action.text() for action in desktop.window.findChildren(QAction)]
    texts += [dock.windowTitle() for dock in desktop.window.findChildren(QDockWidget)]
    assert [text for text in texts if "Chips" in text and not QKeySequence.mnemonic(text).isEmpty()] == []
    named = [button for button in desktop.window.findChildren(QAbstractButton) if "Chips" in button.text()]
    assert named  # whom one speaks as
    assert [button.text() for button in named if not button.shortcut().isEmpty()] == []


def said(state, text):
    """Return a state of the log-in with a text wherever Telegram, a file or an error says something."""
    code = SentCode(CodeWay.EMAIL, 5, CodeWay.SMS, 60.0, text) if state.code is not None else None
    who = SignedInAs(AccountId(7), text, text, text, 214, 12) if state.signed_in is not None else None
    note = Note(SignInReason.PROXY_TELLS, text)
    return replace(state, name=text, phone=text, note=note, hint=text, source=text, code=code, signed_in=who)


def test_log_ins_say_them_tamely(desktop, bait):
    login, wrong = LoginControls(desktop), []
    size = login.dialog.size()
    for name, text in hostile.corpus(str(bait.path), bait.port).items():
        agent = desktop.api.agents[1]
        desktop.api.put_agent(replace(agent, spec=replace(agent.spec, name=text, source=text)))
        for state in (*ALL, replace(PHONE, trouble=SignInTrouble.REFUSED)):
            login.show(said(state, text))
            assert not login.dialog.grab().isNull()
            found = [*troubles(login.dialog), *bait.touched()]
            found += ["another size"] if login.dialog.size() != size else []
            wrong += [f"{name} at {state.step}: {what}" for what in found]
    assert not wrong, "\n".join(wrong)


def test_preferences_say_them_tamely(desktop, bait):
    desktop.window.show_pane("preferences")
    desktop.settle()
    editor, keys, wrong = desktop.models.preferences_model, desktop.models.keys, []
    least = desktop.window.minimumSizeHint().width()
    for name, text in hostile.corpus(str(bait.path), bait.port).items():
        editor._refusals = {"config_dirs": text, "model": text, "chat_cap": text}
        editor.next_directories = (text, text)
        editor.current = replace(editor.current, model=text)
        editor.changed.emit()
        keys._rows[Key.MODEL] = KeyRow(KeyState.REFUSED, text[-4:], None, text, "")
        keys._rows[Key.APPLICATION] = KeyRow(KeyState.STORED, text[-4:], None, "", text)
        keys.changed.emit()
        desktop.settle()
        pane, found = desktop.window.panes["preferences"], bait.touched()
        for page in (Page.KEYS, Page.MODELS, Page.LIMITS, Page.DIRECTORIES):
            pane.show_page(page)
            assert not pane.grab().isNull()
            found += troubles(pane)
        found += ["a wider window"] if desktop.window.minimumSizeHint().width() > least else []
        wrong += [f"{name}: {what}" for what in found]
    assert desktop.window.panes["preferences"].sections[Page.DIRECTORIES].isVisible()
    assert not wrong, "\n".join(wrong)


def test_the_page_of_codes_says_them_tamely(stage, bait):
    stage.rehearsal.turn_to(PHONE_PAGE)
    stage.settle()
    wrong, least = [], stage.window.minimumSizeHint().width()
    for name, text in hostile.corpus(str(bait.path), bait.port).items():
        stage.sandbox.put(login_codes=(SandboxLoginCode(text, text, text, int(NOON.timestamp())),))
        stage.api.publish(LoginChanged(said(ALL[1], text), Revision(5)))
        stage.settle()
        assert not stage.rehearsal.grab().isNull()
        found = [*troubles(stage.rehearsal), *bait.touched()]
        found += ["a wider window"] if stage.window.minimumSizeHint().width() > least else []
        wrong += [f"{name}: {what}" for what in found]
    assert not wrong, "\n".join(wrong)
