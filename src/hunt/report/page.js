// Shows the buckets that the filters leave.
(() => {
  const field = (id) => document.getElementById(id);
  if (!field("verdict")) return;
  const buckets = [...document.querySelectorAll(".bucket")];
  const words = new Map(buckets.map((bucket) => [bucket, bucket.textContent.toLowerCase()]));
  const show = () => {
    const text = field("text").value.trim().toLowerCase();
    let shown = 0;
    for (const bucket of buckets) {
      const fits =
        (!field("verdict").value || bucket.dataset.verdict === field("verdict").value) &&
        (!field("family").value || bucket.dataset.family === field("family").value) &&
        (field("known").checked || !bucket.classList.contains("known")) &&
        words.get(bucket).includes(text);
      bucket.hidden = !fits;
      shown += fits ? 1 : 0;
    }
    field("shown").textContent = `${shown} of ${buckets.length} buckets`;
  };
  document.querySelector(".filters").addEventListener("input", show);
  document.querySelector(".filters").addEventListener("submit", (event) => event.preventDefault());
  show();
})();
