// Tool calls of a person on a document: a form from the JSON schema of each tool.

const MAX_CALL = 60000; // characters; the server accepts 64 KiB a request
const SLIDE_LINE = /^slide \d+, id (\d+)/;
const SHAPE_LINE = /^ {2}\[(\d+)\]/;

let tools = new Map();
let readers = new Map(); // of the fields: argument name to a function that returns its value

/** Return the schema of an argument that may be null, without null. */
function schemaOf(property) {
  return property.anyOf?.find(({ type }) => type !== "null") ?? property;
}

/** Return a control for an argument and a function of its value; undefined omits the argument. */
function fieldOf(property, isRequired) {
  const { type, enum: values, minimum, maximum, maxLength, pattern } = schemaOf(property);
  const defaultValue = property.default ?? null;
  const placeholder = defaultValue === null || defaultValue === "" ? null : JSON.stringify(defaultValue);
  const choices = type === "boolean" ? [true, false] : values;
  if (choices) {
    const empty = isRequired ? [] : [make("option", { value: "" }, placeholder ?? "")];
    const select = make("select", {}, ...empty, ...choices.map((each, index) => make("option", { value: index }, String(each))));
    return [select, () => (select.value === "" ? undefined : choices[Number(select.value)])];
  }
  if (type === "integer" || type === "number") {
    const input = make("input", { type: "number", min: minimum, max: maximum, step: type === "integer" ? 1 : "any", required: isRequired, placeholder });
    return [input, () => (input.value === "" ? undefined : Number(input.value))];
  }
  if (type === "string" && (pattern || maxLength <= 255)) {
    const input = make("input", { type: "text", required: isRequired && !pattern, maxlength: maxLength, placeholder: pattern ? "#RRGGBB" : placeholder, autocomplete: "off" });
    return [input, () => (input.value === "" && !isRequired ? undefined : input.value)];
  }
  const isText = type === "string";
  const area = make("textarea", { rows: maxLength > 20000 ? 8 : 2, required: isRequired && !isText, placeholder: isText ? placeholder : "JSON", spellcheck: "false" });
  return [area, () => (area.value === "" && (!isRequired || !isText) ? undefined : isText ? area.value : JSON.parse(area.value))];
}

function showTool() {
  const tool = tools.get(byId("tool").value);
  readers = new Map();
  byId("call-error").textContent = "";
  byId("tool-text").textContent = visible(tool?.description ?? "");
  const { properties = {}, required = [] } = tool?.parameters ?? {};
  byId("fields").replaceChildren(...Object.entries(properties).map(([name, property]) => {
    const isRequired = required.includes(name);
    const [control, value] = fieldOf(property, isRequired);
    control.dataset.argument = name;
    readers.set(name, value);
    return make("label", { class: control.tagName === "TEXTAREA" ? "wide" : null },
      make("span", {}, make("strong", {}, name), isRequired ? "" : " (optional)"),
      control, make("span", { class: "muted" }, property.description ?? ""));
  }));
}

/** Show the outline, the last result and the tools of a document. */
function showDocument({ outline, result, tools: allTools, status }) {
  const isActing = status.held || status.owned;
  byId("outline").classList.toggle("pickable", isActing);
  if (isNew("outline", outline)) {
    let slide = "";
    byId("outline").replaceChildren(...outline.split("\n").map((line) => {
      slide = SLIDE_LINE.exec(line)?.[1] ?? slide;
      const shape = SHAPE_LINE.exec(line)?.[1] ?? "";
      return make("p", { "data-slide": slide, "data-shape": shape }, line);
    }));
  }
  byId("result-panel").hidden = result === "";
  if (isNew("result", result)) byId("result").textContent = visible(result);
  if (!isActing || !isNew("tools", allTools)) return;
  const previous = byId("tool").value;
  const offered = allTools.filter(({ name }) => !status.owned || !["done", "fail"].includes(name));
  tools = new Map(offered.map((tool) => [tool.name, tool]));
  byId("tool").replaceChildren(...[...tools.keys()].map((name) => make("option", { value: name }, name)));
  if (tools.has(previous)) byId("tool").value = previous;
  showTool();
}

byId("tool").addEventListener("change", showTool);

// A click on a line of the outline fills in the slide, and the shape.
byId("outline").addEventListener("click", ({ target }) => {
  for (const name of ["slide", "shape"]) {
    const field = byId("fields").querySelector(`[data-argument="${name}"]`);
    if (field && target.dataset[name]) field.value = target.dataset[name];
  }
});

byId("call-form").addEventListener("submit", (event) => {
  event.preventDefault();
  try {
    const values = [...readers].map(([name, value]) => [name, value()]).filter(([, value]) => value !== undefined);
    const call = { tool: byId("tool").value, arguments: Object.fromEntries(values) };
    if (JSON.stringify(call).length > MAX_CALL) throw new Error(`at most ${MAX_CALL} characters`);
    control("input", { event: call });
    byId("call-error").textContent = "";
  } catch (error) {
    byId("call-error").textContent = `Not called: ${error.message}`;
  }
});
