// What is marked as live follows the work in the background: it is read again until nothing of it is at work.
"use strict";

const following = (shown) => {
  setTimeout(async () => {
    let now = null;
    try {
      const answer = await fetch(location.href, { headers: { accept: "text/html" } });
      // a session that ended leads to the form to log in, which has no such part
      const text = answer.ok ? await answer.text() : "";
      now = new DOMParser().parseFromString(text, "text/html").getElementById(shown.id);
    } catch {
      // the service is away for a moment: try again
    }
    if (document.hidden || shown.contains(document.activeElement) || !now) {
      following(shown);
      return;
    }
    shown.replaceWith(now);
    if (now.dataset.live) following(now);
  }, Number(shown.dataset.live));
};

for (const shown of document.querySelectorAll("[data-live]")) following(shown);
