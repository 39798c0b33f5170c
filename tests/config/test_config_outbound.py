"""What an address is, however it is written, and which ones a configured host may lead to."""

from pathlib import Path

import pytest

from driftwatch.config.load import parse
from driftwatch.config.outbound import ANY, EITHER, Sort, may_lead_to, sort_of
from driftwatch.config.words import InvalidConfigError


@pytest.mark.parametrize(
    ("sort", "texts"),
    [
        (Sort.PUBLIC, "1.1.1.1 8.8.8.8 2606:4700::1111 ::ffff:8.8.8.8 64:ff9b::8.8.8.8 2002:808:808::1"),
        (Sort.PRIVATE, "10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 100.64.0.1 198.18.0.1 192.0.2.1 fc00::1"),
        (Sort.PRIVATE, "::ffff:10.0.0.1 64:ff9b::a00:1 64:ff9b:1::808:808 2002:a00:1:: fec0::1 2001:db8::1"),
        (Sort.LOOPBACK, "127.0.0.1 127.255.0.9 ::1 ::ffff:127.0.0.1 ::127.0.0.1 ::ffff:0:127.0.0.1 64:ff9b::7f00:1"),
        (Sort.LOOPBACK, "2002:7f00:1:: 2001:0:808:808:8000:63bf:80ff:fffe 2a00::5efe:127.0.0.1 2a00::200:5efe:7f00:1"),
        (Sort.LINK_LOCAL, "169.254.1.1 fe80::1 fe80::1%eth0 ::ffff:169.254.1.1 fe80::5efe:8.8.8.8"),
        (Sort.METADATA, "169.254.169.254 fd00:ec2::254 169.254.170.2 100.100.100.200 168.63.129.16 fd20:ce::254"),
        (Sort.METADATA, "::ffff:169.254.169.254 64:ff9b::a9fe:a9fe 2002:a9fe:a9fe:: ::169.254.169.254"),
        (Sort.UNUSABLE, "0.0.0.0 0.1.2.3 :: ::ffff:0.0.0.0 224.0.0.1 255.255.255.255 240.0.0.1 ff02::1 64:ff9b::"),
        (Sort.UNUSABLE, "2130706433 0177.0.0.1 0x7f.1 127.1 1.2.3 example.com"),
    ],
)
def test_an_address_is_the_worst_of_what_it_is_and_what_it_holds(sort: Sort, texts: str) -> None:
    assert {text: sort_of(text) for text in texts.split()} == dict.fromkeys(texts.split(), sort)


@pytest.mark.parametrize(
    ("hosts", "sorts"),
    [
        ("example.com mcp.example.com. xn--80ak6aa92e.com svc.attacker.example.com", EITHER),
        ("localhost tool.localhost LOCALHOST.", {Sort.LOOPBACK}),
        ("mcp mcp.lan mcp.internal mcp.default.svc.cluster.local nas.home.arpa", ANY - {Sort.LINK_LOCAL}),
        ("10.1.2.3 fc00::1", {Sort.PRIVATE}),
        ("127.0.0.1 ::1 ::ffff:127.0.0.1", {Sort.LOOPBACK}),
        ("8.8.8.8", {Sort.PUBLIC}),
        ("169.254.169.254 fd00:ec2::254 0.0.0.0 :: 224.0.0.1", set()),
    ],
)
def test_a_host_may_lead_to_what_it_is_and_a_plain_name_to_one_of_two(hosts: str, sorts: set[Sort]) -> None:
    assert {host: may_lead_to(host, "auto") for host in hosts.split()} == dict.fromkeys(hosts.split(), sorts)


def test_an_entry_can_say_what_its_host_may_lead_to_but_never_a_clouds_metadata() -> None:
    for host in ("example.com", "localhost", "10.0.0.1"):
        assert may_lead_to(host, "public") == {Sort.PUBLIC}
        assert may_lead_to(host, "any") == ANY
    assert not ANY & {Sort.METADATA, Sort.UNUSABLE}


@pytest.mark.parametrize(
    ("host", "message"),
    [
        ("2130706433", "a number, which some programs read as an address"),
        ("0x7f000001", "a number, which some programs read as an address"),
        ("0177.0.0.1", "a number, which some programs read as an address"),
        ("127.1", "a number, which some programs read as an address"),
        ("169.254.169.254", "where a cloud hands out credentials"),
        ("[fd00:ec2::254]", "where a cloud hands out credentials"),
        ("[::ffff:169.254.169.254]", "where a cloud hands out credentials"),
        ("0.0.0.0", "no address of one machine"),
        ("[::]", "no address of one machine"),
    ],
)
def test_a_host_that_no_server_can_have_is_a_problem_of_the_configuration(host: str, message: str) -> None:
    with pytest.raises(InvalidConfigError) as caught:
        parse(f'[servers.git]\nurl = "http://{host}/mcp"\n', {}, base=Path("/x"))

    (found,) = caught.value.problems
    assert (found.path, message in found.message) == ("servers.git.url", True)


def test_a_host_with_a_zone_is_refused() -> None:
    with pytest.raises(InvalidConfigError):
        parse('[servers.git]\nurl = "http://[fe80::1%25eth0]/mcp"\n', {}, base=Path("/x"))
