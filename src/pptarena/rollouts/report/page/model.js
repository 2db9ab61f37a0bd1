// Reasoning and reply of the model for each step.

function messageAt({ model }, step) {
  return model?.messages.find(({ first, steps }) => first <= step && step < first + steps);
}

function showModel(panel, place, { model }, step) {
  panel.hidden = !model;
  if (!model) return;
  const { record, trouble: problem } = model;
  const message = messageAt({ model }, step);
  byId("model-name").textContent = record
    ? visible([record.model, record.dialect, record.see].filter(Boolean).join(" · ")) : "";
  const parts = problem ? [make("p", { class: "notice bad" }, problem)] : [];
  if (message) parts.push(...messageParts(message, step));
  else if (!problem) parts.push(make("p", { class: "muted" }, "No request was sent for this step."));
  if (record?.system) parts.push(collapsible("System prompt", record.system));
  place.replaceChildren(...parts);
}

function messageParts(message, step) {
  const { thought, text, calls, error, shown: input, first, steps } = message;
  const tokens = `${message.input_tokens} tokens in, ${message.output_tokens} out`;
  const part = steps > 1 ? `action ${step - first + 1} of ${steps} of this reply` : "";
  return [
    make("p", { class: "muted small" }, [tokens, part].filter(Boolean).join(" · ")),
    error ? make("p", { class: "notice bad" }, `No valid action: ${error}`) : null,
    thought && labeledText("Thought", thought),
    text && labeledText("Text", text),
    ...calls.map(({ name, arguments: values }) =>
      labeledText("Call", `${name}(${jsonText(values)})`, "code")),
    thought || text || calls.length ? null : make("p", { class: "muted" }, "The reply was empty."),
    input && collapsible("Input", input),
  ].filter(Boolean);
}

function jsonText(value) {
  const line = JSON.stringify(value);
  return line.length < 100 ? line : JSON.stringify(value, null, 1);
}

function labeledText(label, text, kind = "") {
  return make("div", { class: "labeledText" },
    make("p", { class: "muted small" }, label),
    make("div", { class: `words ${kind}`, tabindex: 0, role: "group", "aria-label": label }, text));
}

function collapsible(label, text) {
  return make("details", {}, make("summary", {}, label),
    make("div", { class: "words", tabindex: 0, role: "group", "aria-label": label }, text));
}
