"use strict";
// Everything works without this script. It changes parts of a page in place, and adds keys.

const find = (selector, within = document) => within.querySelector(selector);
const all = (selector, within = document) => [...within.querySelectorAll(selector)];
// say shows why something did not work.
const say = (text) => { find("#said").textContent = text; };

// swap fetches a page and puts those of its parts that are named in the place of what is here.
const running = new Map();
async function swap(names, address, options = {}) {
  running.get(names)?.abort();
  const abort = new AbortController();
  running.set(names, abort);
  try {
    const answer = await fetch(address, { ...options, signal: abort.signal, credentials: "same-origin" });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (!answer.ok) {
      say(all("main p", page).slice(0, 2).map((p) => p.textContent).join(" ") || answer.statusText);
      return false;
    }
    for (const name of names.split(" ")) {
      const here = document.getElementById(name), there = page.getElementById(name);
      if (!here || !there) continue;
      const open = all("details[open]", here).map((d) => d.closest("[id]").id);
      const picked = all("input[name=pair]:checked", here).map((i) => i.value);
      here.replaceWith(document.adoptNode(there));
      for (const id of open) document.getElementById(id)?.querySelector("details")?.setAttribute("open", "");
      for (const i of all("input[name=pair]", there)) i.checked = picked.includes(i.value);
    }
    ready();
    say("");
    return true;
  } catch (error) {
    if (error.name !== "AbortError") say(String(error));
    return false;
  } finally {
    if (running.get(names) === abort) running.delete(names);
  }
}

document.addEventListener("submit", async (event) => {
  const form = event.target, button = event.submitter;
  if (!form.dataset.swap || button?.hasAttribute("formaction")) return;
  event.preventDefault();
  const names = form.dataset.swap, data = new URLSearchParams(new FormData(form, button));
  if (form.method === "get") {
    if (!await swap(names, `${form.action}?${data}`) || form.hasAttribute("data-live")) return;
    show(document.getElementById(names));
    return;
  }
  const pressed = button?.className;
  if (await swap(names, form.action, { method: "POST", body: data }) && pressed) {
    find(`button.${pressed}`, document.getElementById(names))?.focus();
  }
});

function show(part) {
  part.tabIndex = -1;
  part.focus({ preventScroll: true });
  part.scrollIntoView({ block: "nearest" });
}

// A place that was meant is asked for in the same part.
document.addEventListener("click", async (event) => {
  const link = event.target.closest("a[data-why]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  if (await swap("why-answer", link.href)) show(find("#why-answer"));
});

// Sliders fuse again while they move.
let waiting;
function moved(form) {
  for (const slider of all("input[type=range]", form)) slider.nextElementSibling.value = Number(slider.value).toFixed(2);
  clearTimeout(waiting);
  waiting = setTimeout(() => form.requestSubmit(), 120);
}
document.addEventListener("input", (event) => {
  const form = event.target.form;
  if (form?.hasAttribute("data-live") && event.target.type === "range") moved(form);
});
document.addEventListener("reset", (event) => {
  if (event.target.hasAttribute("data-live")) setTimeout(() => moved(event.target));
});

// Two hits are compared, no more and no fewer.
function ready() {
  const button = find("[data-two]");
  if (!button) return;
  const picks = all("input[name=pair]"), n = picks.filter((p) => p.checked).length;
  button.disabled = n !== 2;
  for (const p of picks) p.disabled = n >= 2 && !p.checked;
}
document.addEventListener("change", (event) => { if (event.target.name === "pair") ready(); });

// Keys.
const keys = find("#keys");
const current = () => document.activeElement?.closest(".hit");
function move(step) {
  const hits = all(".hit"), at = hits.indexOf(current());
  const next = hits[at < 0 ? (step > 0 ? 0 : hits.length - 1) : Math.min(Math.max(at + step, 0), hits.length - 1)];
  next?.focus({ preventScroll: true });
  next?.scrollIntoView({ block: "nearest" });
}
function explain(hit) {
  const details = find("details.explanation", hit);
  if (details) details.open = !details.open;
}
const actions = {
  "/": () => { find("#q").focus(); find("#q").select(); },
  "?": () => keys.showModal(),
  j: () => move(1),
  k: () => move(-1),
  o: () => find("h3 a", current())?.click(),
  "+": () => find(".thumbs .up", current())?.click(),
  "-": () => find(".thumbs .down", current())?.click(),
};
document.addEventListener("keydown", (event) => {
  const at = event.target;
  if (event.key === "Escape" && !keys.open) at.blur?.();
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || keys.open) return;
  if (at.matches("input:not([type=checkbox]), select, textarea")) return;
  if (event.key === "Enter" && at.matches(".hit")) {
    explain(at);
  } else if (actions[event.key] && ("/?jk".includes(event.key) || current())) {
    event.preventDefault();
    actions[event.key]();
  }
});

const opener = find("#keys-open");
if (opener) {
  opener.hidden = false;
  opener.addEventListener("click", () => keys.showModal());
}
ready();
