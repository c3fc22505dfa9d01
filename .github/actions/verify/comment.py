# SPDX-License-Identifier: Apache-2.0
"""comment.py FILE: writes FILE as a comment of the pull request, in place of the one before.

What is asked of GitHub comes from its environment: GITHUB_API_URL, GITHUB_REPOSITORY, GITHUB_TOKEN,
and the number PULL_REQUEST. The first line of FILE is a mark that such a comment is found by.
"""

from __future__ import annotations

import json
import os
import sys
import urllib.request
from pathlib import Path
from typing import Any

_LONGEST = 65_000  # GitHub takes 65,536 characters
_PAGE = 100


def ask(method: str, path: str, body: dict[str, str] | None = None) -> Any:
    """One request to GitHub's API; raises OSError where that says no."""
    url = f"{os.environ['GITHUB_API_URL']}/repos/{os.environ['GITHUB_REPOSITORY']}/{path}"
    headers = {
        "Authorization": f"Bearer {os.environ['GITHUB_TOKEN']}",
        "Accept": "application/vnd.github+json",
    }
    data = None if body is None else json.dumps(body).encode()
    # The address is GitHub's own, from its environment.
    request = urllib.request.Request(url, data, headers, method=method)  # noqa: S310
    with urllib.request.urlopen(request, timeout=60) as answer:  # noqa: S310
        return json.load(answer)


def earlier(issue: str, mark: str) -> int | None:
    """The number of the comment with the mark."""
    page = 1
    while comments := ask("GET", f"issues/{issue}/comments?per_page={_PAGE}&page={page}"):
        for comment in comments:
            if comment["body"].startswith(mark):
                return int(comment["id"])
        page += 1
    return None


def main() -> None:
    """Write or change the comment."""
    text = Path(sys.argv[1]).read_text()
    mark = text.partition("\n")[0]
    if len(text) > _LONGEST:
        text = text[:_LONGEST] + "\n```\n… the artifact has all of it\n"
    issue = os.environ["PULL_REQUEST"]
    number = earlier(issue, mark)
    if number is None:
        ask("POST", f"issues/{issue}/comments", {"body": text})
    else:
        ask("PATCH", f"issues/comments/{number}", {"body": text})


if __name__ == "__main__":
    main()
