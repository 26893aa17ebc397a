"""What is announced of planned sends that arrive: each once, several in one sentence, and a muted chat's never."""

from __future__ import annotations

import pytest

from chimein_gui.domain.ids import ChatId
from chimein_gui.domain.tasks import TaskStatus
from chimein_gui.viewmodels.notifications.spoken import GATHER_MS, REST_MS, SpokenNews
from tests.fakes.engine_api import approval


@pytest.fixture
def news(room):
    room.api.approvals[approval(90).approval_id] = approval(90, chat_id=ChatId(9))
    made = SpokenNews(room.models.approvals, room.models.clock, room.models, room.models.chats.marks.muted)
    room.attach()
    return made


@pytest.fixture
def heard(news):
    told = list[str]()
    news.said.connect(lambda words: told.append(words.replace("\u2068", "").replace("\u2069", "")))
    return told


def test_a_draft_that_arrives_is_said_once(room, news, heard):
    news.say()
    assert heard == [], "what waited at the start is no news"
    room.put_approval(approval(1))
    assert news.gathers()
    news.say()
    assert heard == ["Nora Vale: a message to Marta Oliveira waits. It opened again on 2 November."]
    room.put_approval(approval(1, version=2))
    assert not news.gathers()
    news.say()
    assert len(heard) == 1


def test_several_at_once_are_one_sentence_and_the_next_one_waits_for_its_end(room, news, heard):
    for number in (1, 2, 3):
        room.put_approval(approval(number, chat_id=ChatId(number)))
    news.say()
    [words] = heard
    assert words.startswith("3 drafts wait in 3 chats. ")
    room.put_approval(approval(4, chat_id=ChatId(4)))
    assert GATHER_MS < news.gathers() <= REST_MS
    news.say()
    assert heard[1].startswith("Nora Vale: a message to "), "the three are not counted again"


def test_what_is_decided_meanwhile_and_what_is_muted_is_not_said(room, news, heard):
    room.put_approval(approval(1))
    room.put_approval(approval(1, task_status=TaskStatus.DONE))
    room.models.chats.marks.toggle_muted(ChatId(2))
    room.put_approval(approval(2, chat_id=ChatId(2)))
    news.say()
    assert heard == []
