// The screenshot, assembled from its tiles.

let drawing = 0;

/** Draw a screen; return false if another one was requested meanwhile. */
async function drawScreen(canvas, screen) {
  const mine = ++drawing;
  const bitmaps = await Promise.all(screen.tiles.map(loadBitmap));
  if (mine !== drawing) return false;
  canvas.width = screen.width;
  canvas.height = screen.height;
  const context = canvas.getContext("2d");
  const [wide, high] = summary.tile;
  const columns = Math.ceil(screen.width / wide);
  bitmaps.forEach((bitmap, index) => {
    const left = (index % columns) * wide;
    const top = Math.floor(index / columns) * high;
    const size = [Math.min(wide, screen.width - left), Math.min(high, screen.height - top)];
    context.drawImage(bitmap, left, top, ...size);
  });
  return true;
}

/** Start decoding the screen that is likely shown next. */
function prepareScreen(screen) {
  screen?.tiles.forEach((tile) => loadBitmap(tile).catch(() => {}));
}
