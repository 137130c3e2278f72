(() => {
  const rows = [...document.querySelectorAll("table.models tbody tr")];
  const texts = new Map(rows.map((row) => [row, row.textContent.toLowerCase()]));
  const controls = ["find", "kit", "column", "key", "cause", "plan"].map((id) => document.getElementById(id));
  const [find, kit, column, key, cause, plan] = controls, count = document.getElementById("count");
  function filter() {
    const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const section of document.querySelectorAll("section")) {
      let own = 0;
      for (const row of section.querySelectorAll("tbody tr")) {
        const fits = (!kit.value || section.id === kit.value) && (!plan.checked || row.dataset.plan === "1")
          && row.dataset.keys.split(" ").some((cell) => cell.startsWith(column.value) && cell.endsWith(key.value && `:${key.value}`))
          && (!cause.value || row.dataset.causes.split("\n").includes(cause.value))
          && words.every((word) => texts.get(row).includes(word));
        row.hidden = !fits;
        own += fits;
      }
      section.hidden = own === 0;
      shown += own;
    }
    count.textContent = `${shown} ${count.dataset.word}`;
  }
  function sort(head) {
    const table = head.closest("table"), body = table.tBodies[0], at = head.cellIndex;
    const down = head.getAttribute("aria-sort") === "ascending";
    for (const other of table.querySelectorAll("th")) other.setAttribute("aria-sort", "none");
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const value = (row) => row.cells[at].dataset.sort ?? row.cells[at].textContent;
    const order = [...body.rows].sort((a, b) => value(a).localeCompare(value(b), undefined, { numeric: true }));
    body.append(...(down ? order.reverse() : order));
  }
  for (const control of controls) control.addEventListener("input", filter);
  for (const head of document.querySelectorAll("table.models th")) head.addEventListener("click", () => sort(head));
  for (const section of document.querySelectorAll("section")) {
    if (section.dataset.base) for (const link of section.querySelectorAll("a:not([href])")) link.href = section.dataset.base + link.textContent;
  }
  filter();
})();
