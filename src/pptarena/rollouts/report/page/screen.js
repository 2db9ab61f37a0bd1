// The screenshot, assembled from its tiles.

let drawing = 0;

/** Draw a screen; return false if another one was requested meanwhile. */
async function drawScreen(canvas, screen) {
  const drawingNumber = ++drawing;
  const bitmaps = await Promise.all(screen.tiles.map(loadBitmap));
  if (drawingNumber !== drawing) return false;
  canvas.width = screen.width;
  canvas.height = screen.height;
  const context = canvas.getContext("2d");
  const [tileWidth, tileHeight] = summary.tile;
  const columns = Math.ceil(screen.width / tileWidth);
  bitmaps.forEach((bitmap, index) => {
    const left = (index % columns) * tileWidth;
    const top = Math.floor(index / columns) * tileHeight;
    const size = [Math.min(tileWidth, screen.width - left), Math.min(tileHeight, screen.height - top)];
    context.drawImage(bitmap, left, top, ...size);
  });
  return true;
}

/** Start decoding the screen that is likely shown next. */
function prepareScreen(screen) {
  screen?.tiles.forEach((tile) => loadBitmap(tile).catch(() => {}));
}
