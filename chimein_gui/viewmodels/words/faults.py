"""Faults of the program, the disk, the database or the secrets, in words."""

from __future__ import annotations

from PySide6.QtCore import QT_TRANSLATE_NOOP

from chimein_gui.domain.notes.faults import FaultReason
from chimein_gui.domain.notes.reasons import AnyReason

FAULTS: dict[AnyReason, object] = {
    FaultReason.SYSTEM: QT_TRANSLATE_NOOP("Reasons", "{words}."),
    FaultReason.STEP_UNFINISHED: QT_TRANSLATE_NOOP("Reasons", "A step could not be finished. {why}"),
    FaultReason.TRIED_IN_A_MOMENT: QT_TRANSLATE_NOOP("Reasons", "Retrying in 5 s."),
    FaultReason.MEMORY_UNWRITTEN: QT_TRANSLATE_NOOP("Reasons", "A memory could not be written. {why}"),
    FaultReason.PERSON_BEING_SENT: QT_TRANSLATE_NOOP(
        "Reasons",
        "Something is being sent in “{words}”, or its outcome is not known yet. Try again when it is clear.",
    ),
    FaultReason.NO_PERSON_FILES: QT_TRANSLATE_NOOP("Reasons", "This run can't write or remove files."),
    FaultReason.FORGETTING_STOPPED: QT_TRANSLATE_NOOP("Reasons", "Forgetting a person is not complete. {why}"),
    FaultReason.FORGETTING_WAITS: QT_TRANSLATE_NOOP(
        "Reasons", "The chats stay held. It continues at the next start, or when you choose Forget again."
    ),
    FaultReason.MEMORY_UNREADABLE: QT_TRANSLATE_NOOP("Reasons", "The memory file {words} can't be read. {why}"),
    FaultReason.MEMORY_IS_LEFT_OUT: QT_TRANSLATE_NOOP(
        "Reasons", "Plans are made without it until it can be read again. Messages are not affected."
    ),
    FaultReason.RECALL_FAILED: QT_TRANSLATE_NOOP("Reasons", "Memories could not be searched. {why}"),
    FaultReason.RECALL_LATE: QT_TRANSLATE_NOOP("Reasons", "Nothing was found within %n s; indexing continues."),
    FaultReason.RECALL_IS_LEFT_OUT: QT_TRANSLATE_NOOP(
        "Reasons", "Prompts hold the memories, but none are chosen for the messages. Retrying with every plan."
    ),
    FaultReason.MEMORY_IS_KEPT: QT_TRANSLATE_NOOP(
        "Reasons",
        "It is kept, and tried again with the next memory and at the next start. Messages are not affected.",
    ),
    FaultReason.OUTCOME_UNSTORED: QT_TRANSLATE_NOOP("Reasons", "The outcome of a send could not be stored. {why}"),
    FaultReason.OUTCOME_IS_KEPT: QT_TRANSLATE_NOOP(
        "Reasons",
        "Free some disk space. Retrying every 2 s; nothing is sent twice.",
    ),
    FaultReason.AGENT_FILES_UNTAKEN: QT_TRANSLATE_NOOP("Reasons", "Changes of agent files could not be applied. {why}"),
    FaultReason.AGENTS_GO_ON: QT_TRANSLATE_NOOP(
        "Reasons",
        "All agents continue unchanged. Retrying until it works.",
    ),
    FaultReason.MESSAGES_IN_MEMORY: QT_TRANSLATE_NOOP(
        "Reasons",
        "New messages wait in memory and are stored as soon as it works again; nothing is sent meanwhile.",
    ),
    FaultReason.REPORT_UNSTORED: QT_TRANSLATE_NOOP(
        "Reasons",
        "An update from Telegram could not be stored ({words}).",
    ),
    FaultReason.LOOKED_FOR_LATER: QT_TRANSLATE_NOOP(
        "Reasons",
        "It is fetched the next time the account connects; everything else is stored. See the log.",
    ),
    FaultReason.CONNECTION_STOPPED: QT_TRANSLATE_NOOP(
        "Reasons",
        "The connection of {words} stopped after an unexpected error ({more}).",
    ),
    FaultReason.AGENT_WATCH_STOPPED: QT_TRANSLATE_NOOP(
        "Reasons",
        "Watching the agent files stopped after an unexpected error ({more}).",
    ),
    FaultReason.SCHEDULER_STOPPED: QT_TRANSLATE_NOOP(
        "Reasons",
        "The scheduler stopped after an unexpected error ({more}).",
    ),
    FaultReason.CLEANING_STOPPED: QT_TRANSLATE_NOOP(
        "Reasons",
        "Removing old records stopped after an unexpected error ({more}).",
    ),
    FaultReason.EMBEDDING_STOPPED: QT_TRANSLATE_NOOP(
        "Reasons", "The search of memories by meaning stopped after an unexpected error ({more})."
    ),
    FaultReason.FOUND_BY_WORDS: QT_TRANSLATE_NOOP(
        "Reasons", "They are found by their words; messages are not affected. It restarts automatically. See the log."
    ),
    FaultReason.PROMPTS_STOPPED: QT_TRANSLATE_NOOP(
        "Reasons",
        "Storing the prompts that were sent stopped after an unexpected error ({more}).",
    ),
    FaultReason.EXTRACTION_STOPPED: QT_TRANSLATE_NOOP(
        "Reasons",
        "Reading conversations for memories stopped after an unexpected error ({more}).",
    ),
    FaultReason.NOTHING_PROPOSED: QT_TRANSLATE_NOOP(
        "Reasons",
        "No memories are proposed; messages are not affected. It restarts automatically. See the log.",
    ),
    FaultReason.PROMPTS_WAIT: QT_TRANSLATE_NOOP(
        "Reasons",
        "They wait in memory; messages are not affected. It restarts automatically. See the log.",
    ),
    FaultReason.STORING_STOPPED: QT_TRANSLATE_NOOP(
        "Reasons",
        "Storing new messages stopped after an unexpected error ({more}).",
    ),
    FaultReason.CONTEXT_WATCH_STOPPED: QT_TRANSLATE_NOOP(
        "Reasons",
        "Checking drafts against newer messages stopped after an unexpected error ({more}).",
    ),
    FaultReason.WAKING_STOPPED: QT_TRANSLATE_NOOP(
        "Reasons",
        "Scheduling for an account stopped after an unexpected error ({more}).",
    ),
    FaultReason.APPROVED_WAITS: QT_TRANSLATE_NOOP(
        "Reasons",
        "Approved messages wait. It restarts automatically. See the log.",
    ),
    FaultReason.FILES_LATER: QT_TRANSLATE_NOOP(
        "Reasons",
        "All agents continue unchanged; changes to their files are applied later. It restarts"
        " automatically. See the log.",
    ),
    FaultReason.NOTHING_PLANNED: QT_TRANSLATE_NOOP(
        "Reasons",
        "Nothing is planned or sent until it runs again. It restarts automatically. See the log.",
    ),
    FaultReason.DATABASE_GROWS: QT_TRANSLATE_NOOP(
        "Reasons",
        "The database grows until it runs again; messages are not affected. It restarts automatically. See the log.",
    ),
    FaultReason.MESSAGES_WAIT: QT_TRANSLATE_NOOP(
        "Reasons",
        "New messages wait in memory. It restarts automatically. See the log.",
    ),
    FaultReason.DRAFTS_UNCHECKED: QT_TRANSLATE_NOOP(
        "Reasons",
        "Drafts in groups may not show that the conversation changed. It restarts automatically. See the log.",
    ),
    FaultReason.JOB_FAILED: QT_TRANSLATE_NOOP("Reasons", "Unexpected error in the background: {words} ({more})."),
    FaultReason.REST_GOES_ON: QT_TRANSLATE_NOOP("Reasons", "Everything else continues. See the log."),
    FaultReason.OTHER_ACCOUNT: QT_TRANSLATE_NOOP("Reasons", "{words} is logged in with another account. {why}"),
    FaultReason.DRAFTS_DROPPED: QT_TRANSLATE_NOOP("Reasons", "%n draft(s) of the old account will not be sent. {why}"),
    FaultReason.ARRIVAL_UNCHECKABLE: QT_TRANSLATE_NOOP(
        "Reasons",
        "Whether %n message(s) of the old account arrived can't be checked any more.",
    ),
    FaultReason.CHATS_BEGIN_ANEW: QT_TRANSLATE_NOOP(
        "Reasons",
        "Its chats start over. What the old account wrote and received stays stored.",
    ),
    FaultReason.MESSAGE_UNREADABLE: QT_TRANSLATE_NOOP(
        "Reasons",
        "Telegram sent a message that this version of Chimein can't read.",
    ),
    FaultReason.UPDATE_UNREADABLE: QT_TRANSLATE_NOOP(
        "Reasons",
        "Telegram sent something that this version of Chimein can't read. The chats were checked again instead.",
    ),
    FaultReason.OTHERS_TAKEN_IN: QT_TRANSLATE_NOOP(
        "Reasons",
        "Everything else arrived. Look for it in Telegram; a newer version may show it here.",
    ),
    FaultReason.SECRETS_UNREADABLE: QT_TRANSLATE_NOOP("Reasons", "The keychain or the file of secrets can't be read."),
    FaultReason.SECRETS_MISSING: QT_TRANSLATE_NOOP(
        "Reasons",
        "Without the model's key nothing is planned, and accounts with a proxy do not connect."
        " Unlock the keychain or fix the file, or enter the secrets again in Preferences.",
    ),
    FaultReason.ONLY_API_ID: QT_TRANSLATE_NOOP("Reasons", "Telegram’s API ID is known, but not its API hash."),
    FaultReason.ONLY_API_HASH: QT_TRANSLATE_NOOP("Reasons", "Telegram’s API hash is known, but not its API ID."),
    FaultReason.ONLY_API_ID_SET: QT_TRANSLATE_NOOP(
        "Reasons",
        "Telegram’s API ID is known from the environment, but not its API hash.",
    ),
    FaultReason.ONLY_API_HASH_SET: QT_TRANSLATE_NOOP(
        "Reasons",
        "Telegram’s API hash is known from the environment, but not its API ID.",
    ),
    FaultReason.BOTH_NEEDED: QT_TRANSLATE_NOOP(
        "Reasons",
        "Both are needed to log in and to connect. Set both environment variables,"
        " CHIMEIN_TELEGRAM_API_ID and CHIMEIN_TELEGRAM_API_HASH, or enter both in Preferences.",
    ),
    FaultReason.WEIGHTS_UNUSABLE: QT_TRANSLATE_NOOP(
        "Reasons",
        "The file of weights for the choice of context is missing or damaged.",
    ),
    FaultReason.TIME_GAPS: QT_TRANSLATE_NOOP(
        "Reasons",
        "In groups, agents see only the newest messages up to a pause of an hour. Reinstall Chimein to fix this.",
    ),
    FaultReason.FILE_NOT_KEPT_FULL: QT_TRANSLATE_NOOP("Reasons", "The disk is full: a file could not be saved."),
    FaultReason.FILE_NOT_KEPT: QT_TRANSLATE_NOOP("Reasons", "A file could not be saved: {words}."),
    FaultReason.DESCRIPTIONS_NOT_KEPT: QT_TRANSLATE_NOOP(
        "Reasons",
        "New descriptions of media are kept only until Chimein closes, and would be paid for again. Free some space on"
        " the disk, and check that its folder is writable.",
    ),
    FaultReason.PICTURES_WAIT: QT_TRANSLATE_NOOP(
        "Reasons",
        "Pictures and other files can't be shown until there is space again. Messages are not affected.",
    ),
    FaultReason.NOT_WRITTEN: QT_TRANSLATE_NOOP("Reasons", "The database could not be written ({words}). {why}"),
    FaultReason.FREE_SPACE: QT_TRANSLATE_NOOP("Reasons", "Free some space on its disk, then try again."),
    FaultReason.LOOK_AT_DISK: QT_TRANSLATE_NOOP(
        "Reasons",
        "Check whether the disk is full, failing or missing, then try again.",
    ),
    FaultReason.MAKE_WRITABLE: QT_TRANSLATE_NOOP("Reasons", "Make the file and its folder writable, then try again."),
    FaultReason.MAKE_FOLDER_WRITABLE: QT_TRANSLATE_NOOP("Reasons", "Make its folder writable, then try again."),
    FaultReason.CLOSE_THE_OTHER: QT_TRANSLATE_NOOP(
        "Reasons",
        "Another program has it locked. Close that program, then try again.",
    ),
    FaultReason.RESTORE_BACKUP: QT_TRANSLATE_NOOP("Reasons", "The file is damaged; restore it from a backup."),
    FaultReason.FREE_MEMORY: QT_TRANSLATE_NOOP("Reasons", "Close other programs, then try again."),
    FaultReason.NOTHING_KEPT: QT_TRANSLATE_NOOP("Reasons", "Nothing of this step was saved."),
    FaultReason.NOT_CREATED: QT_TRANSLATE_NOOP(
        "Reasons",
        "The database {words} could not be written ({more}). Nothing was changed. Make the file"
        " and its folder writable, or choose another data folder.",
    ),
    FaultReason.NOT_READABLE: QT_TRANSLATE_NOOP(
        "Reasons",
        "The database {words} cannot be read: {more}. The file was left as it is. Put a backup in its"
        " place, or move it away together with its -wal file to begin with an empty one.",
    ),
    FaultReason.LOG_WITHOUT_FILE: QT_TRANSLATE_NOOP(
        "Reasons",
        "The database {words} cannot be read: it is empty, but its -wal file is not. The file was left"
        " as it is. Put a backup in its place, or move it away together with its -wal file to begin"
        " with an empty one.",
    ),
    FaultReason.NO_DATABASE: QT_TRANSLATE_NOOP(
        "Reasons",
        "The database {words} cannot be read: it is not a SQLite file. The file was left as it is. Put"
        " a backup in its place, or move it away together with its -wal file to begin with an empty one.",
    ),
    FaultReason.OTHER_PROGRAMS: QT_TRANSLATE_NOOP(
        "Reasons",
        "The database {words} cannot be read: it belongs to another program. The file was left as"
        " it is. Choose another data folder.",
    ),
    FaultReason.TOO_NEW: QT_TRANSLATE_NOOP(
        "Reasons",
        "The database {words} was written by a newer Chimein: its format is {n}, this version"
        " knows up to {more}. The file was left as it is. Start the newer version again, put back a"
        " backup, or choose another data folder.",
    ),
    FaultReason.PATH_FAILED: QT_TRANSLATE_NOOP("Reasons", "{words}: {why}"),
    FaultReason.READ_FAILED: QT_TRANSLATE_NOOP("Reasons", "The database could not be read ({words})."),
    FaultReason.READ_TRIED_TO_WRITE: QT_TRANSLATE_NOOP("Reasons", "A read of the database tried to write."),
    FaultReason.STATEMENT_REFUSED: QT_TRANSLATE_NOOP("Reasons", "The database refused a statement ({words})."),
    FaultReason.DATABASE_CLOSED: QT_TRANSLATE_NOOP("Reasons", "The database is closed."),
    FaultReason.ENDED_ON_ITS_OWN: QT_TRANSLATE_NOOP(
        "Reasons", "The database ended a transaction on its own. Try again."
    ),
    FaultReason.ENVIRONMENT_FIRST: QT_TRANSLATE_NOOP(
        "Reasons",
        "The environment variable {words} takes precedence: change it there, or remove it and start Chimein again.",
    ),
    FaultReason.SECRET_STILL_KEPT: QT_TRANSLATE_NOOP("Reasons", "It is still kept, because {words} can't be written."),
    FaultReason.SECRET_EMPTY: QT_TRANSLATE_NOOP("Reasons", "This is empty. To delete a secret, remove it."),
    FaultReason.SECRET_ODD: QT_TRANSLATE_NOOP(
        "Reasons",
        "It has spaces or characters that don't belong in it. Copy it again.",
    ),
    FaultReason.API_ID_FORM: QT_TRANSLATE_NOOP(
        "Reasons",
        "The API ID is a number, such as 1234567; my.telegram.org shows it.",
    ),
    FaultReason.API_HASH_FORM: QT_TRANSLATE_NOOP(
        "Reasons",
        "The API hash has 32 characters, digits and the letters a to f; my.telegram.org shows it.",
    ),
    FaultReason.DIAGNOSTICS_FULL: QT_TRANSLATE_NOOP(
        "Reasons",
        "The diagnostics were not saved: the disk is full. Free some space, or choose another place.",
    ),
    FaultReason.DIAGNOSTICS_UNSAVED: QT_TRANSLATE_NOOP(
        "Reasons",
        "The diagnostics were not saved: {words}. Choose another place.",
    ),
    FaultReason.NO_DIAGNOSTICS: QT_TRANSLATE_NOOP("Reasons", "Diagnostics can't be saved here."),
    FaultReason.NOT_STARTED: QT_TRANSLATE_NOOP(
        "Reasons",
        "Nothing was started, and nothing is sent. Close the window, fix it, and start again.",
    ),
    FaultReason.ALREADY_RUNNING: QT_TRANSLATE_NOOP(
        "Reasons", "Chimein is already running with the data folder {words}."
    ),
    FaultReason.RUNNING_AS: QT_TRANSLATE_NOOP(
        "Reasons", "Chimein is already running with the data folder {words} (process {n})."
    ),
    FaultReason.RUNNING_ELSEWHERE: QT_TRANSLATE_NOOP(
        "Reasons",
        "Chimein is already running with this data folder on another computer ({more}, process"
        " {n}). If it is not, remove {words} and start again.",
    ),
    FaultReason.STATE_UNUSABLE: QT_TRANSLATE_NOOP(
        "Reasons",
        "The data folder {words} can't be used: {more}. Fix this, or set CHIMEIN_STATE_DIR to another folder.",
    ),
    FaultReason.STATE_UNWRITABLE: QT_TRANSLATE_NOOP(
        "Reasons",
        "Nothing can be written in the data folder {words}: {more}. Free some disk space, or make it writable.",
    ),
    FaultReason.STATE_OF_ANOTHER: QT_TRANSLATE_NOOP(
        "Reasons",
        "The data folder {words} belongs to another user. Set CHIMEIN_STATE_DIR to a folder of your own.",
    ),
    FaultReason.STATE_SHARED: QT_TRANSLATE_NOOP(
        "Reasons",
        "Others can write in the data folder {words}. Make it private (chmod 700), or set"
        " CHIMEIN_STATE_DIR to another folder.",
    ),
    FaultReason.STATE_TAKEN: QT_TRANSLATE_NOOP(
        "Reasons",
        "{words} has other files in it, and Chimein needs a folder of its own. Set CHIMEIN_STATE_DIR to another one.",
    ),
    FaultReason.STATE_ODD_FILE: QT_TRANSLATE_NOOP(
        "Reasons", "{words} is a pipe, a socket or a device, not a file. Remove it and start again."
    ),
    FaultReason.STATE_OF_LIVE: QT_TRANSLATE_NOOP(
        "Reasons",
        "{words} belongs to the live program, and the sandbox never uses that data. Set"
        " CHIMEIN_STATE_DIR to another folder.",
    ),
    FaultReason.STATE_OF_SANDBOX: QT_TRANSLATE_NOOP(
        "Reasons",
        "{words} belongs to the sandbox, and the live program never uses that data. Set"
        " CHIMEIN_STATE_DIR to another folder.",
    ),
    FaultReason.STATE_OF_FIRST_RUN: QT_TRANSLATE_NOOP(
        "Reasons", "{words} belongs to a tour. Set CHIMEIN_STATE_DIR to another folder."
    ),
    FaultReason.STAMP_UNUSABLE: QT_TRANSLATE_NOOP(
        "Reasons", "{words} can't be used: {more}. Fix this, or set CHIMEIN_STATE_DIR to another folder."
    ),
    FaultReason.STAMP_FOREIGN: QT_TRANSLATE_NOOP(
        "Reasons", "Chimein did not write {words}. Remove it, or set CHIMEIN_STATE_DIR to another folder."
    ),
}
"""Marked for translation here and translated when they are shown."""
