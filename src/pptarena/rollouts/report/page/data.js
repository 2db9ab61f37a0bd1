// Reads the embedded data: the summary immediately, the rest on demand.

const KEPT_EPISODES = 6;
const KEPT_BITMAPS = 1200;

const summary = JSON.parse(document.getElementById("summary").textContent);
const episodeCache = new Map();
const bitmapCache = new Map();

// For every picture: the number of its element, and start and end of its base64 text in it.
const pictureFinder = summary.pictures.flatMap((lengths, chunk) => {
  let at = 0;
  return lengths.map((length) => {
    at += length;
    return [chunk, at - length, at];
  });
});

function bytesOf(base64) {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}

async function unpacked(number) {
  const bytes = bytesOf(document.getElementById(`episode-${number}`).textContent);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
}

/** Return the cached promise for a key; the cache keeps the `most` recently used ones. */
function remembered(cache, key, most, make, drop = () => {}) {
  const found = cache.get(key) ?? make();
  cache.delete(key);
  cache.set(key, found);
  for (const old of cache.keys()) {
    if (cache.size <= most) break;
    cache.get(old).then(drop, () => {});
    cache.delete(old);
  }
  return found;
}

function loadEpisode(number) {
  return remembered(episodeCache, number, KEPT_EPISODES, () => unpacked(number));
}

function pictureBlob(number) {
  const [chunk, from, to] = pictureFinder[number];
  const text = document.getElementById(`pictures-${chunk}`).textContent;
  return new Blob([bytesOf(text.slice(from, to))], { type: "image/webp" });
}

function loadBitmap(number) {
  return remembered(bitmapCache, number, KEPT_BITMAPS, () => createImageBitmap(pictureBlob(number)));
}
