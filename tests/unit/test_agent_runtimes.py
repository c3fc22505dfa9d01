# SPDX-License-Identifier: Apache-2.0
"""Facts about containers that the agent reads in the files of their runtimes."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

import bolt_file
from agent_machine import A, B, C, Machine

CONTAINERD_BOLT = "io.containerd.metadata.v1.bolt/meta.db"
CONTAINERD_BUNDLES = "io.containerd.runtime.v2.task"


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    with closing(Machine(tmp_path)) as made:
        yield made


def meta_db(place: Path, namespace: bytes, labels: dict[str, dict[str, str]]) -> None:
    """containerd's data base, with what else it has of a container, and of other namespaces."""
    containers = {
        number.encode(): {
            b"createdat": b"\x01\x00", b"image": b"docker.io/library/busybox:latest",
            b"runtime": {b"name": b"io.containerd.runc.v2"}, b"spec": b"{}" * 500,
            **({b"labels": {k.encode(): v.encode() for k, v in of.items()}} if of else {}),
        }
        for number, of in labels.items()
    }  # fmt: skip
    place.parent.mkdir(parents=True, exist_ok=True)
    content = {b"version": b"\x04", b"moby": {}, namespace: {b"containers": containers}}
    place.write_bytes(bolt_file.make({b"v1": content}))


@pytest.mark.parametrize(
    ("state", "data"),
    [
        ("run/containerd", "var/lib/containerd"),
        ("run/k3s/containerd", "var/lib/rancher/k3s/agent/containerd"),
        ("run/k3s/containerd", "var/lib/rancher/rke2/agent/containerd"),
    ],
)
def test_containerd_of_a_kubelet(machine: Machine, state: str, data: str) -> None:
    cri = "io.kubernetes.cri."
    notes = {
        f"{cri}sandbox-name": "api-1", f"{cri}sandbox-namespace": "prod",
        f"{cri}container-name": "main", f"{cri}sandbox-id": B,
    }  # fmt: skip
    bundle = f"{state}/{CONTAINERD_BUNDLES}/k8s.io/{A}/config.json"
    machine.write(bundle, {"annotations": notes})
    labels = {A: {"io.kubernetes.container.name": "main", "x": "of image"}, B: {"app": "api"}}
    meta_db(machine.root / data / CONTAINERD_BOLT, b"k8s.io", labels)
    if data != "var/lib/containerd":  # which may be there, too
        meta_db(machine.root / "var/lib/containerd" / CONTAINERD_BOLT, b"k8s.io", {C: {}})
    machine.make(f"/kubepods/pod12/{A}")
    machine.start()
    assert machine.settle()[f"/kubepods/pod12/{A}"] == [
        "some", "namespace=prod", "pod=api-1", "container=main", "label:app=api",
        "label:io.kubernetes.container.name=main", "label:x=of image",
    ]  # fmt: skip


def test_containerd_of_nerdctl(machine: Machine) -> None:
    for number in (A, B):
        bundle = f"run/containerd/{CONTAINERD_BUNDLES}/default/{number}/config.json"
        machine.write(bundle, {"annotations": {}})
        machine.make(f"/system.slice/nerdctl-{number}.scope")
    labels = {A: {"nerdctl/name": "web", "tier": "front"}, B: {}}
    meta_db(machine.root / "var/lib/containerd" / CONTAINERD_BOLT, b"default", labels)
    machine.start()
    told = machine.settle()
    assert told[f"/system.slice/nerdctl-{A}.scope"] == [
        "all", "container=web", "label:nerdctl/name=web", "label:tier=front",
    ]  # fmt: skip
    assert told[f"/system.slice/nerdctl-{B}.scope"] == ["all"]


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000, '{"Config": ' * 100_000, '{"Name": "' + "x" * (4 << 20) + '"}', "no JSON",
        '{"Name": 7, "Config": []}',
    ],
    ids=["deep", "deeper", "large", "none", "other"],
)  # fmt: skip
def test_a_file_of_any_content_is_read(machine: Machine, text: str) -> None:
    place = machine.root / f"var/lib/docker/containers/{A}/config.v2.json"
    place.parent.mkdir(parents=True)
    place.write_text(text)
    scope = f"/system.slice/docker-{A}.scope"
    machine.make(scope)
    machine.start()
    is_object = text.endswith("[]}")
    assert machine.settle()[scope] == ["all" if is_object else "some"]


def test_crio(machine: Machine) -> None:
    folder = "var/lib/containers/storage/overlay-containers"
    note = "io.kubernetes."
    machine.write(f"{folder}/{A}/userdata/config.json", {"annotations": {
        f"{note}pod.name": "api-1", f"{note}pod.namespace": "prod", f"{note}container.name": "main",
        f"{note}cri-o.SandboxID": B, f"{note}cri-o.Labels": '{"x": "1"}',
    }})  # fmt: skip
    sandbox = {"annotations": {f"{note}cri-o.Labels": '{"app": "api"}'}}
    machine.write(f"{folder}/{B}/userdata/config.json", sandbox)
    machine.make(f"/kubepods/pod12/{A}")
    machine.start()
    assert machine.settle()[f"/kubepods/pod12/{A}"] == [
        "some", "namespace=prod", "pod=api-1", "container=main", "label:app=api", "label:x=1",
    ]  # fmt: skip


def test_podman(machine: Machine) -> None:
    path = machine.root / "var/lib/containers/storage/db.sql"
    path.parent.mkdir(parents=True)
    with sqlite3.connect(path) as data_base:
        data_base.execute("CREATE TABLE ContainerConfig (ID TEXT, Name TEXT, JSON TEXT)")
        config = json.dumps({"name": "job", "labels": {"batch": ""}})
        data_base.execute("INSERT INTO ContainerConfig VALUES (?, ?, ?)", (C, "job", config))
    data_base.close()
    machine.make(f"/machine.slice/libpod-{C}.scope/container")
    machine.make(f"/machine.slice/libpod-{A}.scope")
    machine.start()
    told = machine.settle()
    assert told[f"/machine.slice/libpod-{C}.scope"] == ["all", "container=job", "label:batch="]
    assert f"/machine.slice/libpod-{C}.scope/container" not in told
    assert told[f"/machine.slice/libpod-{A}.scope"] == ["some"]


def test_podman_before_5_0(machine: Machine) -> None:
    config = json.dumps({"name": "job", "labels": {"batch": ""}}).encode()
    path = machine.root / "var/lib/containers/storage/libpod/bolt_state.db"
    path.parent.mkdir(parents=True)
    path.write_bytes(bolt_file.make({b"ctr": {C.encode(): {b"config": config}}}))
    machine.make(f"/machine.slice/libpod-{C}.scope")
    machine.make(f"/machine.slice/libpod-{A}.scope")
    machine.start()
    told = machine.settle()
    assert told[f"/machine.slice/libpod-{C}.scope"] == ["all", "container=job", "label:batch="]
    assert told[f"/machine.slice/libpod-{A}.scope"] == ["some"]
