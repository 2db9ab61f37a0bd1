// Builds the page. Strings are always inserted as text, never parsed as HTML.

const SVG = "http://www.w3.org/2000/svg";

const byId = (id) => document.getElementById(id);

/** Escape invisible characters and those that change the text direction, like the command line. */
function visible(text) {
  return String(text).replace(UNPRINTABLE, (found) =>
    [...Array(found.length).keys()].map((at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, "0")}`).join(""));
}

function shownChild(child) {
  return child instanceof Node ? child : visible(child);
}

function filled(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    node.setAttribute(name, value === true ? "" : visible(value));
  }
  node.append(...children.filter((child) => child !== null && child !== undefined && child !== "").map(shownChild));
  return node;
}

/** Make an HTML element; a child that is a string becomes text. */
function make(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/** Make an SVG element. */
function draw(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

function plural(count, noun) {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function clipped(text, most) {
  const letters = [...String(text)];
  return letters.length > most ? `${letters.slice(0, most - 1).join("")}…` : String(text);
}

/** Format a score; only exactly 1 becomes 1.00, and only exactly 0 becomes 0.00. */
function scoreText(score) {
  if (score === null || score === undefined) return "–";
  if (score < 1 && score >= 0.995) return ">0.99";
  if (score > 0 && score < 0.005) return "<0.01";
  return score.toFixed(2);
}

function outcomeOf(listed) {
  if (listed.infra) return "infra";
  if (listed.score === null) return "unscored";
  if (listed.score >= 1) return "full";
  return listed.score > 0 ? "part" : "none";
}

function scoreChip(listed) {
  const outcome = outcomeOf(listed);
  const words = { infra: "infra failed", unscored: "unscored" };
  return make("span", { class: `chip ${outcome}` }, words[outcome] ?? scoreText(listed.score));
}

const isWide = () => matchMedia("(min-width: 900px)").matches;
