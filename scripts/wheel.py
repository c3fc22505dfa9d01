# SPDX-License-Identifier: Apache-2.0
"""Adds the loader, the service's units, policies and workloads to the wheel.

The loader is built for the machine, so the wheel is platform-specific. A checkout's own environment
(an editable install) uses the files of the checkout.
"""

from __future__ import annotations

import subprocess
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.config import BuilderConfig
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

# Below the prefix that the wheel is installed to; systemd looks there if that is /usr/local.
DATA = {"runtime/systemd": "lib/systemd/system", "policies": "share/gthulhu/policies"}
# In the lab's package, which finds them in a checkout elsewhere (gthulhu_lab.paths).
LAB = {
    "lab/workloads": "gthulhu_lab/workloads",
    "scripts/packages.toml": "gthulhu_lab/packages.toml",
}


class WheelHook(BuildHookInterface[BuilderConfig]):
    """Builds the loader, and adds it with all other files to the wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called before the wheel is built."""
        if version == "editable":
            return
        root = Path(self.root)
        subprocess.run(["make", "-s", "-C", str(root / "runtime")], check=True)
        build_data["shared_scripts"][str(root / "runtime/gthulhu-loader")] = "gthulhu-loader"
        for source, target in DATA.items():
            build_data["shared_data"][str(root / source)] = target
        for source, target in LAB.items():
            build_data["force_include"][str(root / source)] = target
        platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{platform}"
