# SPDX-FileCopyrightText: The gthulhuc authors
# SPDX-License-Identifier: Apache-2.0
"""Pages of results, each one self-contained file."""

from __future__ import annotations

from jinja2 import Environment, PackageLoader, StrictUndefined


def page(template: str, **values: object) -> str:
    """A page; the same values give the same bytes."""
    environment = Environment(
        loader=PackageLoader("gthulhu_lab", ""),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
    )
    return environment.get_template(template).render(values)
