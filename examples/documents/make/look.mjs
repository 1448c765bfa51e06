// Renders pages of made PDFs to PNG, to look at them: node look.mjs OUT FILE…
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';

const root = fileURLToPath(new URL('../../', import.meta.resolve('pdfjs-dist/legacy/build/pdf.mjs')));
const [out, ...files] = process.argv.slice(2);
for (const file of files) {
  const document = await getDocument({
    data: new Uint8Array(readFileSync(file)),
    cMapUrl: `${root}cmaps/`,
    cMapPacked: true,
    standardFontDataUrl: `${root}standard_fonts/`,
    wasmUrl: `${root}wasm/`,
    verbosity: 0,
  }).promise;
  for (let n = 1; n <= document.numPages; n++) {
    const page = await document.getPage(n);
    const viewport = page.getViewport({ scale: 1.3 });
    const { canvas } = document.canvasFactory.create(viewport.width, viewport.height);
    await page.render({ canvas, viewport }).promise;
    writeFileSync(join(out, `${basename(file, '.pdf')}-${n}.png`), canvas.toBuffer('image/png'));
    const { items } = await page.getTextContent();
    process.stdout.write(
      `${basename(file)} page ${n}: ${items
        .map((item) => item.str)
        .join(' ')
        .slice(0, 20000)}\n`,
    );
  }
}
