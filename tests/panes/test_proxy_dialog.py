"""The proxy of one account: form, link, trial by connecting."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt

from chimein_gui.domain.agents import Health
from chimein_gui.domain.errors import ConfigError
from chimein_gui.domain.notes import Note, NoteKind
from chimein_gui.ui.dialogs.proxy import ProxyDialog


@pytest.fixture
def dialog(desktop, qtbot):
    desktop.window.show_pane("agents")
    desktop.settle()
    desktop.click(desktop.agents.agent_actions.proxy)
    return next(one for one in desktop.window.findChildren(ProxyDialog) if one.isVisible())


def test_a_form_is_used_and_the_account_is_seen_connecting(desktop, dialog, qtbot):
    forms = dialog.forms
    assert forms.host.hasFocus()
    assert desktop.sees("No proxy", dialog)
    qtbot.keyClicks(forms.host, "proxy.example")
    qtbot.keyClicks(forms.port, "1080")
    qtbot.keyClicks(forms.user, "iris")
    qtbot.keyClicks(forms.password.line, "a b")
    desktop.strike(forms.password.line, Qt.Key.Key_Return)
    assert desktop.api.proxies.given == [(1, "socks5://iris:a%20b@proxy.example:1080")]
    assert desktop.sees("SOCKS5 proxy.example:1080", dialog)
    agent = desktop.api.agents[1]
    desktop.put_agent(replace(agent, health=Health.CONNECTING))
    assert desktop.sees("Connecting", dialog)
    desktop.put_agent(
        replace(agent, health=Health.WAITING, health_note=Note(NoteKind.OTHER, "The proxy refuses the password."))
    )
    assert desktop.sees("The proxy refuses the password.", dialog)


def test_what_is_wrong_stands_at_its_field_and_goes_nowhere(desktop, dialog, qtbot):
    qtbot.keyClicks(dialog.forms.port, "99999")
    assert dialog.forms.lines["port"].problem() == "A port is a number from 1 to 65535."
    assert dialog.forms.lines["host"].problem() == ""
    desktop.strike(dialog.forms.port, Qt.Key.Key_Return)
    assert dialog.forms.lines["host"].problem() != ""
    assert desktop.api.proxies.given == []


def test_a_kind_has_its_own_fields_and_fake_tls_is_named(desktop, dialog, qtbot):
    forms = dialog.forms
    desktop.click(desktop.button("MTProxy", forms.kind))
    assert forms.secret.isVisible()
    assert not forms.user.isVisible()
    qtbot.keyClicks(forms.secret.line, "ee" + "0" * 40)
    assert "fake TLS" in forms.lines["secret"].problem()
    desktop.click(desktop.button("Link", forms.kind))
    assert not forms.host.isVisible()
    qtbot.keyClicks(forms.link.line, "https://t.me/proxy?server=a.example&port=443&secret=" + "0" * 32)
    desktop.click(dialog.use)
    assert desktop.api.proxies.given[0][1].startswith("https://t.me/proxy?")


def test_a_refusal_is_told_and_it_can_be_tried_again(desktop, dialog, qtbot):
    desktop.api.proxies.fail = ConfigError("This secret is too short.")
    desktop.click(desktop.button("Link", dialog.forms.kind))
    qtbot.keyClicks(dialog.forms.link.line, "mtproxy://a.example:443?secret=12")
    desktop.click(dialog.use)
    assert desktop.sees("This secret is too short.", dialog)
    assert dialog.use.isEnabled()


def test_an_account_can_do_without_again(desktop, dialog):
    assert not dialog.remove.isVisible()
    desktop.put_agent(replace(desktop.api.agents[1], proxy="HTTP proxy.example:8080"))
    desktop.click(dialog.remove)
    assert desktop.api.proxies.given == [(1, "")]
    assert desktop.sees("No proxy", dialog)


def test_secrets_are_hidden_as_they_are_typed(dialog, qtbot):
    forms = dialog.forms
    for field in (forms.password, forms.secret, forms.link):
        assert field.line.displayText() == ""
        field.line.setText("geheim")
        assert "geheim" not in field.line.displayText()
    qtbot.mouseClick(forms.password.eye, Qt.MouseButton.LeftButton)
    assert forms.password.line.displayText() == "geheim"
    assert forms.password.eye.accessibleName() == "Hide Password"
