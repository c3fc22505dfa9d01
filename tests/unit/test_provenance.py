# SPDX-License-Identifier: Apache-2.0
"""`gthulhu status` about the source files of the policy in force."""

from __future__ import annotations

import json
import shutil
import socket
import threading
from pathlib import Path

import pytest

from command import shell
from gthulhu import loader
from gthulhu.provenance import compare, describe, source_path

POLICY = 'include "lib/names.gpl"\npolicy shop {}\nrule a { match comm in tills priority high }\n'
LIBRARY = 'set tills = ["till", "scanner"]\n'


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("built")
    (folder / "lib").mkdir()
    (folder / "lib/names.gpl").write_text(LIBRARY)
    (folder / "shop.gpl").write_text(POLICY)
    result = shell("gthulhuc shop.gpl", folder)
    assert (result.returncode, result.stderr) == (0, "")
    return folder


@pytest.fixture
def folder(built: Path, tmp_path: Path) -> Path:
    """A policy, its object, and what a loader has kept of it."""
    shutil.copytree(built, tmp_path, dirs_exist_ok=True)
    (tmp_path / "run").mkdir()
    shutil.copy(tmp_path / "shop.bpf.o", tmp_path / "run" / "generation-4.bpf.o")
    return tmp_path


def rows(folder: Path, name: str) -> dict[str, str]:
    called = str(folder / name)
    return describe(compare(str(folder / "run"), 4, called), called)


@pytest.mark.parametrize("name", ["shop.gpl", "shop.bpf.o"])
def test_unchanged_files_are_reported(folder: Path, name: str) -> None:
    said = {"source": f"{folder}/shop.gpl, unchanged since it was compiled"}
    if name == "shop.bpf.o":
        said["object"] = f"{folder}/shop.bpf.o"
    assert rows(folder, name) == said


def test_a_source_that_changed(folder: Path) -> None:
    (folder / "shop.gpl").write_text(POLICY + "# more\n")
    assert rows(folder, "shop.gpl")["source"].endswith("shop.gpl, changed since it was compiled")
    compared = compare(str(folder / "run"), 4, str(folder / "shop.bpf.o"))
    assert compared
    assert compared["object"] == {
        "path": f"{folder}/shop.bpf.o", "state": "same", "sha256": compared["sha256"],
    }  # fmt: skip
    assert compared["source"]["state"] == "changed"
    assert compared["source"]["sha256"] != compared["sha256"]


@pytest.mark.parametrize("text", ['set tills = ["till"]\n', "set tills = [\n", None])
def test_a_library_that_changed(folder: Path, text: str | None) -> None:
    library = folder / "lib" / "names.gpl"
    library.unlink() if text is None else library.write_text(text)
    said = rows(folder, "shop.gpl")["source"]
    assert said.endswith("shop.gpl, changed since it was compiled: names.gpl")


def test_an_object_that_was_compiled_again(folder: Path) -> None:
    (folder / "shop.gpl").write_text(POLICY + "# more\n")
    assert shell("gthulhuc shop.gpl", folder).returncode == 0
    said = rows(folder, "shop.bpf.o")
    assert said["object"].endswith("shop.bpf.o, changed since it was loaded")
    compared = compare(str(folder / "run"), 4, str(folder / "shop.bpf.o"))
    assert compared
    assert compared["object"]["sha256"] == compared["source"]["sha256"]
    (folder / "shop.bpf.o").write_text("nothing")
    assert rows(folder, "shop.bpf.o")["object"].endswith("changed since it was loaded")


def test_deleted_files_are_reported(folder: Path) -> None:
    (folder / "shop.gpl").unlink()
    assert rows(folder, "shop.gpl") == {
        "source": f"{folder}/shop.gpl, removed since it was compiled"
    }
    # An object may have been compiled elsewhere.
    assert rows(folder, "shop.bpf.o") == {"object": f"{folder}/shop.bpf.o"}
    (folder / "shop.bpf.o").unlink()
    assert rows(folder, "shop.bpf.o") == {
        "object": f"{folder}/shop.bpf.o, removed since it was loaded"
    }


def test_incomparable_figures_are_refused(folder: Path) -> None:
    called = "standard input"
    compared = compare(str(folder / "run"), 4, called)
    assert compared
    assert set(compared) == {"sha256"}
    assert describe(compared, called) == {"object": called}
    assert compare(str(folder / "run"), 5, called) is None
    (folder / "run" / "generation-4.bpf.o").write_text("nothing")
    assert compare(str(folder / "run"), 4, called) is None
    assert describe(None, called) == {"object": called}


def test_a_source_is_searched_beside_the_running_object() -> None:
    for name in ("", "/", ".", ".."):
        assert source_path("/etc/gthulhu/shop.bpf.o", {"file": name}) is not None
    assert source_path("/run/x.bpf.o", {"file": "../../etc/shop.gpl"}) == Path("/run/shop.gpl")


def test_status_says_it(folder: Path) -> None:
    (folder / "shop.gpl").write_text(POLICY + "# more\n")
    answer = {
        "ok": True, "policy": "shop", "generation": 4, "pid": 12, "object": f"{folder}/shop.gpl",
        "source": "shop.gpl", "since": "2026-01-01T00:00:00Z", "kernel": "7.2", "in_force": True,
        "state": "enabled", "scheduler": "gthulhu_shop", "restarts": 0, "tunables": [],
        "promises": [], "fallbacks": 0, "conditions": [],
        "cpus": [{"rule": "net", "line": 3, "asked": 'irq "eth0*"', "cpus": "2,5"}],
        "calls": [
            {"function": "udp_rcv", "by": "fentry"},
            {"function": "gtp_dev_xmit", "by": "nothing", "why": "the kernel has none"},
        ],
    }  # fmt: skip

    def serve(listening: socket.socket) -> None:
        for _ in range(2):
            connection, _ = listening.accept()
            with connection:
                connection.recv(100)
                connection.sendall(json.dumps(answer).encode() + b"\n")

    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(folder / "run" / "control"))
        listening.listen()
        server = threading.Thread(target=serve, args=(listening,))
        server.start()
        shown = shell("gthulhu status --state run", folder).stdout
        as_json = json.loads(shell("gthulhu status --state run --json", folder).stdout)
        server.join()
    assert f"  source    {folder}/shop.gpl, changed since it was compiled\n" in shown
    assert shown.endswith(
        '  cpus      rule net: `irq "eth0*"` is CPU 2,5\n'
        "  calls     udp_rcv, traced by fentry\n"
        "  calls     gtp_dev_xmit, not traced: the kernel has none\n"
    )
    assert as_json["compared"]["source"]["state"] == "changed"


def test_a_link_is_what_was_run(tmp_path: Path) -> None:
    """An operator changes a link, such as `current.gpl`."""
    (tmp_path / "v1.gpl").write_text("policy shop {}\n")
    (tmp_path / "v2.gpl").write_text("policy shop { }\n")
    link = tmp_path / "current.gpl"
    link.symlink_to("v1.gpl")
    assert shell("gthulhuc current.gpl -o generation-4.bpf.o", tmp_path).returncode == 0
    called = loader.called(str(link))
    assert called == str(link)
    assert describe(compare(str(tmp_path), 4, called), called) == {
        "source": f"{link}, unchanged since it was compiled"
    }
    link.unlink()
    link.symlink_to("v2.gpl")
    said = describe(compare(str(tmp_path), 4, called), called)
    assert said == {"source": f"{link}, changed since it was compiled"}
