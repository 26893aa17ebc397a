"""Proxies as they are typed, and as they go down."""

from __future__ import annotations

import pytest

from chimein_gui.domain.accounts.proxies import ProxyKind
from chimein_gui.viewmodels.accounts.proxies import ProxyForm, link_problem, problems_of

SECRET = "dd" + "0123456789abcdef" * 2


@pytest.mark.parametrize(
    ("form", "url"),
    [
        (ProxyForm(ProxyKind.SOCKS5, "proxy.example", "1080"), "socks5://proxy.example:1080"),
        (ProxyForm(ProxyKind.SOCKS5, " 2001:db8::1 ", "1080"), "socks5://[2001:db8::1]:1080"),
        (ProxyForm(ProxyKind.HTTP, "proxy.example", "8080", "iris", "a:b@c/d"), "http://iris:a%3Ab%40c%2Fd@proxy.example:8080"),
        (
            ProxyForm(ProxyKind.MTPROXY, "proxy.example", "443", secret=SECRET),
            f"tg://proxy?server=proxy.example&port=443&secret={SECRET}",
        ),
    ],
)  # fmt: skip
def test_a_form_becomes_a_url(qapp, form, url):
    assert problems_of(form) == {}
    assert form.url() == url


@pytest.mark.parametrize(
    ("form", "field", "words"),
    [
        (ProxyForm(ProxyKind.SOCKS5, "", "1080"), "host", "Where is the proxy?"),
        (ProxyForm(ProxyKind.SOCKS5, "a b", "1080"), "host", "no spaces"),
        (ProxyForm(ProxyKind.SOCKS5, "socks5://a:1", "1080"), "host", "full link"),
        (ProxyForm(ProxyKind.HTTP, "a.example", "0"), "port", "1 to 65535"),
        (ProxyForm(ProxyKind.HTTP, "a.example", "70000"), "port", "1 to 65535"),
        (ProxyForm(ProxyKind.HTTP, "a.example", "1", password="x"), "username", "username"),
        (ProxyForm(ProxyKind.MTPROXY, "a.example", "1", secret="ee" + "0" * 40), "secret", "fake TLS"),
        (ProxyForm(ProxyKind.MTPROXY, "a.example", "1", secret="12"), "secret", "32 hexadecimal"),
    ],
)
def test_what_is_wrong_stands_at_its_field(qapp, form, field, words):
    problems = problems_of(form)
    assert list(problems) == [field]
    assert words in problems[field]


def test_a_form_keeps_its_secrets_to_itself():
    said = repr(ProxyForm(ProxyKind.HTTP, "a.example", "1", "iris", "geheim", SECRET))
    assert "geheim" not in said
    assert SECRET not in said


@pytest.mark.parametrize(
    ("link", "words"),
    [
        ("socks5://proxy.example:1080", ""),
        (f"tg://proxy?server=a.example&port=443&secret={SECRET}", ""),
        ("", "Paste a link"),
        ("proxy.example 1080", "no spaces"),
        ("tg://proxy?server=a.example&port=443&secret=ee00", "fake TLS"),
    ],
)
def test_a_link_is_looked_at_before_it_is_tried(qapp, link, words):
    assert words in link_problem(link)
    assert bool(link_problem(link)) is bool(words)
