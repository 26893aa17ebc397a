"""The declarations of the tools for the model."""

from __future__ import annotations

from chimein_gui.domain.prompt.tool_calls import ParameterKind, ToolDeclaration, ToolParameter, ToolSubject

SMART_CONTEXT, MESSAGE, SEARCH = "get_smart_context", "get_message", "search_messages"
SEARCH_MEMORIES = "search_memories"

MOST_MEMORIES, USUAL_MEMORIES = 20, 5

MOST_MESSAGES = 50
"""Most messages that one call returns."""

USUAL_CONTEXT, USUAL_FOUND = 20, 10
USUAL_GAP_MIN = 60
LONGEST_GAP_MIN = 7 * 24 * 60

_TEXT, _NUMBER = ParameterKind.STRING, ParameterKind.INTEGER
_LIMIT = f"Most messages, 1 to {MOST_MESSAGES}"

TOOLS = (
    ToolDeclaration(
        SMART_CONTEXT,
        "Returns what was said in this chat around a message, before and after it, without a long pause: what the"
        " conversation shown to you leaves out.",
        (
            ToolParameter("anchor_id", _NUMBER, "message_id of the message; without it the one you respond to"),
            ToolParameter("max_gap_minutes", _NUMBER, f"A longer pause ends it; {USUAL_GAP_MIN} if left out"),
            ToolParameter("limit", _NUMBER, f"{_LIMIT}; {USUAL_CONTEXT} if left out"),
        ),
    ),
    ToolDeclaration(
        MESSAGE,
        "Returns one message of this chat, such as one that is replied to and not shown to you.",
        (ToolParameter("message_id", _NUMBER, "Which", is_required=True),),
    ),
    ToolDeclaration(
        SEARCH,
        "Searches all earlier messages of this chat for words, the best matches only. Use it when somebody refers to"
        " something that the conversation shown to you does not hold.",
        (
            ToolParameter("query", _TEXT, "A few telling words, in the language of the chat", is_required=True),
            ToolParameter("from_user", _TEXT, "Only of this sender: a name or an id"),
            ToolParameter(
                "before", _TEXT, "Only earlier than the end of this date, or than this time: 2026-11-20 14:30"
            ),
            ToolParameter("after", _TEXT, "Only since this date or time: 2026-11-20"),
            ToolParameter("limit", _NUMBER, f"{_LIMIT}; {USUAL_FOUND} if left out"),
        ),
    ),
    ToolDeclaration(
        SEARCH_MEMORIES,
        "Searches what is noted for this chat: your own memories, and your operator's notes. Use it when the memories"
        " shown to you do not hold what you need.",
        (
            ToolParameter("query", _TEXT, "What you want to know, in a few telling words", is_required=True),
            ToolParameter("limit", _NUMBER, f"Most entries, 1 to {MOST_MEMORIES}; {USUAL_MEMORIES} if left out"),
        ),
        ToolSubject.MEMORIES,
    ),
)
"""All tools. Those for messages are declared to the model if the chat has some that are not in the prompt, and the one
for memories if there are any."""
