"""The Kubernetes manifests fit the published schemas, each other, the image, and what a cautious cluster admits."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from driftwatch.config.load import parse
from driftwatch.config.schema import DaemonConfig
from driftwatch.web.problems import ALIVE, READY

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "deploy" / "kubernetes"
SECRETS = "/run/secrets/driftwatch"
UID = 10001
PROBES = ("startupProbe", "livenessProbe", "readinessProbe")


def manifest(name: str) -> dict[str, Any]:
    return yaml.safe_load((FOLDER / name).read_text(encoding="utf-8"))


def manifests() -> dict[str, dict[str, Any]]:
    """Give what `kubectl apply -f` of the folder takes, by kind."""
    found = [manifest(path.name) for path in sorted(FOLDER.glob("*.yaml"))]
    return {one["kind"]: one for one in found}


@pytest.fixture(scope="module")
def pod() -> Mapping[str, Any]:
    return manifests()["Deployment"]["spec"]["template"]


@pytest.fixture(scope="module")
def container(pod: Mapping[str, Any]) -> Mapping[str, Any]:
    (one,) = pod["spec"]["containers"]
    return one


def instruction(name: str) -> Iterator[str]:
    lines = (ROOT / "Dockerfile").read_text(encoding="utf-8").splitlines()
    return (line.removeprefix(f"{name} ") for line in lines if line.startswith(f"{name} "))


@pytest.mark.parametrize("path", sorted(FOLDER.iterdir()), ids=lambda path: path.name)
def test_each_manifest_fits_the_published_schema(path: Path) -> None:
    validator = pytest.importorskip("kubernetes_validate", reason="kubernetes-validate is not installed")

    version = validator.validate(manifest(path.name), validator.latest_version(), strict=True)

    assert version


def test_applying_the_folder_makes_everything_but_the_secret() -> None:
    kinds = {"ConfigMap", "Deployment", "NetworkPolicy", "PersistentVolumeClaim", "PodDisruptionBudget", "Service"}

    assert manifests().keys() == kinds
    assert len(list(FOLDER.glob("*.yaml"))) == len(kinds)
    assert manifest("secret.yaml.example")["kind"] == "Secret"


def test_the_pod_is_one_that_the_strictest_standard_for_pods_admits(
    pod: Mapping[str, Any], container: Mapping[str, Any]
) -> None:
    whole, own = pod["spec"]["securityContext"], container["securityContext"]

    assert whole["runAsNonRoot"] is True
    assert whole["seccompProfile"] == {"type": "RuntimeDefault"}
    assert {str(one["securityContext"]) for one in pod["spec"]["initContainers"]} == {str(own)}
    assert own["allowPrivilegeEscalation"] is False
    assert own["capabilities"] == {"drop": ["ALL"]}
    assert not {"hostNetwork", "hostPID", "hostIPC"} & pod["spec"].keys()
    assert {kind for volume in pod["spec"]["volumes"] for kind in volume} - {"name"} <= {
        "configMap", "secret", "persistentVolumeClaim", "emptyDir",
    }  # fmt: skip


def test_the_pod_has_nothing_to_say_to_the_cluster_and_writes_only_to_its_volumes(
    pod: Mapping[str, Any], container: Mapping[str, Any]
) -> None:
    written = {mount["mountPath"] for mount in container["volumeMounts"] if not mount.get("readOnly")}

    assert pod["spec"]["automountServiceAccountToken"] is False
    assert container["securityContext"]["readOnlyRootFilesystem"] is True
    assert written == {"/tmp", "/var/lib/driftwatch"}


def test_the_pod_is_the_user_and_has_the_places_of_the_image(
    pod: Mapping[str, Any], container: Mapping[str, Any]
) -> None:
    (user,) = instruction("USER")
    context = pod["spec"]["securityContext"]
    places = {mount["mountPath"] for mount in container["volumeMounts"]}

    assert user == f"{UID}:{UID}"
    assert {context["runAsUser"], context["runAsGroup"], context["fsGroup"]} == {UID}
    assert {"/etc/driftwatch", "/var/lib/driftwatch", SECRETS} < places
    assert "command" not in container
    (version,) = (value.removeprefix("VERSION=") for value in instruction("ARG") if value.startswith("VERSION="))
    assert container["image"] == f"driftwatch:{version}"


def test_there_are_never_two_daemons_and_the_node_can_be_drained() -> None:
    deployment = manifests()["Deployment"]["spec"]

    assert deployment["replicas"] == 1
    assert deployment["strategy"] == {"type": "Recreate"}
    assert "minAvailable" not in manifests()["PodDisruptionBudget"]["spec"]
    assert manifests()["PodDisruptionBudget"]["spec"]["maxUnavailable"] == 1


def test_a_newer_image_brings_the_database_up_to_date_before_its_daemon_starts(
    pod: Mapping[str, Any], container: Mapping[str, Any]
) -> None:
    (upgrade,) = pod["spec"]["initContainers"]

    assert upgrade["args"] == ["db", "upgrade"]
    assert (upgrade["image"], upgrade["volumeMounts"]) == (container["image"], container["volumeMounts"])


def test_the_pod_is_given_longer_to_end_than_the_daemon_takes(pod: Mapping[str, Any]) -> None:
    assert pod["spec"]["terminationGracePeriodSeconds"] > DaemonConfig().grace + 10


def test_what_the_manifests_refer_to_is_there(pod: Mapping[str, Any], container: Mapping[str, Any]) -> None:
    known = manifests()
    volumes = {volume["name"]: volume for volume in pod["spec"]["volumes"]}
    labels = pod["metadata"]["labels"]

    assert {mount["name"] for mount in container["volumeMounts"]} == volumes.keys()
    assert volumes["config"]["configMap"]["name"] == known["ConfigMap"]["metadata"]["name"]
    assert volumes["data"]["persistentVolumeClaim"]["claimName"] == known["PersistentVolumeClaim"]["metadata"]["name"]
    assert volumes["secrets"]["secret"]["secretName"] == manifest("secret.yaml.example")["metadata"]["name"]
    for selector in (
        known["Deployment"]["spec"]["selector"]["matchLabels"],
        known["Service"]["spec"]["selector"],
        known["PodDisruptionBudget"]["spec"]["selector"]["matchLabels"],
        known["NetworkPolicy"]["spec"]["podSelector"]["matchLabels"],
    ):
        assert selector.items() <= labels.items()
    ports = {port["name"]: port["containerPort"] for port in container["ports"]}
    assert [ports[port["targetPort"]] for port in known["Service"]["spec"]["ports"]] == [8642]
    assert [port["port"] for rule in known["NetworkPolicy"]["spec"]["ingress"] for port in rule["ports"]] == [8642]


def test_the_example_configuration_is_one_that_driftwatch_takes(tmp_path: Path) -> None:
    text = manifests()["ConfigMap"]["data"]["driftwatch.toml"]
    for name, value in manifest("secret.yaml.example")["stringData"].items():
        (tmp_path / name).write_text(value.replace("REPLACE_ME", "c2lnbmluZy1rZXktdGhhdC1pcy1sb25nLWVub3VnaC0="))
    everything = text.replace("# bearer", "bearer").replace(SECRETS, str(tmp_path))

    settings = parse(everything, {}, base=tmp_path)

    assert [server.name for server in settings.servers] == ["docs"]
    assert [channel.name for channel in settings.channels] == ["team"]


@pytest.mark.parametrize(
    ("address", "within"),
    [
        ("93.184.215.14", True),
        ("2606:2800:21f:cb07:6820:80da:af6b:8b2c", True),
        ("169.254.169.254", False),
        ("fd00:ec2::254", False),
        ("10.96.0.1", False),
        ("172.20.1.1", False),
        ("192.168.1.1", False),
        ("100.64.0.1", False),
        ("127.0.0.1", False),
        ("::1", False),
        ("64:ff9b::a9fe:a9fe", False),
        ("fe80::1", False),
    ],
)
def test_the_network_policy_lets_it_reach_the_internet_alone(address: str, within: bool) -> None:
    rules = manifests()["NetworkPolicy"]["spec"]["egress"]
    blocks = [to["ipBlock"] for rule in rules for to in rule["to"] if "ipBlock" in to]
    asked = ipaddress.ip_address(address)

    reached = any(
        asked in ipaddress.ip_network(block["cidr"])
        and not any(asked in ipaddress.ip_network(out) for out in block["except"])
        for block in blocks
    )

    assert reached is within


def test_the_probes_ask_as_the_image_does(container: Mapping[str, Any]) -> None:
    probes = [container[name] for name in PROBES]

    assert [probe["exec"]["command"] for probe in probes] == [["driftwatch", "healthcheck"]] * 3
    assert all(probe["timeoutSeconds"] >= 10 for probe in probes)


def opened() -> dict[str, Any]:
    """Give what docs/container.md says to write into the deployment once somebody may come in."""
    text = (ROOT / "docs" / "container.md").read_text(encoding="utf-8")
    return yaml.safe_load(text.partition("```yaml\n")[2].partition("```")[0])


def test_on_loopback_the_kubelet_asks_nothing_of_the_daemon_and_beyond_it_the_health_endpoints(
    container: Mapping[str, Any],
) -> None:
    shown, (port,) = opened(), container["ports"]
    asked = [shown[name]["httpGet"] for name in PROBES]

    assert [one["value"] for one in container["env"]] == ["127.0.0.1:8642"]
    assert [one["name"] for one in shown["env"]] == [one["name"] for one in container["env"]]
    assert shown["env"][0]["value"] == f"0.0.0.0:{port['containerPort']}"
    assert [one["path"] for one in asked] == [READY, ALIVE, READY]
    assert {one["port"] for one in asked} == {port["name"]}
    # They answer within five seconds, whatever the daemon waits for.
    assert {shown[name]["timeoutSeconds"] for name in PROBES} == {6}


def test_the_deployment_with_the_pages_open_fits_the_published_schema() -> None:
    validator = pytest.importorskip("kubernetes_validate", reason="kubernetes-validate is not installed")
    deployment = manifest("deployment.yaml")
    deployment["spec"]["template"]["spec"]["containers"][0] |= opened()

    assert validator.validate(deployment, validator.latest_version(), strict=True)
