// A page as a list of drawing operations in points from the top left, so that one layout gives a PDF with a text
// layer as well as a scan of the same paper.
import { fileURLToPath } from 'node:url';
import { createCanvas, GlobalFonts } from '@napi-rs/canvas';

const font = (path) => fileURLToPath(import.meta.resolve(`@expo-google-fonts/${path}`));

/** Files of the faces; Arimo, Tinos and Cousine have the widths of Helvetica, Times and Courier. */
export const FONT_FILES = {
  'zh-sans': font('noto-sans-sc/400Regular/NotoSansSC_400Regular.ttf'),
  'zh-sans-bold': font('noto-sans-sc/700Bold/NotoSansSC_700Bold.ttf'),
  'zh-serif': font('noto-serif-sc/400Regular/NotoSerifSC_400Regular.ttf'),
  'zh-serif-bold': font('noto-serif-sc/700Bold/NotoSerifSC_700Bold.ttf'),
  'en-sans': font('arimo/400Regular/Arimo_400Regular.ttf'),
  'en-sans-bold': font('arimo/700Bold/Arimo_700Bold.ttf'),
  'en-serif': font('tinos/400Regular/Tinos_400Regular.ttf'),
  'en-serif-bold': font('tinos/700Bold/Tinos_700Bold.ttf'),
  'en-mono': font('cousine/400Regular/Cousine_400Regular.ttf'),
  'en-mono-bold': font('cousine/700Bold/Cousine_700Bold.ttf'),
};
for (const [name, file] of Object.entries(FONT_FILES)) GlobalFonts.registerFromPath(file, `doc-${name}`);

const measure = createCanvas(10, 10).getContext('2d');

export class Page {
  constructor({ lang = 'en', face = 'sans', width = 595, height = 842, size = 10 } = {}) {
    Object.assign(this, { lang, face, width, height, size, ops: [] });
  }

  fontOf(bold) {
    return `${this.lang}-${this.lang === 'zh' && this.face === 'mono' ? 'sans' : this.face}${bold ? '-bold' : ''}`;
  }

  widthOf(string, size = this.size, bold = false) {
    measure.font = `${size}px "doc-${this.fontOf(bold)}"`;
    return measure.measureText(string).width;
  }

  text(x, y, string, { size = this.size, bold = false, align = 'left', grey = 0 } = {}) {
    const width = align === 'left' ? 0 : this.widthOf(string, size, bold);
    const left = align === 'right' ? x - width : align === 'centre' ? x - width / 2 : x;
    this.ops.push({ op: 'text', x: left, y, string, size, font: this.fontOf(bold), grey });
    return this;
  }

  line(x1, y1, x2, y2, width = 0.7) {
    this.ops.push({ op: 'line', x1, y1, x2, y2, width });
    return this;
  }

  box(x, y, width, height, fill = null) {
    this.ops.push({ op: 'box', x, y, width, height, fill });
    return this;
  }

  /** Breaks a text into lines of at most the given width: between words, or between Han characters. */
  lines(string, width, size = this.size, bold = false) {
    const out = [];
    for (const paragraph of string.split('\n')) {
      const units = paragraph.match(/[A-Za-z0-9¥$€£.,:%'()/&@#_-]+\s*|./gu) ?? [''];
      let line = '';
      for (const unit of units) {
        if (line && this.widthOf((line + unit).trimEnd(), size, bold) > width && !/^[，。；：、）》”]/.test(unit)) {
          out.push(line.trimEnd());
          line = '';
        }
        line += unit;
      }
      out.push(line.trimEnd());
    }
    return out;
  }

  /** Sets a text in lines and returns the y below it. */
  flow(x, y, width, string, { size = this.size, bold = false, lead = 1.5, ...rest } = {}) {
    let at = y;
    for (const line of this.lines(string, width, size, bold)) {
      if (line) this.text(x, at, line, { size, bold, ...rest });
      at += size * lead;
    }
    return at;
  }

  /** Pairs of label and value: `left` (two columns), `colon` (one string), `above` (label over value). */
  pairs(x, y, pairs, { mode = 'colon', gap = 90, step = this.size * 1.7, align = 'left' } = {}) {
    let at = y;
    for (const [label, value] of pairs) {
      if (mode === 'above') {
        this.text(x, at, label, { size: this.size - 2, grey: 90, align });
        this.text(x, at + this.size * 1.3, value, { align });
        at += this.size * 3.2;
      } else if (mode === 'left') {
        this.text(x, at, label, { grey: 60 });
        this.text(x + gap, at, value);
        at += step;
      } else {
        this.text(x, at, this.lang === 'zh' ? `${label}：${value}` : `${label}: ${value}`, { align });
        at += step;
      }
    }
    return at;
  }

  /** A table; columns are [title, width, align]. Returns the y below it. */
  table(x, y, columns, rows, { rowHeight = this.size * 1.9, grid = 'all', headBold = true } = {}) {
    const width = columns.reduce((sum, column) => sum + column[1], 0);
    const head = columns.some((column) => column[0]);
    const all = head ? [columns.map((column) => column[0]), ...rows] : rows;
    for (const [i, row] of all.entries()) {
      let left = x;
      for (const [j, [, w, align = 'left']] of columns.entries()) {
        const at = align === 'right' ? left + w - 4 : align === 'centre' ? left + w / 2 : left + 4;
        const value = row[j] ?? '';
        if (value !== '')
          this.text(at, y + i * rowHeight + rowHeight * 0.68, value, { align, bold: head && headBold && i === 0 });
        left += w;
      }
      if (grid !== 'none') this.line(x, y + i * rowHeight, x + width, y + i * rowHeight, 0.5);
    }
    const bottom = y + all.length * rowHeight;
    if (grid !== 'none') this.line(x, bottom, x + width, bottom, 0.5);
    if (grid === 'all') {
      let left = x;
      for (const w of [0, ...columns.map((column) => column[1])]) {
        left += w;
        this.line(left, y, left, bottom, 0.5);
      }
    }
    return bottom;
  }
}
