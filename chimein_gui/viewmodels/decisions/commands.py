"""Commands of the decision log: revoke and restore a rule, export the log to a file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QCoreApplication, QObject, Signal

from chimein_gui.viewmodels.core.commands import CommandRunner
from chimein_gui.viewmodels.saved_files import file_problem

if TYPE_CHECKING:
    from pathlib import Path

    from chimein_gui.domain.approvals import RevokedRule
    from chimein_gui.domain.chats import TrustLevel
    from chimein_gui.domain.ids import ChatId
    from chimein_gui.domain.plans.decision_log import DecisionFilter
    from chimein_gui.viewmodels.core.bridge import EngineBridge
    from chimein_gui.viewmodels.engine_api.decision_log import DecisionLogService, TrustRulesService

translate = QCoreApplication.translate


class RuleCommandsApi(Protocol):
    """What this model asks of the engine."""

    @property
    def decision_log(self) -> DecisionLogService:
        """The past decisions."""
        ...

    @property
    def trust_rules(self) -> TrustRulesService:
        """Revokes and restores rules."""
        ...


class _StoppedError(Exception):
    """The operator has cancelled the export."""


class RuleCommands(CommandRunner[RuleCommandsApi]):
    """Revokes rules and restores them.

    Attributes:
        revoked: A rule was revoked; carries the `RevokedRule`.
        restored: A rule was restored; carries the same.
    """

    revoked = Signal(object)
    restored = Signal(object)

    def revoke(self, chat_id: ChatId, level: TrustLevel) -> None:
        """Stop automatic sends in this chat; refused unless `level` is still its level."""
        if self._api is not None:
            self._send(self._revoke(self._api, chat_id, level), f"revoke {chat_id}")

    def restore(self, revoked: RevokedRule) -> None:
        """Set a revoked rule again."""
        if self._api is not None:
            self._send(self._restore(self._api, revoked), f"restore {revoked.chat_id}")

    async def _revoke(self, api: RuleCommandsApi, chat_id: ChatId, level: TrustLevel) -> None:
        revoked = await api.trust_rules.revoke(chat_id, level)
        self._bridge.deliver(lambda: self.revoked.emit(revoked))

    async def _restore(self, api: RuleCommandsApi, revoked: RevokedRule) -> None:
        await api.trust_rules.restore(revoked)
        self._bridge.deliver(lambda: self.restored.emit(revoked))


class LogExport(CommandRunner[RuleCommandsApi]):
    """Exports one file at a time.

    Attributes:
        progressed: The number of decisions written so far.
        saved: The file is complete; its path and the number of decisions.
        stopped: The operator has cancelled the export; there is no file.
    """

    progressed = Signal(int)
    saved = Signal(object, int)
    stopped = Signal()

    def __init__(self, bridge: EngineBridge, parent: QObject | None = None) -> None:
        super().__init__(bridge, parent)
        self._is_wanted = False

    def save(self, wanted: DecisionFilter, path: Path) -> None:
        """Export the decisions of a filter; a request while another export runs is dropped."""
        if self._api is not None and not self._in_flight:
            self._is_wanted = True
            self._send(self._save(self._api, wanted, path), "export decisions")
            self.progressed.emit(0)

    def stop(self) -> None:
        """Cancel the running export."""
        self._is_wanted = False

    def detach(self) -> None:
        """Cancel the running export, so that no partial file is left."""
        self.stop()

    async def _save(self, api: RuleCommandsApi, wanted: DecisionFilter, path: Path) -> None:
        try:
            count = await api.decision_log.export(wanted, path, self._tell)
        except _StoppedError:
            self._bridge.deliver(self.stopped.emit)
        except OSError as error:
            words = file_problem(error)
            self._bridge.deliver(lambda: self.failed.emit(words))
        else:
            self._bridge.deliver(lambda: self.saved.emit(path, count))

    def _tell(self, count: int) -> None:
        if not self._is_wanted:
            raise _StoppedError
        self._bridge.deliver(lambda: self.progressed.emit(count))
