"use strict";
(() => {
  const specs = JSON.parse(document.getElementById("specs").textContent);
  const root = document.documentElement;
  const prefersDark = window.matchMedia("(prefers-color-scheme: dark)");
  let chosen = null; // by the button; else as the system has it
  let axis = "seconds";

  // A colour in a figure is "var(--name)", perhaps with two digits of transparency behind it.
  function resolved(value, style) {
    if (typeof value === "string" && value.startsWith("var(--")) {
      const end = value.indexOf(")");
      return style.getPropertyValue(value.slice(4, end)).trim() + value.slice(end + 1);
    }
    if (Array.isArray(value)) return value.map((each) => resolved(each, style));
    if (value !== null && typeof value === "object") {
      return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, resolved(each, style)]));
    }
    return value;
  }

  function inWords(seconds) {
    const whole = Math.round(seconds);
    const two = (number) => String(number).padStart(2, "0");
    if (whole < 3600) return `${Math.floor(whole / 60)}:${two(whole % 60)}`;
    if (whole < 172800) return `${Math.floor(whole / 3600)}:${two(Math.floor(whole / 60) % 60)} h`;
    return `${(whole / 86400).toFixed(1)} d`;
  }

  // Ticks at times that people count in.
  function timeTicks(most) {
    const steps = [1, 5, 10, 30, 60, 120, 300, 600, 1800, 3600, 7200, 21600, 43200, 86400, 172800, 604800];
    const step = steps.find((each) => most / each <= 5) || 2592000;
    const values = [];
    for (let at = 0; at <= most; at += step) values.push(at);
    return { tickmode: "array", tickvals: values, ticktext: values.map(inWords) };
  }

  function horizontal(spec, plot) {
    if (!plot.hasAttribute("data-axes")) return spec;
    const data = spec.data.map((trace) => ({ ...trace, x: trace.meta[axis] }));
    const most = Math.max(1, ...data.map((trace) => trace.x[trace.x.length - 1] || 0));
    const ticks = axis === "seconds" ? timeTicks(most) : { tickformat: "~s" };
    const words = data.map((trace) => ({
      ...trace,
      text: axis === "seconds" ? trace.x.map(inWords) : undefined,
    }));
    const title = { text: axis === "seconds" ? "time" : "executions" };
    return { data: words, layout: { ...spec.layout, xaxis: { ...spec.layout.xaxis, ...ticks, title, range: [0, most] } } };
  }

  function dressed(layout, style, narrow) {
    const ink = style.getPropertyValue("--ink").trim();
    const line = style.getPropertyValue("--line").trim();
    const card = style.getPropertyValue("--card").trim();
    const muted = style.getPropertyValue("--muted").trim();
    const ofAxis = (given) => ({
      gridcolor: line, zerolinecolor: line, linecolor: line, automargin: true, ticks: "outside", ticklen: 5, tickcolor: "rgba(0,0,0,0)",
      tickfont: { color: muted, size: 12 },
      ...given,
      title: { ...(given && given.title), font: { color: muted, size: 12 }, standoff: 8 },
    });
    return {
      height: 290,
      margin: { l: narrow ? 40 : 52, r: 16, t: 10, b: layout.showlegend ? 74 : 46 },
      paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)",
      font: { family: getComputedStyle(document.body).fontFamily, color: ink, size: 13 },
      hoverlabel: { bgcolor: card, bordercolor: line, font: { color: ink, size: 13 }, align: "left" },
      dragmode: false,
      ...layout,
      legend: { orientation: "h", x: 0, y: 0, yref: "container", yanchor: "bottom", font: { size: 12 }, ...layout.legend },
      xaxis: ofAxis(layout.xaxis), yaxis: ofAxis(layout.yaxis),
    };
  }

  // Mark what can be moved sideways: a phone shows no scroll bar before it is touched.
  function markWide() {
    for (const box of document.querySelectorAll(".scrolls")) box.classList.toggle("wider", box.scrollWidth > box.clientWidth + 1);
  }

  function draw() {
    const dark = chosen === null ? prefersDark.matches : chosen === "dark";
    root.dataset.theme = dark ? "dark" : "light";
    const style = getComputedStyle(root);
    for (const plot of document.querySelectorAll("[data-figure]")) {
      if (typeof Plotly === "undefined") {
        plot.textContent = `This figure needs ${document.querySelector("script[src]").getAttribute("src")} beside this page.`;
        continue;
      }
      const folded = plot.closest("details");
      if (folded && !folded.open) continue; // it has no width yet
      const spec = horizontal(specs[plot.dataset.figure], plot);
      const layout = dressed(resolved(spec.layout, style), style, window.innerWidth < 640);
      Plotly.react(plot, resolved(spec.data, style), layout, {
        displayModeBar: false, responsive: true, scrollZoom: false, doubleClick: "reset",
      });
    }
    markWide();
  }

  function sort(table, column, heading) {
    const down = heading.getAttribute("aria-sort") !== "descending";
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    heading.setAttribute("aria-sort", down ? "descending" : "ascending");
    const value = (row) => {
      const cell = row.cells[column];
      return cell.dataset.value === undefined ? cell.textContent : Number(cell.dataset.value);
    };
    const order = (a, b) => (typeof a === "number" ? a - b : a.localeCompare(b));
    const rows = [...table.tBodies[0].rows].sort((a, b) => order(value(a), value(b)) * (down ? -1 : 1));
    table.tBodies[0].append(...rows);
  }

  for (const table of document.querySelectorAll("table.sortable")) {
    [...table.tHead.rows[0].cells].forEach((heading, column) => {
      heading.addEventListener("click", () => sort(table, column, heading));
    });
  }
  for (const details of document.querySelectorAll("details")) {
    details.addEventListener("toggle", () => { 
      if (details.open && details.querySelector("[data-figure]")) draw();
      else markWide();
    });
  }

  async function copy(button) {
    try {
      await navigator.clipboard.writeText(button.dataset.copy);
    } catch (error) { // not allowed, for example in a page over plain HTTP
      const area = document.createElement("textarea");
      area.value = button.dataset.copy;
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
    button.textContent = "copied";
    setTimeout(() => { button.textContent = "copy"; }, 1500);
  }
  for (const button of document.querySelectorAll("[data-copy]")) {
    button.addEventListener("click", () => copy(button));
  }
  for (const button of document.querySelectorAll("[data-axis]")) {
    button.addEventListener("click", () => {
      axis = button.dataset.axis;
      for (const each of document.querySelectorAll("[data-axis]")) {
        each.setAttribute("aria-pressed", String(each.dataset.axis === axis));
      }
      draw();
    });
  }
  document.getElementById("theme").addEventListener("click", () => {
    chosen = root.dataset.theme === "dark" ? "light" : "dark";
    draw();
  });
  prefersDark.addEventListener("change", draw);
  window.addEventListener("resize", markWide);
  draw();
  root.dataset.drawn = "yes";
})();
