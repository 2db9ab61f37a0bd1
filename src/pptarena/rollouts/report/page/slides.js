// The deck before and after: the list of changes and the changed slides.

const SAVED_DECKS = "Pictures show both decks as the application saves them. Content that saving drops, such as " +
  "the slide numbers of many decks, is missing in both.";

let slideUrls = [];

function showSlides(place, slides) {
  slideUrls.forEach((url) => URL.revokeObjectURL(url));
  slideUrls = [];
  const parts = [changeList(slides)];
  if (slides.missing) {
    parts.push(make("p", { class: "notice" }, `No pictures of slides: ${slides.missing}.`));
  }
  if (slides.slides.length) parts.push(make("p", { class: "muted small" }, SAVED_DECKS));
  parts.push(...slides.slides.map(slidePair));
  const hidden = slides.total - slides.slides.filter(({ after }) => after !== null).length;
  if (slides.slides.length && hidden > 0) {
    parts.push(make("p", { class: "muted small" }, `${plural(hidden, "slide")} without a change not shown.`));
  }
  place.replaceChildren(...parts);
}

function changeList({ changes, more_changes: more, missing }) {
  if (!changes.length) {
    return make("p", { class: "muted" }, missing ? "" : "Nothing changed in the deck.");
  }
  const items = changes.map((change) => make("li", {}, change));
  if (more) items.push(make("li", { class: "muted" }, `and ${more} more`));
  return make("details", { class: "changes", open: items.length <= 8 },
    make("summary", {}, `${plural(changes.length + more, "change")} as text`), make("ul", {}, ...items));
}

function slidePair(slide) {
  const { before, after } = slide;
  let label = `Slide ${before}`;
  if (before === null) label = `New slide ${after}`;
  else if (after === null) label = `Slide ${before}, deleted`;
  else if (before !== after) label = `Slide ${before}, now slide ${after}`;
  if (!slide.changed) label += ", unchanged";
  return make("div", { class: "pair", role: "group", "aria-label": label },
    make("p", { class: "pair-title" }, label),
    slide.changes.length ? make("p", { class: "pair-changes" }, truncate(slide.changes.join("; "), 400)) : null,
    slideFigure("Before", before, slide.before_picture),
    slideFigure("After", after, slide.after_picture));
}

function slideFigure(when, number, picture) {
  const label = number === null ? `${when}: no such slide` : `${when}: slide ${number}`;
  if (picture === null) {
    return make("figure", { class: "slide none" }, make("p", {}, when === "Before" ? "new slide" : "deleted"),
      make("figcaption", {}, when));
  }
  const url = URL.createObjectURL(pictureBlob(picture));
  slideUrls.push(url);
  const button = make("button", { type: "button", "aria-label": `${label}, enlarge` },
    make("img", { src: url, alt: label }));
  button.addEventListener("click", () => enlarge(url, label));
  return make("figure", { class: "slide" }, button, make("figcaption", {}, when));
}

function enlarge(url, label) {
  byId("large-picture").src = url;
  byId("large-picture").alt = label;
  byId("large-caption").textContent = visible(label);
  byId("large").showModal();
}
