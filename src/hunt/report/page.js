// Filters, sorts and links buckets, copies texts, and follows a campaign that goes on.
(() => {
  const field = (id) => document.getElementById(id);
  const buckets = () => [...document.querySelectorAll(".bucket")];
  const orders = {
    size: (bucket) => Number(bucket.dataset.size),
    findings: (bucket) => -Number(bucket.dataset.count),
    name: (bucket) => bucket.id,
  };

  const filter = () => {
    const text = field("text").value.trim().toLowerCase();
    let shown = 0;
    for (const bucket of buckets()) {
      const fits =
        (!field("verdict").value || bucket.dataset.verdict === field("verdict").value) &&
        (!field("family").value || bucket.dataset.family === field("family").value) &&
        (field("known").checked || !bucket.classList.contains("known")) &&
        bucket.textContent.toLowerCase().includes(text);
      bucket.hidden = !fits;
      shown += fits ? 1 : 0;
    }
    field("shown").textContent = `${shown} of ${buckets().length} buckets`;
  };

  const sort = () => {
    const order = orders[field("sort").value] || ((bucket) => Number(bucket.dataset.place));
    const compare = (one, other) => {
      const [a, b] = [order(one), order(other)];
      return a < b ? -1 : a > b ? 1 : one.dataset.place - other.dataset.place;
    };
    field("buckets").append(...buckets().sort(compare));
  };

  // The bucket that the address names is shown and opened.
  const open = () => {
    const named = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!named || !named.classList.contains("bucket")) return;
    named.hidden = false;
    named.open = true;
    named.scrollIntoView();
  };

  const copy = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const area = document.createElement("textarea");
      area.value = text;
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
  };

  const addButtons = () => {
    for (const text of document.querySelectorAll(".part > pre")) {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "copy";
      button.textContent = "copy";
      button.addEventListener("click", async () => {
        await copy(text.textContent);
        button.textContent = "copied";
        setTimeout(() => { button.textContent = "copy"; }, 1500);
      });
      text.before(button);
    }
  };

  const start = () => {
    addButtons();
    if (!field("verdict")) return;
    buckets().forEach((bucket, place) => { bucket.dataset.place = place; });
    const filters = document.querySelector(".filters");
    filters.addEventListener("input", () => { sort(); filter(); });
    filters.addEventListener("submit", (event) => event.preventDefault());
    filter();
  };

  // What the reader has chosen and opened stays.
  const renew = async () => {
    const fresh = new DOMParser().parseFromString(await (await fetch("/")).text(), "text/html");
    const opened = buckets().filter((bucket) => bucket.open).map((bucket) => bucket.id);
    const chosen = ["verdict", "family", "sort", "text"].map((id) => [id, field(id)?.value]);
    const known = field("known")?.checked;
    for (const part of ["header", "main"]) {
      document.querySelector(part).replaceWith(fresh.querySelector(part));
    }
    for (const [id, value] of chosen) if (field(id) && value) field(id).value = value;
    if (field("known")) field("known").checked = Boolean(known);
    for (const id of opened) if (field(id)) field(id).open = true;
    start();
    if (field("verdict")) { sort(); filter(); }
    document.body.dataset.updates = Number(document.body.dataset.updates || 0) + 1;
  };

  start();
  open();
  addEventListener("hashchange", open);
  if ("live" in document.body.dataset) {
    new EventSource("/events").addEventListener("update", renew);
  }
})();
