// SPDX-License-Identifier: Apache-2.0
// What htmx does not do: parts that change by themselves, and the editor's lines.
"use strict";

const live = document.querySelector("[data-live]");
const pause = document.querySelector("[data-pause]");
let source = null;

function show(event) {
  const { part, html } = JSON.parse(event.data);
  const target = document.querySelector(`[data-part="${part}"]`);
  const chosen = getSelection();
  const isRead = !chosen.isCollapsed && target.contains(chosen.anchorNode);
  // A link that is being pressed, or a text that is being copied, stays until the next change.
  if (!isRead && !target.querySelector(":active")) {
    htmx.swap(target, html, { swapStyle: "innerHTML" });
  }
}

function follow() {
  source = new EventSource(live.dataset.live);
  source.addEventListener("part", show);
  source.onopen = () => document.body.classList.remove("stale");
  source.onerror = () => {
    document.body.classList.add("stale");
    if (source.readyState === EventSource.CLOSED) {
      location.reload(); // to the login, if the session has ended
    }
  };
}

if (live) {
  follow();
  pause.addEventListener("click", () => {
    const isPaused = pause.getAttribute("aria-pressed") === "true";
    pause.setAttribute("aria-pressed", String(!isPaused));
    if (isPaused) {
      follow();
    } else {
      source.close();
    }
  });
}

const text = document.querySelector("#text");
if (text) {
  const lines = document.querySelector("[data-lines]");
  let isChanged = false;
  const number = () => {
    const count = text.value.split("\n").length;
    lines.textContent = Array.from({ length: count }, (_, i) => i + 1).join("\n");
  };
  number();
  text.addEventListener("input", () => {
    isChanged = true;
    number();
  });
  text.addEventListener("scroll", () => {
    lines.scrollTop = text.scrollTop;
  });
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-line]");
    if (button) {
      const before = text.value.split("\n").slice(0, button.dataset.line - 1);
      const at = before.reduce((sum, line) => sum + line.length + 1, button.dataset.column - 1);
      text.focus();
      text.setSelectionRange(at, at);
    }
  });
  document.addEventListener("htmx:beforeOnLoad", (event) => {
    if (event.detail.xhr.getResponseHeader("HX-Redirect")) {
      isChanged = false;
    }
  });
  addEventListener("beforeunload", (event) => {
    if (isChanged) {
      event.preventDefault();
    }
  });
}

// An error stays until the next request that succeeds.
document.addEventListener("htmx:beforeRequest", (event) => {
  if (event.target !== text) {
    document.querySelector("#notice").replaceChildren();
    document.querySelector("#outcome")?.replaceChildren();
  }
});
document.addEventListener("htmx:sendError", () => {
  const said = document.createElement("p");
  said.className = "failed";
  said.textContent = "The server does not respond.";
  document.querySelector("#notice").replaceChildren(said);
});
