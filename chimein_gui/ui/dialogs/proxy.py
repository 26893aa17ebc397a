"""Sets the proxy of an account: a form for each kind, or a pasted link. A test reconnects the account."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from chimein_gui.domain.accounts.proxies import ProxyKind
from chimein_gui.ui.dialogs.small_dialog import SmallDialog
from chimein_gui.ui.widgets.controls.action_button import ActionButton, Kind
from chimein_gui.ui.widgets.controls.form_fields import LineField
from chimein_gui.ui.widgets.controls.labelled import Labelled
from chimein_gui.ui.widgets.controls.secret_field import SecretField
from chimein_gui.ui.widgets.controls.segments import Segments
from chimein_gui.ui.widgets.surfaces.health import health_label
from chimein_gui.ui.widgets.surfaces.inline_message import InlineMessage
from chimein_gui.ui.widgets.surfaces.state_chip import StateChip
from chimein_gui.ui.widgets.text import foreign_text
from chimein_gui.ui.widgets.text.labels import ElidedLabel, PlainLabel
from chimein_gui.ui.widgets.theme.theme import Face, Theme
from chimein_gui.viewmodels.accounts.proxies import ProxyForm, is_mtproxy_link, link_problem, make_proxies, problems_of
from chimein_gui.viewmodels.words.notes import note_sentence

if TYPE_CHECKING:
    from chimein_gui.domain.ids import AgentId
    from chimein_gui.viewmodels.window import WindowModels

KINDS = (ProxyKind.SOCKS5, ProxyKind.HTTP, ProxyKind.MTPROXY)
LINK = len(KINDS)
DIALOG_WIDTH = 500

translate = QCoreApplication.translate


class ProxyForms(QWidget):
    """The fields of all kinds; those that the current kind does not have are hidden.

    Attributes:
        judged: The error messages at the fields may have changed, and with them the height.
    """

    judged = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.kind = Segments(
            theme,
            ("SOCKS5", "HTTP", "MTProxy", translate("ProxyDialog", "Link")),
            translate("ProxyDialog", "Kind of proxy"),
        )
        self.host, self.port = (
            LineField(theme, translate("ProxyDialog", "Host"), hint="proxy.example"),
            LineField(theme, translate("ProxyDialog", "Port")),
        )
        self.user, self.password = (
            LineField(theme, translate("ProxyDialog", "Username")),
            SecretField(theme, translate("ProxyDialog", "Password")),
        )
        self.secret, self.link = (
            SecretField(theme, translate("ProxyDialog", "Secret")),
            SecretField(theme, translate("ProxyDialog", "Link"), most=1000),
        )
        self.port.setMaxLength(5)
        for field in (self.host, self.port, self.user):
            field.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
            field.textEdited.connect(lambda _text: self.judge())
        for secret in (self.password, self.secret, self.link):
            secret.edited.connect(self.judge)
        optional = translate("ProxyDialog", "may be empty")
        self.lines = {
            "host": Labelled(theme, translate("ProxyDialog", "Host"), self.host),
            "port": Labelled(theme, translate("ProxyDialog", "Port"), self.port),
            "username": Labelled(theme, translate("ProxyDialog", "Username"), self.user, hint=optional),
            "password": Labelled(theme, translate("ProxyDialog", "Password"), self.password, hint=optional),
            "secret": Labelled(theme, translate("ProxyDialog", "Secret"), self.secret),
            "link": Labelled(
                theme, translate("ProxyDialog", "Link"), self.link, hint="socks5://…  http://…  tg://proxy?…"
            ),
        }
        self.unverified = PlainLabel(theme, translate("ProxyDialog",
            "Experimental: MTProxy was tested with our own proxy only. Secrets that begin with ee (fake TLS)"
            " are not supported."
        ), Face.SMALL, "text2")  # fmt: skip
        self.unverified.setWordWrap(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(10)
        column.addWidget(self.kind)
        for names in (("host", "port"), ("username", "password"), ("secret",), ("link",)):
            row = QHBoxLayout()
            row.setSpacing(10)
            for name in names:
                row.addWidget(self.lines[name], 1 if name == "port" else 3, Qt.AlignmentFlag.AlignTop)
            column.addLayout(row)
        column.addWidget(self.unverified)
        self.kind.chosen.connect(self.show_kind)
        self.kind.choose(0)
        self.show_kind(0)

    def show_kind(self, place: int) -> None:
        """Show the fields of a kind."""
        is_link, is_mtproxy = place == LINK, place == KINDS.index(ProxyKind.MTPROXY)
        for name, line in self.lines.items():
            needs = {"link": is_link, "secret": is_mtproxy}.get(name, not is_link)
            line.setVisible(needs and not (is_mtproxy and name in {"username", "password"}))
        self.judge()

    def text(self) -> str:
        """Return the proxy as a URL or as the pasted link; it may hold a password."""
        return self.link.text() if self.kind.current() == LINK else self._form().url()

    def problems(self) -> dict[str, str]:
        """Return the error of each invalid field, by field name."""
        if self.kind.current() == LINK:
            wrong = link_problem(self.link.text())
            return {"link": wrong} if wrong else {}
        return problems_of(self._form())

    def judge(self, *, all_of_it: bool = False) -> bool:
        """Show an error at each invalid field that is not empty; return whether all fields are valid."""
        problems, filled, kind = self.problems(), self._filled(), self.kind.current()
        is_mtproxy = is_mtproxy_link(filled["link"]) if kind == LINK else kind == KINDS.index(ProxyKind.MTPROXY)
        self.unverified.setVisible(is_mtproxy)
        for name, line in self.lines.items():
            line.refuse(problems.get(name, "") if all_of_it or filled.get(name) else "")
        self.judged.emit()
        return not problems

    def _filled(self) -> dict[str, str]:
        form = self._form()
        return {"host": form.host, "port": form.port, "username": form.username or form.password,
                "secret": form.secret, "link": self.link.text()}  # fmt: skip

    def _form(self) -> ProxyForm:
        kind = KINDS[self.kind.current()] if 0 <= self.kind.current() < LINK else ProxyKind.SOCKS5
        return ProxyForm(
            kind, self.host.text(), self.port.text(), self.user.text(), self.password.line.text(), self.secret.text()
        )


class ProxyDialog(SmallDialog):
    """Stays open while the account connects, and shows the progress. Open it with open()."""

    def __init__(self, theme: Theme, models: WindowModels, agent_id: AgentId, parent: QWidget) -> None:
        self.use = ActionButton(theme, translate("ProxyDialog", "Save and connect"), kind=Kind.PRIMARY)
        agent = models.agents.find(agent_id)
        name = agent.spec.name if agent is not None else ""
        words = translate(
            "ProxyDialog",
            "All of this account's Telegram traffic goes through it. Other accounts are not affected.",
        )
        title = translate("ProxyDialog", "Proxy of {name}").format(
            name=foreign_text.isolated(foreign_text.short(name, 30))
        )
        super().__init__(theme, title, words, self.use, parent)
        self.leave.setText(translate("ProxyDialog", "Close"))
        self._models, self._agent_id, self._busy = models, agent_id, False
        self.forms = ProxyForms(theme)
        self.remove = ActionButton(theme, translate("ProxyDialog", "Connect without"), icon="x")
        self._now = ElidedLabel(theme, "", Face.STRONG)
        self._state = StateChip(theme)
        self._about = PlainLabel(theme, "", Face.SMALL, "text2")
        self._about.setWordWrap(True)
        self._refused = InlineMessage(theme)
        now = QHBoxLayout()
        now.setSpacing(8)
        now.addWidget(self._now, 1)
        now.addWidget(self._state)
        now.addWidget(self.remove)
        self.middle.setSpacing(10)
        self.middle.addLayout(now)
        self.middle.addWidget(self._about)
        self.middle.addWidget(self.forms)
        self.middle.addWidget(self._refused)
        self.use.setDefault(True)
        self.use.clicked.connect(lambda _checked=False: self._use())
        self.remove.clicked.connect(lambda _checked=False: self._clear())
        self.forms.judged.connect(lambda: self.fit(DIALOG_WIDTH))
        models.own(make_proxies).settled.connect(self._settled)
        models.agents.summary_changed.connect(self.refresh)
        self.refresh()
        self.fit(DIALOG_WIDTH)
        self.forms.host.setFocus()

    def refresh(self) -> None:
        """Show the proxy in use and the state of the account."""
        agent = self._models.agents.find(self._agent_id)
        if agent is None:
            self.reject()
            return
        self._now.setText(foreign_text.line(agent.proxy) or translate("ProxyDialog", "No proxy"))
        self._state.say(health_label(agent, self._models.clock))
        self._about.setText(foreign_text.line(note_sentence(agent.health_note), 300))
        self._about.setVisible(agent.health_note is not None)
        self.remove.setVisible(bool(agent.proxy))
        usable = self._models.own(make_proxies).usable
        why_not = (
            translate("ProxyDialog", "Changing the proxy…")
            if self._busy
            else ""
            if usable
            else translate("ProxyDialog", "Not possible in this run")
        )
        self.use.allow(why_not)
        self.remove.allow(why_not)

    def _use(self) -> None:
        if self.forms.judge(all_of_it=True):
            self._begin()
            self._models.own(make_proxies).use(self._agent_id, self.forms.text())

    def _clear(self) -> None:
        self._begin()
        self._models.own(make_proxies).clear(self._agent_id)

    def _begin(self) -> None:
        self._busy = True
        self._refused.say(None)
        self.refresh()

    def _settled(self, agent_id: object, reason: str) -> None:
        if agent_id == self._agent_id:
            self._busy = False
            self._refused.refuse(foreign_text.line(reason, 300))
            self.refresh()
            self.fit(DIALOG_WIDTH)
