"""docs/behaviour.md, "Web pages": which addresses are refused, and by which rule."""

from ipaddress import IPv4Address, ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chimein_gui.domain.retrieval.addresses import WebAddress, read_address, read_redirect
from chimein_gui.domain.retrieval.host_lists import HostLists, read_host
from chimein_gui.domain.retrieval.ip_classes import refusal_of
from chimein_gui.domain.retrieval.refusals import RefusalRule
from tests.support.hostile_addresses import BY_NAME, BY_NUMBER, BY_TEXT


@pytest.mark.parametrize(("text", "rule"), BY_TEXT)
def test_an_address_is_refused_by_its_text(text, rule):
    assert read_address(text) is rule


@pytest.mark.parametrize(("text", "rule"), BY_NUMBER)
def test_an_address_is_refused_by_its_number(text, rule):
    address = read_address(text)
    assert isinstance(address, WebAddress)
    assert address.ip is not None
    assert refusal_of(address.ip) is rule


def test_there_are_enough_of_them():
    assert len({text for text, _rule in (*BY_TEXT, *BY_NUMBER, *BY_NAME)}) >= 120


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("http://lakeside-cafe.example", "http://lakeside-cafe.example/"),
        ("HTTP://Lakeside-Cafe.EXAMPLE:80/Menu#top", "http://lakeside-cafe.example/Menu"),
        ("https://lakeside-cafe.example.:443/?q=1#x", "https://lakeside-cafe.example/?q=1"),
        ("https://lakeside-cafe.example:8443/a b".replace(" ", "%20"), "https://lakeside-cafe.example:8443/a%20b"),
        ("http://bücher.example/größe?ä=1", "http://xn--bcher-kva.example/gr%C3%B6%C3%9Fe?%C3%A4=1"),
        ("http://93.184.216.34/", "http://93.184.216.34/"),
        ("http://[2606:2800:220:1::1]/", "http://[2606:2800:220:1::1]/"),
        (" http://lakeside-cafe.example/a@b ", "http://lakeside-cafe.example/a@b"),
    ],
)
def test_an_address_is_written_in_one_way(text, url):
    address = read_address(text)
    assert isinstance(address, WebAddress)
    assert address.url == url
    assert read_address(url) == address
    assert address.ip is None or refusal_of(address.ip) is None


@pytest.mark.parametrize("text", ["8.8.8.8", "93.184.216.34", "203.0.113.7", "2606:2800:220:1::1", "2a01:4f8::1"])
def test_public_numbers_are_not_refused(text):
    assert refusal_of(ip_address(text)) is None


def test_a_redirect_is_read_from_where_it_stands_and_never_leaves_https():
    plain, secure = read_address("http://trap.example/a/b"), read_address("https://trap.example/a/b")
    assert isinstance(plain, WebAddress)
    assert isinstance(secure, WebAddress)
    assert read_redirect(plain, "../c") == read_address("http://trap.example/c")
    assert read_redirect(plain, "//forum.example/x") == read_address("http://forum.example/x")
    assert read_redirect(plain, "https://forum.example/") == read_address("https://forum.example/")
    assert read_redirect(secure, "/c") == read_address("https://trap.example/c")
    assert read_redirect(secure, "http://trap.example/c") is RefusalRule.TO_HTTP
    assert read_redirect(secure, "http://127.0.0.1/") is RefusalRule.TO_HTTP
    assert read_redirect(plain, "") is RefusalRule.UNREADABLE
    assert read_redirect(plain, "//lakeside-cafe.example@router.example/") is RefusalRule.USER_INFO
    assert read_redirect(plain, "http://[::1") is RefusalRule.UNREADABLE


@pytest.mark.parametrize(("text", "rule"), [one for one in BY_TEXT if one[1] is not RefusalRule.UNREADABLE])
def test_a_redirect_is_refused_like_an_address_that_was_asked_for(text, rule):
    source = read_address("http://trap.example/a")
    assert isinstance(source, WebAddress)
    assert read_redirect(source, text) in {rule, RefusalRule.UNREADABLE}


@given(st.text(max_size=60))
def test_reading_never_raises_and_what_is_read_reads_the_same_again(text):
    for given_text in (text, f"http://{text}", f"https://{text}.example/{text}"):
        address = read_address(given_text)
        if isinstance(address, WebAddress):
            assert address.url.isascii()
            assert read_address(address.url) == address


@given(st.integers(0, 2**32 - 1))
def test_a_number_inside_ipv6_is_refused_whatever_it_is(number):
    four = IPv4Address(number)
    for text in (f"::ffff:{four}", f"64:ff9b::{four}", f"2002:{number >> 16:x}:{number & 0xFFFF:x}::1"):
        assert refusal_of(ip_address(text)) is not None


def test_a_denied_host_is_refused_also_where_it_is_allowed():
    lists = HostLists(allowed=("example", "forum.test"), denied=("trap.example",))
    said = {
        url: lists.refusal_of(address)
        for url in ("http://lakeside-cafe.example/", "http://a.trap.example/", "http://forum.test/", "http://b.test/")
        if isinstance(address := read_address(url), WebAddress)
    }
    assert list(said.values()) == [None, RefusalRule.DENIED, None, RefusalRule.NOT_ALLOWED]
    address = read_address("http://notrap.example.org/")
    assert isinstance(address, WebAddress)
    assert HostLists(denied=("trap.example.org",)).refusal_of(address) is None


@pytest.mark.parametrize(
    ("line", "host"),
    [
        ("Example.org", "example.org"),
        ("*.example.org", "example.org"),
        ("bücher.example", "xn--bcher-kva.example"),
        ("93.184.216.34", "93.184.216.34"),
        ("https://example.org", None),
        ("example.org/path", None),
        ("example.org:8080", None),
        ("", None),
        ("*", None),
        ("two words.example", None),
    ],
)
def test_a_line_of_a_list_names_a_host(line, host):
    assert read_host(line) == host
