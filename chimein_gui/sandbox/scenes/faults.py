"""Parses the faults of a scene, which are given by catalogue name or by their fields."""

from collections.abc import Mapping
from dataclasses import replace

from chimein_gui.sandbox.faults.checks import check
from chimein_gui.sandbox.faults.families import NEED_ACCOUNT
from chimein_gui.sandbox.scenes.fields import Fields
from chimein_gui.sandbox_api import FaultKind, FaultRule, SandboxRefusedError, SceneFault


def fault_rule(entry: Fields, catalogue: Mapping[str, FaultRule]) -> tuple[FaultRule, str]:
    """Parse the `fault` of a line.

    Returns:
        The rule without its account, and the account's short name, empty for none.

    Raises:
        SceneError: Unknown name or field, a missing account that the kind needs, or an invalid rule.
    """
    if isinstance(entry.raw("fault"), str):
        return _by_name(entry, entry.text("fault"), catalogue)
    parts = entry.mapping("fault")
    rule, account = _with_parts(parts, _base(parts, catalogue))
    parts.finish()
    return rule, account


def _by_name(entry: Fields, name: str, catalogue: Mapping[str, FaultRule]) -> tuple[FaultRule, str]:
    if name not in catalogue:
        raise entry.error("fault", SceneFault.NO_FAULT, name, ", ".join(sorted(catalogue)))
    return _checked(entry, catalogue[name], "")


def _base(parts: Fields, catalogue: Mapping[str, FaultRule]) -> FaultRule:
    if "like" in parts:
        name = parts.text("like")
        if name not in catalogue:
            raise parts.error("like", SceneFault.NO_FAULT, name, ", ".join(sorted(catalogue)))
        return catalogue[name]
    kind = parts.text("kind")
    if kind not in list(FaultKind):
        raise parts.error("kind", SceneFault.NONE_OF, "kind", kind, ", ".join(FaultKind))
    return FaultRule(FaultKind(kind))


def _with_parts(parts: Fields, rule: FaultRule) -> tuple[FaultRule, str]:
    changed = replace(
        rule,
        method=parts.text("method", rule.method),
        code=int(parts.number("code", rule.code, low=100, high=999)),
        message=parts.text("message", rule.message),
        seconds=parts.seconds("seconds", rule.seconds),
        times=int(parts.number("times", rule.times, low=0, high=1_000_000)),
        probability=parts.number("probability", rule.probability, low=0, high=1),
    )
    return _checked(parts, changed, parts.text("account", ""))


def _checked(where: Fields, rule: FaultRule, account: str) -> tuple[FaultRule, str]:
    """Refuse a rule that would otherwise be refused only while the scene plays."""
    if rule.kind in NEED_ACCOUNT and not account:
        raise where.error("fault", SceneFault.NEEDS_ACCOUNT, rule.kind)
    try:
        check(replace(rule, account_id=bool(account)))
    except SandboxRefusedError as error:
        raise where.error("fault", SceneFault.RULE, error.why, *error.said) from None
    return rule, account
