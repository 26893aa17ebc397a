"""The pictures of messages: requested once, decoded outside the GUI thread, cached up to a limit.

A picture that cannot be shown has a state and one log line; painters draw a placeholder.
"""

from __future__ import annotations

import logging
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QImage

from chimein_gui.domain import events as ev
from chimein_gui.domain.agents import CONNECTED
from chimein_gui.domain.errors import ChimeinError, MediaTrouble, MediaUnavailableError, NotDrawableError
from chimein_gui.viewmodels.core.byte_cache import ByteCache
from chimein_gui.viewmodels.media.frame_strip import FrameStrip
from chimein_gui.viewmodels.media.picture_requests import (
    FileKey,
    PictureFailure,
    PictureKey,
    PictureRequest,
    failure_of,
    file_key,
    is_thumbnail,
    moving_kind,
)
from chimein_gui.viewmodels.media.still_pictures import PictureState, UnreadablePictureError, read_still, set_up

if TYPE_CHECKING:
    from pathlib import Path

    from chimein_gui.domain.events import EngineEvent
    from chimein_gui.domain.ids import AccountId
    from chimein_gui.domain.messages import Message
    from chimein_gui.engine.ports import FrameRenderer, Spawn
    from chimein_gui.viewmodels.core.bridge import EngineBridge
    from chimein_gui.viewmodels.engine_api.media_files import MediaFilesService

__all__ = ["Pictures"]

_log = logging.getLogger(__name__)

STILLS_BYTES = 48 * 2**20
STRIPS_BYTES = 64 * 2**20
"""Limit of all rendered frames together; measured by the row tgs_grid of docs/budgets.md, "Speed and memory"."""

AT_ONCE = 4
"""Pictures made at the same time; the last one requested comes first."""

LOOK_AGAIN_S = 30.0
"""Seconds before a failed file is requested again, where the error gives no time."""

REMEMBERED_FAILURES = 4096


class PicturesApi(Protocol):
    """What this model asks of the engine."""

    @property
    def frames(self) -> FrameRenderer:
        """Draws animated stickers."""
        ...

    @property
    def media_files(self) -> MediaFilesService:
        """The files of messages."""
        ...


