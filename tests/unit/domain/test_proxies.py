"""Proxies as people write and paste them."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from chimein_gui.domain.accounts.proxies import Proxy, ProxyKind, as_url, parse_proxy
from chimein_gui.domain.errors import ConfigError
from chimein_gui.viewmodels.words.errors import error_words

HEX = "00112233445566778899aabbccddeeff"
MT, SOCKS, HTTP = ProxyKind.MTPROXY, ProxyKind.SOCKS5, ProxyKind.HTTP


@pytest.mark.parametrize(
    ("text", "proxy"),
    [
        ("socks5://proxy.example:1080", Proxy(SOCKS, "proxy.example", 1080)),
        (" SOCKS5://Proxy.Example:1080/ ", Proxy(SOCKS, "proxy.example", 1080)),
        ("socks5h://10.1.2.3:1", Proxy(SOCKS, "10.1.2.3", 1)),
        ("socks5://me:se%3Acr%40t@[2001:db8::1]:65535", Proxy(SOCKS, "2001:db8::1", 65535, "me", "se:cr@t")),
        ("socks5://m%C3%BCller:p%C3%A4ss@h:9", Proxy(SOCKS, "h", 9, "müller", "päss")),
        ("http://me@proxy.example:3128", Proxy(HTTP, "proxy.example", 3128, "me")),
        (f"tg://proxy?server=mt.example&port=443&secret={HEX}", Proxy(MT, "mt.example", 443, secret=HEX)),
        (f"tg://proxy?server=[::1]&port=443&secret=DD{HEX}", Proxy(MT, "::1", 443, secret=f"dd{HEX}")),
        (f"https://t.me/proxy?server=1.2.3.4&port=8443&secret=dd{HEX}", Proxy(MT, "1.2.3.4", 8443, secret=f"dd{HEX}")),
        ("tg://proxy?server=h&port=1&secret=ABEiM0RVZneImaq7zN3u_w", Proxy(MT, "h", 1, secret=HEX)),
        ("tg://proxy?server=h&port=1&secret=ABEiM0RVZneImaq7zN3u/w==", Proxy(MT, "h", 1, secret=HEX)),
        (f"mtproxy://mt.example:443?secret={HEX}", Proxy(MT, "mt.example", 443, secret=HEX)),
        (f"mtproxy://{HEX}@mt.example:443", Proxy(MT, "mt.example", 443, secret=HEX)),
        ("tg://socks?server=h.example&port=1080&user=a&pass=b", Proxy(SOCKS, "h.example", 1080, "a", "b")),
    ],
)
def test_what_people_paste(text: str, proxy: Proxy) -> None:
    assert parse_proxy(text) == proxy
    assert parse_proxy(as_url(proxy)) == proxy


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "This is not a proxy"),
        ("proxy.example:1080", "socks5://"),
        ("socks4://h:1", "SOCKS4 is not supported"),
        ("https://h:1", "TLS"),
        ("ftp://h:1", "This kind of proxy is not supported"),
        ("socks5://h", "port is missing"),
        ("socks5://h:0", "1 to 65535"),
        ("socks5://h:70000", "can't be read"),
        ("socks5://:1080", "host is missing"),
        ("socks5://h:1/path", "ends with its port"),
        ("socks5://:only@h:1", "without a username"),
        ("socks5://a b@h:1", "no spaces"),
        ("socks5://a%00b:c@h:1", "control characters"),
        ("socks5://a%ff:c@h:1", "%25"),
        ("socks5://" + "a" * 256 + "@h:1", "too long"),
        ("socks5://1.2.3.256:1", "Check its digits"),
        ("socks5://h\u202e.example:1", "no spaces or control"),
        ("socks5://ex\u00e4mple:1", "not a server name"),
        ("x" * 3000, "short"),
        (f"tg://proxy?port=443&secret={HEX}", "host is missing"),
        ("tg://proxy?server=h&port=443", "needs its secret"),
        ("tg://proxy?server=h&port=443&secret=0011", "wrong length"),
        (f"tg://proxy?server=h&port=443&secret=ee{HEX}676f6f676c652e636f6d", "fake TLS"),
        ("tg://proxy?server=h&port=443&secret=7gARIjNEVWZ3iJmqu8zd7v9nb29nbGUuY29t", "fake TLS"),
        ("tg://proxy?server=h&port=443&secret=***", "neither"),
        ("tg://resolve?domain=x", "This kind of proxy is not supported"),
    ],
)
def test_what_is_none(text: str, words: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse_proxy(text)
    assert words in error_words(caught.value)


def test_no_secret_is_repeated() -> None:
    for text in (
        "socks5://me:canarypass@h:0",
        "socks5://me:canarypass@h",
        "canarypass://h:1",
        "socks5://canarypass@-:1",
        "tg://proxy?server=h&port=443&secret=canarypass**",
        "http://me:canarypass@h:99999",
    ):
        with pytest.raises(ConfigError) as caught:
            parse_proxy(text)
        assert "canary" not in str(caught.value)
        assert caught.value.__cause__ is None
    proxy = parse_proxy("socks5://me:canarypass@h:1")
    assert "canary" not in repr(proxy) + proxy.shown() + str(proxy)
    assert "00112233" not in repr(parse_proxy(f"mtproxy://h:1?secret={HEX}"))


@given(st.text(max_size=80) | st.text(alphabet="sock5htp:/@[]%.?&=-019aé\u202e\x00 ", max_size=60))
@example("socks5://[")
@example("socks5://h:\uff11\uff10\uff18\uff10")
@example("tg://proxy?server=h&port=\u0664\u0664\u0663&secret=" + HEX)
@example("http://[::1%25eth0]:1")
def test_hostile_text_is_read_or_refused(text: str) -> None:
    try:
        proxy = parse_proxy(text)
    except ConfigError:
        return
    assert parse_proxy(as_url(proxy)) == proxy
