// The accessibility tree of a step.

const HIDDEN_STATES = new Set([
  "enabled", "sensitive", "showing", "visible", "focusable", "selectable", "opaque", "resizable",
  "horizontal", "vertical", "multi-line", "single-line", "has-tooltip", "expandable", "read-only",
]);

/** Return the row of a step's target element, or of the smallest node at its point; -1 for none. */
function targetRow(tree, nodes, step) {
  if (!step) return -1;
  if (step.action.element) return tree.elements.indexOf(step.action.element);
  if (!step.point_px) return -1;
  const [x, y] = step.point_px;
  let best = -1;
  let smallestArea = Infinity;
  tree.nodes.forEach((number, row) => {
    const [left, top, width, height] = nodes[number][4];
    const area = width * height;
    const inside = x >= left && x < left + width && y >= top && y < top + height;
    if (inside && area > 0 && area <= smallestArea) [best, smallestArea] = [row, area];
  });
  return best;
}

/** Show a tree; `onHover` receives the box of the hovered or focused row, or null. */
function showTree(place, tree, nodes, aimed, onHover) {
  const top = make("ul", {});
  const lists = [top];
  const rows = tree.nodes.map((number, row) => {
    const depth = tree.depths[row];
    const isParent = (tree.depths[row + 1] ?? -1) > depth;
    const label = treeLabel(nodes[number], tree.elements[row], row === aimed, isParent);
    const list = make("ul", {});
    const item = make("li", {}, isParent ? make("details", { open: true }, label, list) : label);
    lists[depth].append(item);
    lists[depth + 1] = list;
    for (const event of ["pointerenter", "focus"]) {
      label.addEventListener(event, () => onHover(nodes[number][4]));
    }
    for (const event of ["pointerleave", "blur"]) label.addEventListener(event, () => onHover(null));
    return label;
  });
  place.replaceChildren(top);
  if (aimed >= 0) bringIntoView(place, rows[aimed]);
}

/** Scroll inside a panel, never the page. */
function bringIntoView(place, row) {
  const offset = row.getBoundingClientRect().top - place.getBoundingClientRect().top;
  place.scrollTop += offset - place.clientHeight / 3;
}

function treeLabel([role, name, text, description, box, states], element, isAimed, isParent) {
  const shownStates = states.split(" ").filter((state) => state && !HIDDEN_STATES.has(state));
  const badge = element ? make("span", { class: `badge mark-${(element - 1) % 8}` }, String(element)) : null;
  return make(isParent ? "summary" : "div",
    { class: isAimed ? "node aimed" : "node", "aria-current": isAimed && "true", title: box.join(", ") },
    badge,
    make("span", { class: "role" }, role),
    name && make("span", { class: "name" }, truncate(name, 120)),
    text && text !== name && make("span", { class: "text" }, `“${truncate(text, 200)}”`),
    description && make("span", { class: "muted" }, truncate(description, 120)),
    shownStates.length ? make("span", { class: "states" }, shownStates.join(", ")) : null);
}
