"""The labels of fields and repairs."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from chimein_gui.domain.agent_files.repairs import Repair, RepairKind
from chimein_gui.viewmodels.core.numbers import count_words
from chimein_gui.viewmodels.sources.findings import MOST_IN_LINE

translate = QCoreApplication.translate


def field_label(name: str) -> str:
    """Return the label of a field of an agent file; its heading if the form does not have it."""
    return {
        "Agent Name": translate("AgentForm", "Name"),
        "Agent Phone": translate("AgentForm", "Phone"),
        "Agent Timezone": translate("AgentForm", "Time zone"),
        "LLM": translate("AgentForm", "Model"),
        "Context": translate("AgentForm", "Context"),
        "Memory Scope": translate("AgentForm", "Memory scope"),
        "Approval": translate("AgentForm", "Approval"),
        "Pictures": translate("AgentForm", "Pictures"),
        "Role Prompt": translate("AgentForm", "Role prompts"),
        "Allowed Hosts": translate("AgentForm", "Allowed hosts"),
        "Denied Hosts": translate("AgentForm", "Denied hosts"),
        "Aliases": translate("AgentForm", "Aliases"),
        "Agent Sticker Sets": translate("AgentForm", "Sticker sets"),
        "Agent Stickers": translate("AgentForm", "Single stickers"),
        "Agent Instructions": translate("AgentForm", "Instructions"),
    }.get(name, name)


def too_long_words(line: int) -> str:
    """Return why a text with such a line is not shown."""
    words = translate("SourceEditor", "Line {n} is longer than {most} characters. Edit the file in another program.")
    return words.format(n=count_words(line), most=count_words(MOST_IN_LINE))


def repair_words(repair: Repair) -> str:
    """Return the label of the button that repairs a problem."""
    words = {
        RepairKind.USE: translate("Repairs", "Use {words}"),
        RepairKind.ADD_HEADING: translate("Repairs", "Add “{words}”"),
        RepairKind.RENAME_HEADING: translate("Repairs", "Write “# {words}”"),
        RepairKind.JOIN: translate("Repairs", "Join with the first one"),
        RepairKind.REMOVE_LINE: translate("Repairs", "Remove the line"),
        RepairKind.REMOVE_SECOND: translate("Repairs", "Remove the second one"),
        RepairKind.REMOVE_NUL: translate("Repairs", "Remove the NUL bytes"),
        RepairKind.CREATE_PROMPT: translate("Repairs", "Create the file"),
    }[repair.kind]
    return words.format(words=repair.words)
