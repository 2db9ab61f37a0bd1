// Reads the embedded data: the summary immediately, the rest on demand.

const MAX_CACHED_EPISODES = 6;
const MAX_CACHED_BITMAPS = 1200;

const summary = JSON.parse(document.getElementById("summary").textContent);
const episodeCache = new Map();
const bitmapCache = new Map();

// For every picture: the number of its element, and start and end of its base64 text in the element.
const pictureOffsets = summary.pictures.flatMap((lengths, chunk) => {
  let end = 0;
  return lengths.map((length) => {
    end += length;
    return [chunk, end - length, end];
  });
});

function bytesOf(base64) {
  return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
}

async function unpackEpisode(number) {
  const bytes = bytesOf(document.getElementById(`episode-${number}`).textContent);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
}

/** Return the cached promise for a key; the cache keeps the `limit` most recently used ones. */
function cached(cache, key, limit, make, drop = () => {}) {
  const value = cache.get(key) ?? make();
  cache.delete(key);
  cache.set(key, value);
  for (const old of cache.keys()) {
    if (cache.size <= limit) break;
    cache.get(old).then(drop, () => {});
    cache.delete(old);
  }
  return value;
}

function loadEpisode(number) {
  return cached(episodeCache, number, MAX_CACHED_EPISODES, () => unpackEpisode(number));
}

function pictureBlob(number) {
  const [chunk, from, to] = pictureOffsets[number];
  const text = document.getElementById(`pictures-${chunk}`).textContent;
  return new Blob([bytesOf(text.slice(from, to))], { type: "image/webp" });
}

function loadBitmap(number) {
  return cached(bitmapCache, number, MAX_CACHED_BITMAPS, () => createImageBitmap(pictureBlob(number)));
}
