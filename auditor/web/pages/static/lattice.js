// The lattice of a table works without this: every marginal is a link that selects it. With it, arrow keys walk along
// the lattice, what is below and above lights up, and a selection changes nothing but what depends on it.
"use strict";

const instrument = document.querySelector("[data-instrument]");
if (instrument) {
  const said = document.querySelector("[data-said]");
  let box, ranks, nodes, rows, lines, panel, request;

  const number = (node) => Number(node.dataset.n);
  const isBelow = (a, b) => a !== b && (a & b) === a;
  const here = () => nodes.find((node) => node.classList.contains("here")) || null;
  const isWhole = () => box.dataset.whole === "yes";

  // one tab stop: the marginal that was focused last, at first the selected one
  function stopAt(node) {
    for (const other of nodes) other.tabIndex = other === node ? 0 : -1;
  }

  function begin() {
    box = instrument.querySelector("[data-lattice]");
    panel = instrument.querySelector("[data-panel]");
    ranks = box.querySelector("[data-ranks]");
    lines = box.querySelector("[data-lines]");
    rows = [...box.querySelectorAll("ul")].map((row) => [...row.querySelectorAll("a")]);
    nodes = rows.flat();
    box.classList.add("has-script");
    const chosen = here();
    stopAt(chosen || nodes[nodes.length - 1]);
    light(chosen);
    // where a small window scrolls through many, the selected one is in the middle; the page stays where it is
    const reach = ranks.parentElement;
    if (chosen) reach.scrollTop += chosen.getBoundingClientRect().top - reach.getBoundingClientRect().top - reach.clientHeight / 2;
  }

  // lines

  function place(node, frame) {
    const at = node.getBoundingClientRect();
    return { x: at.left + at.width / 2 - frame.left, top: at.top - frame.top, bottom: at.bottom - frame.top };
  }

  function isFlat() {
    return rows.every((row) => row.length < 2 || row[0].offsetTop === row[row.length - 1].offsetTop);
  }

  function line(lower, upper, frame, kind) {
    const from = place(lower, frame), to = place(upper, frame);
    const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    path.setAttribute("d", `M${from.x},${from.top}L${to.x},${to.bottom}`);
    if (kind) path.setAttribute("class", kind);
    return path;
  }

  function isCover(low, high) {
    const more = low ^ high;
    return isBelow(low, high) && (more & (more - 1)) === 0;
  }

  // where every row is one line and not too much is drawn, all lines are there; elsewhere those of what is lit
  function draw(lit) {
    const frame = ranks.getBoundingClientRect(), drawn = [], last = [];
    const all = isWhole() && nodes.length <= 32 && isFlat();
    rows.forEach((row, place) => {
      for (const upper of row) for (const lower of rows[place + 1] || []) {
        const low = number(lower), high = number(upper);
        if (!isCover(low, high)) continue;
        const middle = lit ? number(lit) : -1;
        const down = lit && (high & middle) === high, up = lit && (low & middle) === middle;
        if (down || up) {
          if (all || !isWhole() || high === middle || low === middle) last.push(line(lower, upper, frame, down ? "down" : "up"));
        } else if (all || !isWhole()) drawn.push(line(lower, upper, frame, ""));
      }
    });
    lines.replaceChildren(...drawn, ...last);
  }

  function light(lit) {
    for (const node of nodes) {
      node.classList.toggle("below", Boolean(lit) && isBelow(number(node), number(lit)));
      node.classList.toggle("above", Boolean(lit) && isBelow(number(lit), number(node)));
      node.classList.toggle("lit", node === lit && !node.classList.contains("here"));
    }
    draw(lit);
  }

  // keys

  function nearest(from, candidates) {
    const at = from.getBoundingClientRect(), middle = at.left + at.width / 2;
    const distance = (node) => {
      const box = node.getBoundingClientRect();
      return Math.abs(box.left + box.width / 2 - middle);
    };
    return candidates.reduce((best, node) => (best && distance(best) <= distance(node) ? best : node), null);
  }

  function along(node, step) {
    const place = rows.findIndex((row) => row.includes(node));
    const next = rows[place + step] || [];
    const found = next.filter((other) => isCover(...(step < 0 ? [number(node), number(other)] : [number(other), number(node)])));
    return nearest(node, found);
  }

  function target(node, event) {
    const row = rows.find((some) => some.includes(node)), at = row.indexOf(node);
    switch (event.key) {
      case "ArrowUp": return along(node, -1);
      case "ArrowDown": return along(node, 1);
      case "ArrowLeft": return row[at - 1];
      case "ArrowRight": return row[at + 1];
      case "Home": return event.ctrlKey ? nodes[0] : row[0];
      case "End": return event.ctrlKey ? nodes[nodes.length - 1] : row[row.length - 1];
      default: return undefined;
    }
  }

  function onKey(event) {
    if (event.altKey || event.metaKey) return;
    const node = event.target.closest("a[data-n]");
    if (event.key === "Escape" && instrument.contains(event.target)) {
      const back = here();
      if (back) back.focus();
      return;
    }
    if (!node) return;
    if (event.key === " ") {
      event.preventDefault();
      select(node.href, true);
      return;
    }
    const next = target(node, event);
    if (next === undefined && !event.key.startsWith("Arrow")) return;
    event.preventDefault();
    if (next) next.focus();
    // beyond what is shown: the neighbours of this one
    else if (!isWhole() && node !== here() && (event.key === "ArrowUp" || event.key === "ArrowDown")) select(node.href, true);
  }

  // selecting: the page is fetched, and what depends on the selection is taken from it

  async function select(address, isNew) {
    if (request) request.abort();
    request = new AbortController();
    const mine = request;
    panel.classList.add("waits");
    try {
      const answer = await fetch(address, { signal: mine.signal });
      const there = new URL(answer.url);
      if (!answer.ok || there.pathname !== new URL(address, location.href).pathname) throw new Error(answer.statusText);
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const found = page.querySelector("[data-instrument]");
      if (!found) throw new Error("no lattice");
      const focused = document.activeElement && document.activeElement.closest("a[data-n]");
      const fromPanel = panel.contains(document.activeElement);
      instrument.replaceChildren(...found.childNodes);
      if (isNew) history.pushState(null, "", address);
      begin();
      const again = here() || (focused && nodes.find((node) => number(node) === number(focused)));
      if (focused && again) again.focus({ preventScroll: true });
      if (fromPanel) panel.focus();
      tell();
    } catch (error) {
      if (!mine.signal.aborted) location.assign(address);
    }
  }

  function tell() {
    const title = panel.querySelector("h3"), status = panel.querySelector(".title .status");
    const more = panel.querySelector(".title ~ p");
    said.textContent = [title, status, more].filter(Boolean).map((part) => part.textContent.trim()).join(". ") + " Details follow the lattice.";
    const at = panel.getBoundingClientRect();
    if (at.top > innerHeight - 80 || at.bottom < 80) panel.scrollIntoView({ block: "nearest" });
  }

  instrument.addEventListener("keydown", onKey);
  instrument.addEventListener("click", (event) => {
    const link = event.target.closest("a");
    if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    if (link.pathname !== location.pathname || !link.hash) return;
    event.preventDefault();
    select(link.href, true);
  });
  instrument.addEventListener("focusin", (event) => {
    const node = event.target.closest("a[data-n]");
    if (node) stopAt(node);
    light(node || here());
  });
  instrument.addEventListener("focusout", (event) => {
    if (!instrument.contains(event.relatedTarget)) light(here());
  });
  instrument.addEventListener("pointerover", (event) => {
    const node = event.target.closest("a[data-n]");
    if (node && event.pointerType === "mouse") light(node);
  });
  instrument.addEventListener("pointerout", (event) => {
    if (event.target.closest("a[data-n]")) light((document.activeElement && document.activeElement.closest("a[data-n]")) || here());
  });
  // what takes a while says so, and is not sent twice
  instrument.addEventListener("submit", (event) => {
    const button = event.target.querySelector("button:not([type=button])");
    if (!event.target.dataset.busy || !button) return;
    button.textContent = event.target.dataset.busy;
    button.disabled = true;
  });
  addEventListener("popstate", () => select(location.href, false));
  addEventListener("resize", () => light(here()));
  begin();
  // after a request or a link from elsewhere: what is selected is read first
  if (location.hash === "#selected" && document.activeElement === document.body) panel.focus({ preventScroll: true });
}
