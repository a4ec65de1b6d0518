// Pages work without this: it shows progress as it happens, and copies what is shown once.
"use strict";

for (const shown of document.querySelectorAll("[data-events]")) {
  const source = new EventSource(shown.dataset.events);
  source.onmessage = (event) => {
    const job = JSON.parse(event.data);
    shown.querySelector("[data-phase]").textContent = job.phase || (job.state === "running" ? "working" : "waiting");
    const bar = shown.querySelector("progress");
    if (job.total) {
      bar.max = job.total;
      bar.value = job.done;
      shown.querySelector("[data-done]").textContent = `${job.done} of ${job.total}`;
    }
    if (job.state !== shown.dataset.state) {
      source.close();
      location.reload();
    }
  };
}

for (const button of document.querySelectorAll("[data-copy]")) {
  if (!navigator.clipboard) continue;
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent.trim());
    button.textContent = "Copied";
  });
}

// an open menu closes where somebody clicks beside it, or presses Escape
const menus = document.querySelectorAll("details.drop");
document.addEventListener("click", (event) => {
  for (const menu of menus) if (!menu.contains(event.target)) menu.open = false;
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const menu of menus) {
    if (menu.open && menu.contains(document.activeElement)) menu.querySelector("summary").focus();
    menu.open = false;
  }
});

// what takes a while says so, and is not sent twice
for (const form of document.querySelectorAll("form[data-busy]")) {
  form.addEventListener("submit", () => {
    const button = form.querySelector("button:not([type=button])");
    button.textContent = form.dataset.busy;
    button.disabled = true;
  });
}

// the key / moves to the search, unless somebody types
document.addEventListener("keydown", (event) => {
  const at = document.activeElement;
  const types = at && (at.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(at.tagName));
  const search = document.getElementById("q");
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || types || !search) return;
  event.preventDefault();
  search.focus();
  search.select();
});
