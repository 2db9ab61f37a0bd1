// Set-of-Marks: a frame and number for every element, with the numbers that agents use.

const MARK_COLORS = [
  "#c62828", "#1565c0", "#2e7d32", "#6a1b9a", "#b35900", "#00695c", "#ad1457", "#37474f",
];

const markColor = (element) => MARK_COLORS[(element - 1) % MARK_COLORS.length];

/** Clip a box (left, top, width, height) to the screen. */
function visibleBox([left, top, width, height], screen) {
  const x = Math.max(left, 0);
  const y = Math.max(top, 0);
  const right = Math.min(left + width, screen.width);
  const bottom = Math.min(top + height, screen.height);
  return { x, y, width: right - x, height: bottom - y };
}

function elementsOf(tree, nodes, screen) {
  return tree.elements
    .map((element, row) => ({ element, box: visibleBox(nodes[tree.nodes[row]][4], screen) }))
    .filter(({ element }) => element > 0);
}

/** Return the marks as an SVG group; `unit` is the size of a page pixel in screen pixels. */
function drawMarks(tree, nodes, screen, unit) {
  const size = 11 * Math.min(unit, 2);
  const elements = elementsOf(tree, nodes, screen);
  const frames = elements.map(({ element, box }) =>
    draw("rect", { ...box, class: "mark-frame", stroke: markColor(element), "stroke-width": unit }));
  const placed = [];
  // Small elements first: they have the fewest positions for a label.
  const order = [...elements].sort((a, b) => a.box.width * a.box.height - b.box.width * b.box.height);
  const plates = order.map(({ element, box }) => {
    const text = String(element);
    const plate = { width: size * (0.62 * text.length + 0.5), height: size * 1.25 };
    Object.assign(plate, freePosition(box, plate, placed, screen));
    placed.push(plate);
    const middle = { x: plate.x + plate.width / 2, y: plate.y + plate.height / 2 };
    return draw("g", {},
      draw("rect", { ...plate, fill: markColor(element), rx: size / 6 }),
      draw("text", { ...middle, class: "mark-number", "font-size": size }, text));
  });
  return draw("g", { id: "marks" }, ...frames, ...plates);
}

/** Return the first free position for a label: at a corner, then farther out. */
function freePosition(box, plate, placed, screen) {
  const right = box.x + box.width - plate.width;
  const bottom = box.y + box.height - plate.height;
  const positions = [
    [box.x, box.y], [right, box.y], [box.x, bottom], [right, bottom],
    [box.x, box.y - plate.height], [box.x, box.y + box.height],
    [box.x + box.width, box.y], [box.x - plate.width, box.y],
  ];
  const middle = [(box.x + right) / 2, (box.y + bottom) / 2];
  for (let ring = 1; ring < 7; ring++) {
    for (let i = -ring; i <= ring; i++) {
      for (let j = -ring; j <= ring; j++) {
        if (Math.max(Math.abs(i), Math.abs(j)) < ring) continue;
        positions.push([middle[0] + i * plate.width, middle[1] + j * plate.height]);
      }
    }
  }
  const inside = positions.map(([x, y]) => ({
    x: Math.min(Math.max(x, 0), Math.max(0, screen.width - plate.width)),
    y: Math.min(Math.max(y, 0), Math.max(0, screen.height - plate.height)),
  }));
  const free = ({ x, y }) => placed.every((other) =>
    x >= other.x + other.width || x + plate.width <= other.x ||
    y >= other.y + other.height || y + plate.height <= other.y);
  return inside.find(free) ?? inside[0];
}