class Pictures(QObject):
    """Stills and animated stickers of messages, for all painters of the window.

    Sizes are device pixels. Nothing here blocks: a missing picture is None, and `changed` tells when to ask again.

    Attributes:
        changed: The `MessageKey` of a message whose picture arrived or whose state changed.
    """

    changed = Signal(object)
    _decoded = Signal(object, object)

    def __init__(self, bridge: EngineBridge, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._api: PicturesApi | None = None
        self._spawn: Spawn | None = None
        self._threads: ThreadPoolExecutor | None = None
        self._stills: ByteCache[PictureKey, QImage] = ByteCache(STILLS_BYTES)
        self._strips: ByteCache[PictureKey, FrameStrip] = ByteCache(STRIPS_BYTES)
        self._requests: dict[PictureKey, PictureRequest] = {}
        self._failures: dict[tuple[FileKey, bool], PictureFailure] = {}
        self._states: dict[FileKey, PictureState] = {}
        self._reported: set[FileKey] = set()
        self._begun: set[PictureKey] = set()
        self._again = QTimer(self)
        self._again.setSingleShot(True)
        self._again.timeout.connect(self._forget_temporary)
        # Results come from another thread; a direct call would touch widgets there.
        self._decoded.connect(self._finish, Qt.ConnectionType.QueuedConnection)
        bridge.batch_ready.connect(self._hear)

    def attach(self, api: PicturesApi, spawn: Spawn) -> None:
        """Keep the engine to query for files and frames."""
        self._api, self._spawn = api, spawn
        set_up()

    def detach(self) -> None:
        """Drop all requests and end the thread."""
        self._api = self._spawn = None
        self._again.stop()
        self._requests.clear()
        self._begun.clear()
        if self._threads is not None:
            self._threads.shutdown(wait=False, cancel_futures=True)
            self._threads = None

    # --- queries of painters ------------------------------------------------------------------------------------------

    def still(self, message: Message, size: QSize) -> QImage | None:
        """Return a message's picture, scaled down to fit `size`; None while it is missing, which requests it."""
        key = (file_key(message), size.width(), size.height(), 0)
        kept = self._stills.get(key)
        if kept is None:
            self._ask(key, message)
        return kept

    def frames(self, message: Message, size: QSize, *, fps: int = 30) -> FrameStrip | None:
        """Return what moves, with at most `fps` frames a second; None if it is missing or does not move.

        A missing one is requested.
        """
        kind = moving_kind(message)
        if kind is None or self._api is None or not self._api.frames.draws(kind):
            return None
        key = (file_key(message), size.width(), size.height(), fps)
        kept = self._strips.get(key)
        if kept is None:
            self._ask(key, message)
        return kept

    def state(self, message: Message) -> PictureState:
        """Return the state of a message's picture; WAITING if it was never requested."""
        return self._states.get(file_key(message), PictureState.WAITING)

    @property
    def has_waiting(self) -> bool:
        """Whether any requested picture has not been started."""
        return len(self._requests) > len(self._begun)

    def forget_hidden(self) -> None:
        """Drop waiting requests that were not repeated since the last call: they are not visible any more."""
        for key, request in tuple(self._requests.items()):
            request.is_hidden = not request.is_wanted
            request.is_wanted = False
            if request.is_hidden and key not in self._begun:
                self._drop(request)

    # --- making them --------------------------------------------------------------------------------------------------

    def _ask(self, key: PictureKey, message: Message) -> None:
        if self._spawn is None or (key[0], bool(key[3])) in self._failures:
            return
        request = self._requests.get(key)
        if request is None:
            request = self._requests[key] = PictureRequest(key, message)
            self._states.setdefault(key[0], PictureState.WAITING)
        request.is_wanted, request.is_hidden = True, False
        request.waiting.add(message.key)
        self._go_on()

    def _go_on(self) -> None:
        while len(self._begun) < AT_ONCE and self._spawn is not None and self._api is not None:
            request = next((one for one in reversed(self._requests.values()) if one.key not in self._begun), None)
            if request is None:
                return
            self._begun.add(request.key)
            self._spawn(self._fetch(request, self._api), name=f"picture {request.key[0][1]}")

    async def _fetch(self, request: PictureRequest, api: PicturesApi) -> None:
        result: Path | QImage | FrameStrip | PictureFailure
        kind, fps = moving_kind(request.message), request.key[3]
        try:
            result = await self._file(request, api)
            if fps and kind is not None and not isinstance(result, QImage):
                result = FrameStrip(await api.frames.render(result, kind, max(request.key[1:3]), fps=fps))
        except MediaUnavailableError as error:
            result = failure_of(error)
        except ChimeinError as error:
            result = PictureFailure(PictureState.BROKEN, str(error))
        self._bridge.deliver(partial(self._fetched, request, result))

    async def _file(self, request: PictureRequest, api: PicturesApi) -> Path | QImage:
        """Return the file of a picture; the first frame of a moving sticker of which Telegram has no still picture."""
        message, kind, thumbnail = request.message, moving_kind(request.message), is_thumbnail(request)
        try:
            return await api.media_files.file(message.key, thumbnail=thumbnail, media=message.media)
        except MediaUnavailableError as error:
            is_drawn = kind is not None and message.media_kind == "sticker" and api.frames.draws(kind)
            if kind is None or not (thumbnail and is_drawn and error.trouble is MediaTrouble.NO_FILE):
                raise
        path = await api.media_files.file(message.key, media=message.media)
        image = FrameStrip(await api.frames.render(path, kind, max(request.key[1:3]), fps=1)).image(0)
        if image.isNull():
            raise NotDrawableError("it is damaged")
        return image

    def _drop(self, request: PictureRequest) -> None:
        """Drop a request that is not visible; a pane that still shows the picture asks again."""
        self._requests.pop(request.key, None)
        for key in request.waiting:
            self.changed.emit(key)

    def _fetched(self, request: PictureRequest, result: Path | QImage | FrameStrip | PictureFailure) -> None:
        if self._api is None:
            return  # after `detach`: a new thread would never be ended
        if isinstance(result, QImage | FrameStrip | PictureFailure):
            self._finish(request, result)
        elif request.is_hidden:
            self._begun.discard(request.key)
            self._drop(request)
            self._go_on()
        else:
            if self._threads is None:
                self._threads = ThreadPoolExecutor(1, thread_name_prefix="pictures")
            self._threads.submit(self._decode, request, result)

    def _decode(self, request: PictureRequest, path: Path) -> None:
        """Decode a still; runs in the pictures thread."""
        made: QImage | PictureFailure
        try:
            made = read_still(path, QSize(*request.key[1:3]))
        except UnreadablePictureError as error:
            made = PictureFailure(error.state, str(error))
        except Exception:  # noqa: BLE001 - the thread pool would swallow it
            _log.exception("A picture could not be read")
            made = PictureFailure(PictureState.BROKEN, "")
        self._decoded.emit(request, made)

    def _finish(self, request: PictureRequest, made: QImage | FrameStrip | PictureFailure) -> None:
        self._begun.discard(request.key)
        self._requests.pop(request.key, None)
        file = request.key[0]
        if isinstance(made, PictureFailure):
            self._fail(request, made)
        else:
            self._states[file] = PictureState.READY
            if isinstance(made, FrameStrip):
                self._strips.put(request.key, made, made.size)
            else:
                self._stills.put(request.key, made, made.sizeInBytes())
        for key in request.waiting:
            self.changed.emit(key)
        self._go_on()

    def _fail(self, request: PictureRequest, failure: PictureFailure) -> None:
        file, is_moving = request.key[0], bool(request.key[3])
        is_last = not any(key[0] == file for key in self._requests)  # an animation can be shown without its still
        if self._states.get(file) is not PictureState.READY and is_last:
            self._states[file] = failure.state
        self._failures[file, is_moving] = replace(failure, waiting=tuple(request.waiting))
        if len(self._failures) > REMEMBERED_FAILURES:
            del self._failures[next(iter(self._failures))]
            self._reported.intersection_update(key for key, _ in self._failures)
        if not failure.can_pass and failure.why and file not in self._reported:
            self._reported.add(file)
            _log.warning("The picture of file %s is not shown: %s", file[1], failure.why)
        elif failure.can_pass and failure.state is not PictureState.OFFLINE:
            self._again.start(int((failure.retry_after_s or LOOK_AGAIN_S) * 1000))

    # --- trying again -------------------------------------------------------------------------------------------------

    def _hear(self, batch: tuple[EngineEvent, ...]) -> None:
        for event in batch:
            if isinstance(event, ev.AgentChanged) and event.agent.health in CONNECTED:
                self._forget(event.agent.account_id)

    def _forget_temporary(self) -> None:
        self._forget(None)

    def _forget(self, account_id: AccountId | None) -> None:
        """Drop failures that may have passed, so that painters ask again.

        Args:
            account_id: Those of this account; None drops all but the offline ones.
        """
        for key, failure in tuple(self._failures.items()):
            is_of_time = failure.state is not PictureState.OFFLINE
            if failure.can_pass and (is_of_time if account_id is None else key[0][0] == account_id):
                del self._failures[key]
                if self._states.get(key[0]) is failure.state:
                    self._states[key[0]] = PictureState.WAITING
                for message_key in failure.waiting:
                    self.changed.emit(message_key)
