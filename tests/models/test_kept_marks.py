"""Which drafts have a kept text beside them."""

from chimein_gui.domain.approvals import SavedEdit
from chimein_gui.domain.ids import ApprovalId, ChatId, ShelfId
from chimein_gui.domain.tasks import TaskStatus
from tests.fakes.console import BIG, NOON, approval


def kept(beside):
    return SavedEdit(ShelfId(1), ChatId(1), "Yes.", "Yes, it opened at noon.", 0, ApprovalId(beside), NOON)


def test_a_shelf_is_read_once_when_its_draft_is_painted_first(room):
    room.console.shelf.edits = (kept(BIG + 1),)
    room.attach()
    marks, told = room.models.saved_edit_marks, []
    marks.changed.connect(lambda: told.append(1))
    assert not marks.has(approval(1))
    room.settle()
    assert told == [1]
    assert marks.has(approval(1))
    assert not marks.has(approval(2))
    assert not marks.has(approval(1, task_status=TaskStatus.SENDING))
    room.settle()
    assert told == [1]


def test_news_of_the_shelf_count_more_than_what_is_still_being_read(room):
    jobs = []
    room.attach()
    marks = room.models.saved_edit_marks
    marks.attach(room.console, lambda job, name: jobs.append(job))
    room.console.shelf.edits = (kept(BIG + 1),)
    assert not marks.has(approval(1))
    room.console.shelf.put()  # used meanwhile
    room.console.shelf.put(kept(BIG + 2))
    room.settle()
    assert marks.has(approval(2))
    for job in jobs:
        job.close()
