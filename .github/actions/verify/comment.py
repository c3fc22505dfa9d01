# SPDX-License-Identifier: Apache-2.0
"""comment.py FILE: writes FILE as a comment of the pull request, and replaces the previous one.

The environment names the pull request: GITHUB_API_URL, GITHUB_REPOSITORY, GITHUB_TOKEN, and the
number PULL_REQUEST. The first line of FILE is a mark, by which the script finds its comment.
"""

from __future__ import annotations

import json
import os
import sys
import urllib.request
from pathlib import Path
from typing import Any

_LONGEST = 65_000  # GitHub accepts 65,536 characters
_PAGE = 100


def ask(method: str, path: str, body: dict[str, str] | None = None) -> Any:
    """Sends one request to GitHub's API, and returns the answer as JSON.

    Raises:
        OSError: GitHub cannot be reached, or refuses the request.
    """
    url = f"{os.environ['GITHUB_API_URL']}/repos/{os.environ['GITHUB_REPOSITORY']}/{path}"
    headers = {
        "Authorization": f"Bearer {os.environ['GITHUB_TOKEN']}",
        "Accept": "application/vnd.github+json",
    }
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, headers, method=method)
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)


def earlier(issue: str, mark: str) -> int | None:
    """Returns the number of the comment that starts with the mark, or None."""
    page = 1
    while comments := ask("GET", f"issues/{issue}/comments?per_page={_PAGE}&page={page}"):
        for comment in comments:
            if comment["body"].startswith(mark):
                return int(comment["id"])
        page += 1
    return None


def main() -> None:
    """Writes the comment, or changes the earlier one."""
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
