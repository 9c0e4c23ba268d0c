"use strict";
(async () => {
  const at = (id) => document.getElementById(id);
  const words = JSON.parse(at("words").textContent);
  let game;
  try {
    const packed = Uint8Array.from(atob(at("game").textContent.trim()), (c) => c.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    game = JSON.parse(await new Response(stream).text());
  } catch (problem) {
    at("trouble").hidden = false;
    throw problem;
  }
  let view, index = 0, shown = -1, rows = [], items = [], timer = 0;
  // On a phone the screens of another size are shown; the style sheet has the same width.
  const phone = matchMedia("(max-width: 40rem)");
  let size;

  const make = (tag, text, name) => {
    const made = document.createElement(tag);
    if (text !== undefined) made.textContent = text;
    if (name) made.className = name;
    return made;
  };

  // The row of each line of the drawing at a step.
  const rowsAt = (step) => {
    const found = [];
    for (let i = 0; i <= step; i++) {
      const changed = view.steps[i][size];
      for (let j = 0; j < changed.length; j += 2) found[changed[j]] = changed[j + 1];
    }
    return found;
  };

  const drawRow = (line, row) => {
    const parts = game.rows[row], spans = [];
    for (let i = 0; i < parts.length; i += 2) spans.push(make("span", parts[i + 1], "s" + parts[i]));
    line.replaceChildren(...spans);
  };

  const draw = () => {
    const wanted = rowsAt(index), lines = at("drawing").children;
    wanted.forEach((row, i) => { if (rows[i] !== row) drawRow(lines[i], row); });
    rows = wanted;
  };

  const lay = () => {
    size = phone.matches ? "narrow" : "rows";
    rows = [];
    at("drawing").replaceChildren(...Array.from({ length: words.rows[size] }, () => make("div")));
  };
  phone.addEventListener("change", () => { lay(); draw(); });

  const say = () => {
    const step = view.steps[index], last = view.steps[view.steps.length - 1].event;
    at("note").replaceChildren(...step.note.map((text) => make("p", text)));
    // Events are counted from 1 for people.
    const place = words.event.replace("{0}", step.event + 1).replace("{1}", last + 1);
    at("place").textContent = place;
    at("drawing").setAttribute("aria-label", place + ", " + view.name + ". " + step.note.join(" "));
    at("timeline").value = index;
    at("timeline").setAttribute("aria-valuetext", place);
    at("offered").replaceChildren(...(step.offered || []).map((text) => make("li", text)));
    at("offered_box").hidden = !step.offered;
  };

  const markJournal = () => {
    const event = view.steps[index].event;
    let here = null;
    view.journal.forEach(([sequence], i) => {
      if (sequence === event) { items[i].setAttribute("aria-current", "step"); here = here || items[i]; }
      else items[i].removeAttribute("aria-current");
    });
    if (!here) here = items[view.journal.findLastIndex(([sequence]) => sequence <= event)];
    const box = at("journal");
    if (here) box.scrollTop = here.offsetTop - box.offsetTop - box.clientHeight / 2;
  };

  const show = (wanted) => {
    index = Math.max(0, Math.min(view.steps.length - 1, wanted));
    if (shown === index) return;
    shown = index;
    draw(); say(); markJournal();
  };

  // The last step that is not after an event.
  const stepOf = (event) => Math.max(0, view.steps.findLastIndex((step) => step.event <= event));
  const goTo = (event) => show(stepOf(event));

  const leap = (by) => {
    const now = view.steps[index].event;
    const ahead = view.rounds.filter((event) => (by > 0 ? event > now : event < now));
    if (ahead.length) goTo(by > 0 ? ahead[0] : ahead[ahead.length - 1]);
  };

  const find = (by) => {
    const wanted = at("search").value.trim().toLocaleLowerCase(), now = view.steps[index].event;
    if (!wanted) return;
    const hits = view.journal.filter(([sequence, , text]) =>
      (by > 0 ? sequence > now : sequence < now) && text.toLocaleLowerCase().includes(wanted));
    at("found").textContent = hits.length ? "" : words.no_hit;
    if (hits.length) goTo((by > 0 ? hits[0] : hits[hits.length - 1])[0]);
  };

  const stop = () => { clearInterval(timer); timer = 0; at("play").textContent = words.play; };
  const play = () => {
    if (timer) { stop(); return; }
    at("play").textContent = words.stop;
    timer = setInterval(() => { if (index + 1 < view.steps.length) show(index + 1); else stop(); }, 700);
  };

  const lookFrom = (number) => {
    const event = view ? view.steps[index].event : -1;
    view = game.views[number];
    at("view").value = number;
    at("timeline").max = view.steps.length - 1;
    items = view.journal.map(([sequence, tone, text]) => {
      const item = make("li", text, tone);
      item.addEventListener("click", () => goTo(sequence));
      return item;
    });
    at("journal").replaceChildren(...items);
    at("moments").replaceChildren(make("option", words.moments), ...view.moments.map(([sequence, text]) => {
      const option = make("option", text);
      option.value = sequence;
      return option;
    }));
    shown = -1;
    goTo(event);
  };

  const acts = {
    ArrowLeft: () => show(index - 1), ArrowRight: () => show(index + 1),
    PageUp: () => leap(-1), PageDown: () => leap(1),
    Home: () => show(0), End: () => show(view.steps.length - 1),
    v: () => lookFrom((Number(at("view").value) + 1) % game.views.length),
    p: play, n: () => find(1), N: () => find(-1), "/": () => at("search").focus(),
    a: () => at("moments").focus(), u: () => { at("offered_box").open = !at("offered_box").open; },
  };
  document.addEventListener("keydown", (pressed) => {
    if (pressed.ctrlKey || pressed.altKey || pressed.metaKey) return;
    if (["INPUT", "SELECT"].includes(pressed.target.tagName)) return;
    const act = acts[pressed.key];
    if (act) { pressed.preventDefault(); act(); }
  });
  const buttons = {
    first: "Home", round_back: "PageUp", back: "ArrowLeft", play: "p", on: "ArrowRight",
    round_on: "PageDown", last: "End", hit_back: "N", hit_on: "n",
  };
  for (const [id, key] of Object.entries(buttons)) at(id).addEventListener("click", acts[key]);
  at("timeline").addEventListener("input", () => show(Number(at("timeline").value)));
  at("view").addEventListener("change", () => lookFrom(Number(at("view").value)));
  at("moments").addEventListener("change", () => {
    if (at("moments").selectedIndex) goTo(Number(at("moments").value));
  });
  at("search").addEventListener("keydown", (pressed) => { if (pressed.key === "Enter") find(1); });

  // A swipe across the drawing is a step.
  let from = null;
  at("drawing").addEventListener("touchstart", (touch) => {
    from = touch.touches.length === 1 ? touch.touches[0] : null;
  }, { passive: true });
  at("drawing").addEventListener("touchend", (touch) => {
    if (!from) return;
    const to = touch.changedTouches[0], across = to.clientX - from.clientX;
    if (Math.abs(across) > 40 && Math.abs(across) > 2 * Math.abs(to.clientY - from.clientY)) {
      show(index + (across < 0 ? 1 : -1));
    }
    from = null;
  });

  game.views.forEach((each, i) => {
    const option = make("option", each.name);
    option.value = i;
    at("view").append(option);
  });
  lay();
  at("game_box").hidden = false;
  lookFrom(0);
  // The result first; how it came to it is read by whoever goes back.
  acts.End();
  document.documentElement.dataset.ready = "yes";
})();
