// Small betterments. Every page works without them; nothing here knows a secret or makes markup out of text.
"use strict";

(() => {
  const CALM = 2000; // milliseconds between two updates of a page
  const SLOW = 30000; // the same, for looks that found nothing new
  const TYPED = "input:not([type=hidden]):not([type=checkbox]):not([type=radio]), textarea, select";

  const said = element("p", { className: "unseen", role: "status" });
  const news = element("div", { className: "notice news", role: "status", hidden: true });
  document.body.append(said);
  document.getElementById("main").prepend(news);

  let dirty = false;
  let waiting = 0;
  let last = Date.now();
  let source = null;

  function element(tag, traits, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(traits)) {
      if (name in made) made[name] = value;
      else made.setAttribute(name, value);
    }
    made.append(...children);
    return made;
  }

  function say(words) {
    said.textContent = "";
    setTimeout(() => { said.textContent = words; }, 100);
  }

  // ---- News: what stands in [data-live] is taken anew from the same page.

  function regions() {
    return [...document.querySelectorAll("[data-live][id]")];
  }

  function words(region, name) {
    return (region.dataset[name] || "").split(" ").filter(Boolean);
  }

  // "servers" stands for news of any server, "looked" for a look at any.
  function concerns(wanted, topic) {
    return wanted.some((word) => word === topic || (word === "servers" && topic.startsWith("server:"))
      || (word === "looked" && topic.startsWith("looked:")));
  }

  function isBusy() {
    const active = document.activeElement;
    return dirty || (active !== null && active.matches(TYPED));
  }

  function onNews(event) {
    const { topics } = JSON.parse(event.data);
    const all = regions();
    if (all.some((region) => topics.some((topic) => concerns(words(region, "live"), topic)))) plan(CALM);
    else if (all.some((region) => topics.some((topic) => concerns(words(region, "slow"), topic)))) plan(SLOW);
  }

  function plan(calm) {
    const due = Math.max(last + calm, Date.now() + 300);
    if (waiting && waiting.due <= due) return;
    if (waiting) clearTimeout(waiting.timer);
    waiting = { due, timer: setTimeout(() => { waiting = 0; isBusy() ? offer() : refresh(); }, due - Date.now()) };
  }

  function offer() {
    const show = element("button", { type: "button" }, "show it");
    show.addEventListener("click", () => { news.hidden = true; refresh(); });
    news.replaceChildren(element("p", {}, "There is news: ", show));
    news.hidden = false;
  }

  function lost(words) {
    news.replaceChildren(element("p", {}, `${words} `, element("a", { href: location.href }, "Load the page anew")));
    news.hidden = false;
    if (source) source.close();
  }

  async function refresh() {
    last = Date.now();
    let answer;
    try {
      answer = await fetch(location.href, { headers: { "x-driftwatch-live": "1" }, cache: "no-store" });
    } catch {
      return; // the stream comes back by itself, and with it the next try
    }
    if (answer.redirected) return lost("You are no longer signed in.");
    if (!answer.ok) return;
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    let changed = false;
    for (const region of regions()) {
      const other = fresh.getElementById(region.id);
      if (other && look(region) !== look(other)) {
        replace(region, other);
        changed = true;
      }
    }
    news.hidden = true;
    if (changed) say("The page was updated.");
  }

  // What a person sees of a region; tokens of forms are others each time.
  function look(region) {
    const copy = region.cloneNode(true);
    for (const one of copy.querySelectorAll(".copy, [name=form]")) one.remove();
    for (const one of copy.querySelectorAll("details")) one.open = false;
    return copy.textContent.replace(/\s+/g, " ");
  }

  function replace(region, other) {
    const held = region.contains(document.activeElement) ? describe(region, document.activeElement) : null;
    const open = new Set([...region.querySelectorAll("details[open] > summary")].map((one) => one.textContent));
    const typed = [...region.querySelectorAll("textarea[id]")].map((one) => [one.id, one.value]);
    const boxes = new Map([...region.querySelectorAll("input[type=checkbox]")].map((one) => [one.value, one.checked]));
    region.replaceChildren(...document.importNode(other, true).childNodes);
    // What was typed and ticked stays; the value of a box says what it is about, so a tick never goes to something else.
    for (const [id, value] of typed) {
      const field = document.getElementById(id);
      if (field) field.value = value;
    }
    for (const box of region.querySelectorAll("input[type=checkbox]")) box.checked = boxes.get(box.value) ?? box.checked;
    for (const summary of region.querySelectorAll("details > summary")) {
      if (open.has(summary.textContent)) summary.parentElement.open = true;
    }
    better(region);
    const again = held && [...region.querySelectorAll(held.tag)].filter((one) => named(one) === held.name)[held.number];
    if (again) again.focus({ preventScroll: true });
  }

  function named(one) {
    return one.getAttribute("href") || one.getAttribute("aria-label") || one.textContent;
  }

  function describe(region, active) {
    const alike = [...region.querySelectorAll(active.tagName)].filter((one) => named(one) === named(active));
    return { tag: active.tagName, name: named(active), number: alike.indexOf(active) };
  }

  // Only a page that is seen listens: browsers have few connections to one place.
  function listen() {
    if (document.hidden || !regions().length || (source && source.readyState !== EventSource.CLOSED)) return;
    source = new EventSource("/events");
    source.addEventListener("news", onNews);
    source.addEventListener("hello", () => { if (Date.now() - last > CALM) plan(0); });
    source.addEventListener("error", () => {
      if (source.readyState === EventSource.CLOSED && !document.hidden) lost("News no longer come.");
    });
  }

  document.addEventListener("visibilitychange", () => {
    if (document.hidden && source) source.close();
    else listen();
  });
  document.addEventListener("input", (event) => { if (!event.target.closest("[role=search]")) dirty = true; });
  document.addEventListener("submit", () => { dirty = false; });

  // ---- Digests can be copied whole.

  function better(root) {
    for (const code of root.querySelectorAll("[data-copy]")) {
      const copy = element("button", { type: "button", className: "link copy", title: "Copy the whole digest" }, "copy");
      copy.setAttribute("aria-label", `Copy the whole digest ${code.textContent}`);
      copy.addEventListener("click", async () => {
        try {
          await navigator.clipboard.writeText(code.dataset.copy);
          say("Copied.");
          copy.textContent = "copied";
        } catch {
          getSelection().selectAllChildren(code);
          say("It could not be copied; it is selected.");
        }
      });
      code.after(" ", copy);
    }
  }

  // ---- A table is filtered while a name is typed; what is on other pages needs the button.

  for (const input of document.querySelectorAll("[data-filters]")) {
    input.addEventListener("input", () => {
      const wanted = input.value.trim().toLowerCase();
      for (const row of document.querySelectorAll("table[data-filter] tbody tr")) {
        row.hidden = wanted !== "" && !row.querySelector("th").textContent.toLowerCase().includes(wanted);
      }
    });
  }

  // ---- j and k go from one thing to review to the next.

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select")) return;
    const step = { j: 1, k: -1 }[event.key];
    const steps = [...document.querySelectorAll("[data-item]")];
    if (!step || !steps.length) return;
    const here = steps.findIndex((one) => one.contains(document.activeElement));
    const next = steps[here < 0 ? (step > 0 ? 0 : steps.length - 1) : Math.min(Math.max(here + step, 0), steps.length - 1)];
    if (!next.hasAttribute("tabindex")) next.tabIndex = -1;
    next.focus();
    next.scrollIntoView({ block: "start" });
  });

  better(document);
  listen();
})();
