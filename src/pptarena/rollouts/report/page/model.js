// Reasoning and reply of the model for each step.

function messageAt({ model }, step) {
  return model?.messages.find(({ first, steps }) => first <= step && step < first + steps);
}

function showModel(panel, place, { model }, step) {
  panel.hidden = !model;
  if (!model) return;
  const { record, trouble } = model;
  const found = messageAt({ model }, step);
  byId("model-name").textContent = record
    ? visible([record.model, record.dialect, record.view].filter(Boolean).join(" · ")) : "";
  const parts = trouble ? [make("p", { class: "notice bad" }, trouble)] : [];
  if (found) parts.push(...messageParts(found, step));
  else if (!trouble) parts.push(make("p", { class: "muted" }, "Nothing was asked for this step."));
  if (record?.system) parts.push(folded("What it was told first", record.system));
  place.replaceChildren(...parts);
}

function messageParts(message, step) {
  const { thought, text, calls, error, shown: words, first, steps } = message;
  const tokens = `${message.input_tokens} tokens in, ${message.output_tokens} out`;
  const part = steps > 1 ? `action ${step - first + 1} of ${steps} of this answer` : "";
  return [
    make("p", { class: "muted small" }, [tokens, part].filter(Boolean).join(" · ")),
    error ? make("p", { class: "notice bad" }, `It meant no action: ${error}`) : null,
    thought && spoken("Thought", thought),
    text && spoken("Said", text),
    ...calls.map(({ name, arguments: given }) =>
      spoken("Called", `${name}(${jsonText(given)})`, "code")),
    thought || text || calls.length ? null : make("p", { class: "muted" }, "The answer was empty."),
    words && folded("What it was shown", words),
  ].filter(Boolean);
}

function jsonText(value) {
  const line = JSON.stringify(value);
  return line.length < 100 ? line : JSON.stringify(value, null, 1);
}

function spoken(label, text, kind = "") {
  return make("div", { class: "spoken" },
    make("p", { class: "muted small" }, label),
    make("div", { class: `words ${kind}`, tabindex: 0, role: "group", "aria-label": label }, text));
}

function folded(label, text) {
  return make("details", {}, make("summary", {}, label),
    make("div", { class: "words", tabindex: 0, role: "group", "aria-label": label }, text));
}
