# SPDX-License-Identifier: Apache-2.0
"""`gthulhu serve`: the node's API, its keys and tokens, and its broker."""

from __future__ import annotations

import argparse
import re
from typing import TYPE_CHECKING

from gthulhu import service
from gthulhu.options import add_state, address
from gthulhuc.cli import frame
from gthulhuc.cli.commands import add_command

if TYPE_CHECKING:
    from gthulhuc.cli.commands import Commands

KEYS = "/etc/gthulhu/serve"
BROKER = "/run/gthulhu-broker"
STORE = "/var/lib/gthulhu-serve"
_HERE = "127.0.0.1:8082"
_PACKAGES = (
    "fastapi",
    "fastapi_offline",
    "starlette",
    "uvicorn",
    "jwt",
    "cryptography",
    "httptools",
)

_EPILOG = f"""\
Serves /api/v2, the API of this project, /api/v1, that of Gthulhu's decision maker, /docs, and a
page for people. Needs no privilege: a broker, which runs as root, passes its requests to the
loader, and policies compile in processes without rights. Every request but those for /health,
/version and the description needs a token. docs/serve.md has the routes and what a token may do.

examples:
  gthulhu serve keys keys                        makes keys in the folder keys
  gthulhu serve token --keys keys --role operate ops@example
  sudo gthulhu serve broker --user api           passes requests of the user api to the loader
  gthulhu serve --keys keys --store policies     http://{_HERE}
  gthulhu serve --keys keys --listen 0.0.0.0:8443 --tls-cert c.pem --tls-key k.pem

exit status: 0 done, 2 usage, an address or a file that cannot be used, or
missing Python packages; 128 and the signal's number
"""
_KEYS = """\
Makes an Ed25519 key that signs tokens. With --rotate, another key signs from now on; tokens of the
one before count until its file in DIR/trusted is removed.

examples:
  gthulhu serve keys /etc/gthulhu/serve
  gthulhu serve keys --rotate /etc/gthulhu/serve
"""
_MINT = """\
Prints a token. Anyone who has it may use the API with its role until it expires: `read` sees all,
`operate` also changes what is in force.

examples:
  gthulhu serve token --role read grafana@example --for 30d
  gthulhu serve token --role operate ops@example --for 1h
  gthulhu serve token --role operate --enrolment operator@example --for 90d >public_key.pem
                                      the file that Gthulhu's clients send to get tokens for a day
"""
_REVOKE = """\
examples:
  gthulhu serve revoke ops@example              all tokens of this name, for good
  gthulhu serve revoke 1f2e3d4c5b6a7988         one token, by its number (jti)
"""
_BROKER = f"""\
Passes a fixed set of requests to the loader: status, stats, tasks, set, label, rollback, and swap
with an object that a compiler of the broker has made, in a sandbox and without rights. It records
traces of at most 30 s. Only the named user, and root, may ask; the kernel says who asks. Needs
root.

examples:
  sudo gthulhu serve broker --user gthulhu-serve
  sudo gthulhu serve broker --user 990 --folder {BROKER}
"""


def add(commands: Commands) -> None:
    """Adds the command and its subcommands."""
    parser = add_command(
        commands,
        "serve",
        _serve,
        help="serve the node's API",
        description="Serve the node's API over HTTP: the policy in force, and changes of it.",
        epilog=_EPILOG,
    )
    _add_server(parser)
    parts = parser.add_subparsers(dest="part", metavar="PART")
    keys = add_command(
        parts, "keys", _keys, help="make keys", epilog=_KEYS,
        description="Make the keys that sign tokens.",
    )  # fmt: skip
    keys.add_argument("folder", metavar="DIR", help="where they go")
    keys.add_argument("--rotate", action="store_true", help="make another key, which signs then")
    token = add_command(
        parts, "token", _token, help="make a token", epilog=_MINT,
        description="Make a token for a client.",
    )  # fmt: skip
    _add_keys(token)
    token.add_argument("name", metavar="NAME", help="who it is for, in the audit log")
    token.add_argument("--role", choices=("read", "operate"), required=True, help="what it allows")
    token.add_argument(
        "--for", dest="lifetime", metavar="TIME", type=_time, default=3600,
        help="how long it counts: `90s`, `10m`, `1h` or `30d` (default: 1h)",
    )  # fmt: skip
    token.add_argument(
        "--enrolment",
        action="store_true",
        help="a token that only gets others, from auth/token, in a file for Gthulhu's clients",
    )
    revoke = add_command(
        parts, "revoke", _revoke, help="revoke tokens", epilog=_REVOKE,
        description="Revoke tokens, from the next request on.",
    )  # fmt: skip
    _add_keys(revoke)
    revoke.add_argument("name", metavar="NAME", help="a token's name or number")
    broker = add_command(
        parts, "broker", _broker, help="pass requests to the loader, as root", epilog=_BROKER,
        description="Pass the server's requests to the loader.",
    )  # fmt: skip
    broker.add_argument("--user", metavar="NAME", required=True, help="the user of the server")
    broker.add_argument(
        "--compiler", metavar="NAME", default="nobody",
        help="the user of the compilers, not that of the server (default: %(default)s)",
    )  # fmt: skip
    broker.add_argument(
        "--folder", metavar="FOLDER", default=BROKER, help="its folder (default: %(default)s)"
    )
    add_state(broker)


