"""docs/behaviour.md, "Web pages": what hosts ask of programs."""

import time

import pytest

from chimein_gui.domain.retrieval.robots import NO_ONE, read_robots

TEXT = """
User-agent: *
Disallow: /private  # not for programs
Allow: /private/open
Disallow: /*.pdf$
Disallow: /a*b*c
Crawl-delay: 3

User-agent: SomeBot
User-agent: Chimein
Disallow: /cakes
"""


@pytest.mark.parametrize(
    ("target", "allows"),
    [
        ("/", True),
        ("/private", False),
        ("/private/x", False),
        ("/private/open/x", True),
        ("/menu.pdf", False),
        ("/menu.pdf?x", True),
        ("/a1b2c3", False),
        ("/a1c2b3", True),
        ("/%70rivate", False),
    ],
)
def test_the_longest_rule_that_fits_decides(target, allows):
    assert read_robots(TEXT, "Another").allows(target) is allows


def test_a_group_with_our_name_counts_before_that_for_all():
    rules = read_robots(TEXT, "Chimein")
    assert not rules.allows("/cakes/plum")
    assert rules.allows("/private")
    assert (rules.delay_s, read_robots(TEXT, "Another").delay_s) == (0.0, 3.0)


@pytest.mark.parametrize("text", ["", "nonsense", "Disallow: /", "User-agent: *\nDisallow:", "\x00" * 100, "<html>"])
def test_without_rules_everything_is_allowed(text):
    assert read_robots(text, "Chimein").allows("/x")


def test_of_a_host_in_trouble_nothing_is_read():
    assert not NO_ONE.allows("/")


def test_hostile_rules_take_no_time():
    text = "User-agent: *\n" + "Disallow: /" + "*a" * 200_000 + "\n" + "Disallow: /*a*a*a*a*a*a*a*a*b\n" * 5_000
    began = time.process_time()
    read_robots(text, "Chimein").allows("/" + "a" * 2_000)
    assert time.process_time() - began < 5.0
