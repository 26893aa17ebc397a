"""Telegram's description of a sent log-in code."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from chimein_gui.adapters.telegram.login.failures import refusal
from chimein_gui.adapters.telegram.transport.tl import TLObject, types
from chimein_gui.domain.accounts.sign_in import CodeForm, CodeWay, SentCode
from chimein_gui.domain.notes.sign_ins import SignInReason

_WAYS: Mapping[type[Any], CodeWay] = {
    types.auth.SentCodeTypeApp: CodeWay.APP,
    types.auth.SentCodeTypeSms: CodeWay.SMS,
    types.auth.SentCodeTypeSmsPhrase: CodeWay.SMS,
    types.auth.SentCodeTypeSmsWord: CodeWay.SMS,
    types.auth.SentCodeTypeFirebaseSms: CodeWay.SMS,
    types.auth.SentCodeTypeCall: CodeWay.CALL,
    types.auth.SentCodeTypeFlashCall: CodeWay.FLASH_CALL,
    types.auth.SentCodeTypeMissedCall: CodeWay.FLASH_CALL,
    types.auth.SentCodeTypeEmailCode: CodeWay.EMAIL,
    types.auth.SentCodeTypeFragmentSms: CodeWay.FRAGMENT,
}
_FORMS: Mapping[type[Any], CodeForm] = {
    types.auth.SentCodeTypeSmsPhrase: CodeForm.PHRASE,
    types.auth.SentCodeTypeSmsWord: CodeForm.WORD,
}
_NEXT: Mapping[type[Any], CodeWay] = {
    types.auth.CodeTypeSms: CodeWay.SMS,
    types.auth.CodeTypeCall: CodeWay.CALL,
    types.auth.CodeTypeFlashCall: CodeWay.FLASH_CALL,
    types.auth.CodeTypeMissedCall: CodeWay.FLASH_CALL,
    types.auth.CodeTypeFragmentSms: CodeWay.FRAGMENT,
}
_DETAILS = ("email_pattern", "pattern", "prefix", "url", "beginning")


def sent_code_of(answer: TLObject) -> SentCode:
    """Translate auth.sentCode.

    Raises:
        SignInError: REFUSED: Telegram first requires something that Chimein can't do.
    """
    if not isinstance(answer, types.auth.SentCode):
        raise refusal(SignInReason.NO_CODE_FOR_NUMBER)
    if isinstance(answer.type, types.auth.SentCodeTypeSetUpEmailRequired):
        raise refusal(SignInReason.MAIL_FIRST)
    following = None if answer.next_type is None else _NEXT.get(type(answer.next_type), CodeWay.OTHER)
    return SentCode(
        way=_WAYS.get(type(answer.type), CodeWay.OTHER),
        length=int(getattr(answer.type, "length", 0) or 0),
        next_way=following,
        resend_after_s=float(answer.timeout or 0),
        detail=next((str(said) for name in _DETAILS if (said := getattr(answer.type, name, None))), ""),
        form=_FORMS.get(type(answer.type), CodeForm.SIGNS),
    )
