"""The language of the window: the chosen one, else the system's, else English. It is set before the window is made."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from PySide6.QtCore import QLocale, QTranslator

from chimein_gui.resource_files import resource_path

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from chimein_gui.ui.shell.docking.layout_memory import LayoutMemory

LANGUAGES = ("en", "de")
VARIABLE = "CHIMEIN_LANGUAGE"

_NAME = "chimein language"
"""Object name of our translators, and name of the application property with the current language."""


def remembered_language(memory: LayoutMemory) -> str:
    """Return the chosen language, or ``system``."""
    chosen = memory.text_of("language")
    return chosen if chosen in LANGUAGES else "system"


def language_of(choice: str) -> str:
    """Return the language for a choice; an environment variable overrides it."""
    wanted = os.environ.get(VARIABLE) or choice
    if wanted in LANGUAGES:
        return wanted
    ours = QLocale.system().name().partition("_")[0]
    return ours if ours in LANGUAGES else "en"


def speak(application: QApplication, choice: str) -> None:
    """Install the translations of a language, and format numbers and dates accordingly.

    English is always loaded, for its plural forms and for texts that another language lacks.
    """
    language = language_of(choice)
    if application.property(_NAME) == language:
        return
    application.setProperty(_NAME, language)
    for old in application.findChildren(QTranslator, _NAME):
        application.removeTranslator(old)
        old.deleteLater()
    QLocale.setDefault(_locale(language))
    folder = str(resource_path("translations"))
    wanted = [("chimein_en", folder)]
    if language != "en":
        from PySide6.QtCore import QLibraryInfo

        qt = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
        wanted += [(f"qtbase_{language}", qt), (f"chimein_{language}", folder)]
    for name, where in wanted:
        translator = QTranslator(application)
        translator.setObjectName(_NAME)
        if translator.load(name, where):
            application.installTranslator(translator)


def _locale(language: str) -> QLocale:
    system = QLocale.system()
    return system if system.name().startswith(language) else QLocale(language)
