"""Which stored agent belongs to which file."""

from chimein_gui.domain.accounts.agent_changes import compare
from chimein_gui.domain.agents import Agent, AgentSpec
from chimein_gui.domain.ids import AccountId, AgentId


def spec(name: str, number: int, source: str = "") -> AgentSpec:
    return AgentSpec(name, f"+99966210{number:02}", "Be kind.", (), (), source=source or f"{name}.md")


def row(agent_id: int, name: str, number: int, account: int | None = 1, source: str = "") -> Agent:
    return Agent(AgentId(agent_id), spec(name, number, source), None if account is None else AccountId(account), 0)


def pairs(stored: list[Agent], *specs: AgentSpec, broken: frozenset[str] = frozenset()) -> dict[int, str]:
    return {one.before.agent_id: one.spec.name for one in compare(stored, specs, broken).kept}


NORA, OTTO = row(1, "Nora", 1), row(2, "Otto", 2)


def test_a_file_is_the_agent_of_its_name_whatever_else_has_changed() -> None:
    changes = compare([NORA, OTTO], [spec("nora", 7), spec("Otto", 2)])
    assert [(one.before.agent_id, one.spec.phone) for one in changes.kept] == [(2, "+9996621002"), (1, "+9996621007")]
    assert [one.is_renamed for one in changes.kept] == [False, True]
    assert (changes.added, changes.gone, changes.swapped) == ((), (), ())


def test_a_new_file_with_the_number_of_a_vanished_one_is_a_rename() -> None:
    changes = compare([NORA, OTTO], [spec("Mona", 1), spec("Otto", 2)])
    assert [(one.before.agent_id, one.spec.name, one.is_renamed) for one in changes.kept] == [
        (2, "Otto", False),
        (1, "Mona", True),
    ]
    assert (changes.added, changes.gone) == ((), ())


def test_a_number_goes_nowhere_while_the_file_of_its_agent_is_only_broken() -> None:
    changes = compare([NORA], [spec("Mona", 1)], frozenset({"Nora.md"}))
    assert ([one.name for one in changes.added], changes.gone) == (["Mona"], (NORA,))


def test_who_takes_the_number_of_a_vanished_agent_stays_who_he_is() -> None:
    changes = compare([NORA, OTTO], [spec("Otto", 1)])
    assert [(one.before.agent_id, one.is_renamed) for one in changes.kept] == [(2, False)]
    assert changes.gone == (NORA,)


def test_a_name_and_a_number_of_two_who_have_accounts_are_no_agent_at_all() -> None:
    nora, otto = row(1, "Nora", 1, account=1), row(2, "Otto", 2, account=2)
    renamed, moved = spec("Otto", 1, "Nora.md"), spec("Otto", 1, "Otto.md")
    for stored, files, vanished in (
        ([nora, otto], [renamed], frozenset[AgentId]()),
        ([nora, otto], [moved], frozenset({AgentId(2)})),
        ([nora, otto], [renamed, spec("Nora", 3, "Nora2.md")], frozenset[AgentId]()),
    ):
        changes = compare(stored, files, frozenset(), vanished)
        assert [(one.before.agent_id, one.spec.name) for one in changes.mixed] == [(1, "Otto")]
        assert (changes.kept, changes.added, changes.gone) == ((), tuple(files[1:]), (otto,))
    without = [row(1, "Nora", 1, account=None), otto]
    assert pairs(without, renamed) == {2: "Otto"}


def test_of_several_vanished_agents_with_a_number_one_that_was_logged_in_is_renamed() -> None:
    old, newest = row(1, "Ann", 1), row(3, "Cho", 1, account=None)
    assert pairs([old, row(2, "Bea", 1), newest], spec("Dora", 1)) == {2: "Dora"}
    assert pairs([row(1, "Ann", 1, account=None), newest], spec("Dora", 1)) == {3: "Dora"}


def test_names_that_are_passed_on_follow_the_numbers_and_wait_for_each_other() -> None:
    changes = compare([NORA, OTTO, row(3, "Rim", 3)], [spec("Otto", 1), spec("Rim", 2), spec("Sora", 3)])
    assert [(one.before.agent_id, one.spec.name) for one in changes.kept] == [(3, "Sora"), (2, "Rim"), (1, "Otto")]
    assert (changes.added, changes.gone, changes.swapped) == ((), (), ())


def test_names_that_are_exchanged_are_refused_for_nobody_can_be_the_first() -> None:
    changes = compare([NORA, OTTO], [spec("Otto", 1), spec("Nora", 2)])
    assert [(one.before.agent_id, one.spec.name) for one in changes.swapped] == [(1, "Otto"), (2, "Nora")]
    assert (changes.kept, changes.added, changes.gone) == ((), (), ())


def test_nobody_is_lost_or_counted_twice_whatever_the_files_say() -> None:
    names, numbers = ("Ann", "Bea", "Cho"), (1, 2, 3)
    stored = [row(place + 1, name, number) for place, (name, number) in enumerate(zip(names, numbers, strict=True))]
    for first in range(4):
        for second in range(4):
            for third in range(4):
                phones = [first, second, third]
                specs = [spec(name, phone) for name, phone in zip(names, phones, strict=True) if phone]
                if len({one.phone for one in specs}) < len(specs):
                    continue
                changes = compare(stored, specs)
                placed = [one.before.agent_id for one in (*changes.kept, *changes.swapped)]
                assert sorted([*placed, *(one.agent_id for one in changes.gone)]) == [1, 2, 3]
                said = [one.spec.name for one in (*changes.kept, *changes.swapped)]
                assert sorted([*said, *(one.name for one in changes.added)]) == sorted(one.name for one in specs)