def _add_server(parser: argparse.ArgumentParser) -> None:
    _add_keys(parser)
    parser.add_argument(
        "--listen", metavar="ADDRESS:PORT", action="append", type=address,
        help="an address; with TLS only, unless it is loopback. May be repeated (default: "
        f"{_HERE}, unless there is a --socket)",
    )  # fmt: skip
    parser.add_argument("--socket", metavar="PATH", help="also serve a UNIX socket")
    parser.add_argument(
        "--broker", metavar="FOLDER", default=BROKER,
        help="the broker's folder (default: %(default)s)",
    )  # fmt: skip
    parser.add_argument(
        "--store", metavar="FOLDER", default=STORE,
        help="where the texts of policies go (default: %(default)s)",
    )  # fmt: skip
    parser.add_argument("--audit", metavar="FILE", help="the audit log (default: standard error)")
    parser.add_argument(
        "--session", metavar="TIME", type=_time, default=86400,
        help="how long a token from auth/token counts at most (default: 1d)",
    )  # fmt: skip
    parser.add_argument(
        "--cgroups",
        choices=("off", "auto"),
        default="off",
        help="whether weights and limits of cgroups count beside Gthulhu's strategies; under "
        "Gthulhu they do not, and without them a policy compiles twice as fast (default: off)",
    )
    parser.add_argument("--tls-cert", metavar="FILE", help="the server's certificates, as PEM")
    parser.add_argument("--tls-key", metavar="FILE", help="their private key")
    parser.add_argument(
        "--client-ca", metavar="FILE", help="require certificates of clients by this authority"
    )
    parser.add_argument(
        "--client-role", metavar="NAME=ROLE", action="append", type=_client_role, default=[],
        help="a certificate with this common name needs no token, and has the role `read` or "
        "`operate`. May be repeated",
    )  # fmt: skip


def _add_keys(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--keys", metavar="DIR", default=KEYS, help="the folder of keys (default: %(default)s)"
    )


def _client_role(text: str) -> tuple[str, str]:
    name, _, role = text.rpartition("=")
    if name and role in {"read", "operate"}:
        return name, role
    raise argparse.ArgumentTypeError(f"expected NAME=read or NAME=operate, found `{text}`")


def _time(text: str) -> int:
    """A time in seconds."""
    found = re.fullmatch(r"([0-9]{1,6})(s|m|h|d)", text)
    if found and int(found[1]):
        return int(found[1]) * {"s": 1, "m": 60, "h": 3600, "d": 86400}[found[2]]
    raise argparse.ArgumentTypeError(f"expected a time such as `1h` or `30d`, found `{text}`")


# ---- the commands -------------------------------------------------------------------------------


def _missing(error: ImportError) -> frame.CommandError:
    """The error for a missing package of the extra `serve`. Raises others again."""
    if (error.name or "").partition(".")[0] not in _PACKAGES:
        raise error
    return frame.CommandError(
        f"the Python package {error.name} is missing", frame.pip_install("'gthulhuc[serve]'")
    )


def _serve(options: argparse.Namespace) -> int:
    from pathlib import Path

    try:
        from gthulhu.serve import server
        from gthulhu.serve.keys import Role
    except ImportError as error:
        raise _missing(error) from error
    listen = options.listen
    if listen is None:
        listen = [] if options.socket else [address(_HERE)]
    return server.run(
        server.Options(
            tuple(listen), options.socket, Path(options.keys), options.broker,
            Path(options.store), options.audit, options.session,
            options.cgroups, options.tls_cert,
            options.tls_key, options.client_ca,
            {name: Role(role) for name, role in options.client_role},
        )
    )  # fmt: skip


def _keys(options: argparse.Namespace) -> int:
    from pathlib import Path

    try:
        from gthulhu.serve import keys
    except ImportError as error:
        raise _missing(error) from error
    number = keys.make(Path(options.folder), rotate=options.rotate)
    frame.out(f"key {number} in {options.folder} signs tokens\n")
    return frame.OK


def _token(options: argparse.Namespace) -> int:
    from pathlib import Path

    try:
        from gthulhu.serve.keys import Keys, Kind, Role
    except ImportError as error:
        raise _missing(error) from error
    kind = Kind.ENROLMENT if options.enrolment else Kind.ACCESS
    keys = Keys(Path(options.keys))
    token = keys.mint(options.name, Role(options.role), kind, options.lifetime)
    # Gthulhu's clients refuse a file without a public key, and send all that is in it.
    head = keys.public_pem() if options.enrolment else ""
    frame.out(f"{head}{token}\n")
    return frame.OK


def _revoke(options: argparse.Namespace) -> int:
    from pathlib import Path

    try:
        from gthulhu.serve.keys import Keys
    except ImportError as error:
        raise _missing(error) from error
    Keys(Path(options.keys)).revoke(options.name)
    frame.out(f"tokens of {options.name} count no more\n")
    return frame.OK


def _broker(options: argparse.Namespace) -> int:
    import os
    from pathlib import Path

    from gthulhu.serve.broker import Broker, uid_of

    user, compiler = uid_of(options.user), uid_of(options.compiler)
    if user and user == compiler:
        raise frame.CommandError(
            f"{options.user} cannot be the user of the compilers, too: the server could change "
            "what they make", "name another one with `--compiler`"
        )  # fmt: skip
    other = compiler if os.geteuid() == 0 and compiler else None
    try:
        broker = Broker(Path(options.folder), options.state, user, other)
    except PermissionError as error:
        raise frame.CommandError(
            f"not permitted to use {options.folder}", "run it as root"
        ) from error
    frame.out(f"passing requests of {options.user} to the loader in {options.state}\n")
    service.tell_ready()
    broker.run()
    return frame.OK
