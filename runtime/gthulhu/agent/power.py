# SPDX-License-Identifier: Apache-2.0
"""The machine's power on D-Bus: the profile of power-profiles-daemon, and UPower's battery."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any

from jeepney import DBusAddress, MatchRule, MessageFlag, MessageType, Properties
from jeepney.bus_messages import message_bus
from jeepney.io.blocking import open_dbus_connection

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jeepney import Message

_PROFILES = {"power-saver": "saver", "balanced": "balanced", "performance": "performance"}
# The daemon has both names since version 0.20, and older ones only the second.
_DAEMONS = tuple(
    DBusAddress("/" + name.replace(".", "/"), bus_name=name, interface=name)
    for name in ("org.freedesktop.UPower.PowerProfiles", "net.hadess.PowerProfiles")
)
_UPOWER = DBusAddress(
    "/org/freedesktop/UPower",
    bus_name="org.freedesktop.UPower",
    interface="org.freedesktop.UPower",
)
_BATTERY = DBusAddress(
    "/org/freedesktop/UPower/devices/DisplayDevice",
    bus_name="org.freedesktop.UPower",
    interface="org.freedesktop.UPower.Device",
)
_SERVICES = (*_DAEMONS, _UPOWER)
_PATIENCE_S = 5.0
"""A service that the bus starts first needs its time."""
UNKNOWN = "unknown"


class Power:
    """Follows the facts about power, as the loader is told them."""

    def __init__(self, address: str = "SYSTEM") -> None:
        """Connects to the bus, whose services it starts. Raises OSError if there is no bus."""
        self._bus = open_dbus_connection(address)
        self._signals: deque[Message] = deque()
        self.facts: Mapping[str, str] = {}
        for service in _SERVICES:
            for rule in (
                MatchRule(
                    type="signal",
                    sender=service.bus_name,
                    interface="org.freedesktop.DBus.Properties",
                    member="PropertiesChanged",
                ),
                _owner_changes(service),
            ):
                self._bus.send_and_get_reply(message_bus.AddMatch(rule), timeout=_PATIENCE_S)
        self._bus.filter(MatchRule(type="signal"), queue=self._signals)
        self._look(may_start=True)
        self._look_again()

    def fileno(self) -> int:
        """The file descriptor that is readable when there may be changes."""
        number: int = self._bus.sock.fileno()
        return number

    def changes(self) -> dict[str, str]:
        """Returns the facts that have changed. Raises OSError if the bus is gone."""
        try:
            while True:
                self._signals.append(self._bus.receive(timeout=0))
        except TimeoutError:
            pass
        before = self.facts
        self._look_again()
        return {name: fact for name, fact in self.facts.items() if before[name] != fact}

    def close(self) -> None:
        """Leaves the bus."""
        self._bus.close()

    def _look_again(self) -> None:
        """Looks until no signal has come meanwhile: those were read while it waited for answers."""
        while self._signals:
            self._signals.clear()
            self._look(may_start=False)

    def _look(self, *, may_start: bool) -> None:
        profiles = (self._get(daemon, "ActiveProfile", may_start) for daemon in _DAEMONS)
        profile = next((found for found in profiles if found is not None), None)
        on_battery = self._get(_UPOWER, "OnBattery", may_start)
        charge = None
        if self._get(_BATTERY, "IsPresent", may_start):
            charge = self._get(_BATTERY, "Percentage", may_start)
        self.facts = {
            "power": _PROFILES.get(str(profile), UNKNOWN),
            "on-battery": UNKNOWN if on_battery is None else "yes" if on_battery else "no",
            "battery": UNKNOWN if charge is None else f"{min(max(charge, 0.0), 100.0):.1f}%",
        }

    def _get(self, of: DBusAddress, name: str, may_start: bool) -> Any:
        """The value of a property; None: the service does not answer, or has none."""
        message = Properties(of).get(name)
        if not may_start:
            message.header.flags |= MessageFlag.no_auto_start
        try:
            answer = self._bus.send_and_get_reply(message, timeout=_PATIENCE_S)
        except TimeoutError:
            return None
        if answer.header.message_type is not MessageType.method_return:
            return None
        return answer.body[0][1]


def _owner_changes(service: DBusAddress) -> MatchRule:
    """Signals of the bus that a service has started or ended."""
    rule = MatchRule(
        type="signal",
        sender=message_bus.bus_name,
        interface=message_bus.interface,
        member="NameOwnerChanged",
    )
    rule.add_arg_condition(0, service.bus_name)
    return rule
