import { grayscale, PDFDocument, type PDFFont, type PDFPage, StandardFonts } from "@cantoo/pdf-lib";

/** The look of a text. Sizes and positions are in points (1/72 inch), measured from the page's top left corner. */
interface TextStyle {
  /** Font size; 10 by default. */
  size?: number | undefined;
  bold?: boolean | undefined;
  /** Which end of the text `x` is; its left end by default. */
  align?: "left" | "right" | "center" | undefined;
  /** From 0 (black, the default) to 1 (white). */
  gray?: number | undefined;
}

/** The look of a line or a filled area. */
interface ShapeStyle {
  /** A line's width; 0.5 by default. */
  width?: number | undefined;
  gray?: number | undefined;
}

/** The size of an A4 page in portrait orientation. */
export const PAGE_WIDTH = 595;
export const PAGE_HEIGHT = 842;

const DEFAULT_SIZE = 10;

/** Replaces characters that the fonts lack. */
const OMITTED = "[?]";

/**
 * A PDF of text, lines and areas, the same in a browser and in Node. It uses only the fonts built into every PDF
 * reader, so it loads nothing. Characters that they lack are replaced by a mark; `omitted` then says that the file
 * needs a footnote.
 */
export class PdfDocument {
  /** Whether some text contained characters that the fonts lack. */
  omitted = false;
  private page: PDFPage | undefined;
  private readonly chosen = new Map<PDFPage, PDFFont>();
  private readonly characters: ReadonlySet<number>;

  private constructor(
    private readonly file: PDFDocument,
    private readonly fonts: { regular: PDFFont; bold: PDFFont },
  ) {
    this.characters = new Set(fonts.regular.getCharacterSet());
  }

  static async create({ title, time }: { title: string; time: Date }): Promise<PdfDocument> {
    const file = await PDFDocument.create({ updateMetadata: false });
    file.setTitle(title, { showInWindowTitleBar: true });
    file.setProducer("Halcyon");
    file.setLanguage("en-US");
    file.setCreationDate(time);
    return new PdfDocument(file, {
      regular: await file.embedFont(StandardFonts.Helvetica),
      bold: await file.embedFont(StandardFonts.HelveticaBold),
    });
  }

  get pageCount(): number {
    return this.file.getPageCount();
  }

  addPage(): void {
    this.page = this.file.addPage([PAGE_WIDTH, PAGE_HEIGHT]);
  }

  /** Draws one line of text with its baseline at `y`. */
  text(x: number, y: number, text: string, { size = DEFAULT_SIZE, bold, align, gray = 0 }: TextStyle = {}): void {
    const written = this.writable(text);
    this.omitted ||= written.omitted;
    const font = this.font(bold);
    const width = align === undefined || align === "left" ? 0 : font.widthOfTextAtSize(written.text, size);
    const left = align === "center" ? x - width / 2 : x - width;
    const page = this.current();
    // pdf-lib adds another name for the font to the page each time the font is set.
    if (this.chosen.get(page) !== font) page.setFont(font);
    this.chosen.set(page, font);
    page.drawText(written.text, { x: left, y: PAGE_HEIGHT - y, size, color: grayscale(gray) });
  }

  line(x1: number, y1: number, x2: number, y2: number, { width = 0.5, gray = 0 }: ShapeStyle = {}): void {
    const [start, end] = [
      { x: x1, y: PAGE_HEIGHT - y1 },
      { x: x2, y: PAGE_HEIGHT - y2 },
    ];
    this.current().drawLine({ start, end, thickness: width, color: grayscale(gray) });
  }

  /** Fills an area. */
  rect(x: number, y: number, width: number, height: number, { gray = 0 }: ShapeStyle = {}): void {
    this.current().drawRectangle({ x, y: PAGE_HEIGHT - y - height, width, height, color: grayscale(gray) });
  }

  widthOf(text: string, { size = DEFAULT_SIZE, bold }: TextStyle = {}): number {
    return this.font(bold).widthOfTextAtSize(this.writable(text).text, size);
  }

  /** Splits a text into lines of at most `width`. Breaks a word that is wider than a line. */
  wrap(text: string, width: number, style: TextStyle = {}): string[] {
    const lines: string[] = [];
    let line = "";
    const fits = (candidate: string) => this.widthOf(candidate, style) <= width;
    for (const word of text.split(/\s+/u).filter(Boolean)) {
      const longer = line === "" ? word : `${line} ${word}`;
      if (fits(longer)) {
        line = longer;
        continue;
      }
      if (line !== "") lines.push(line);
      line = "";
      for (const character of word) {
        if (line !== "" && !fits(line + character)) {
          lines.push(line);
          line = "";
        }
        line += character;
      }
    }
    return line === "" ? lines : [...lines, line];
  }

  /** Shortens a text to one line of at most `width`, ending in an ellipsis if it was cut. */
  fit(text: string, width: number, style: TextStyle = {}): string {
    if (this.widthOf(text, style) <= width) return text;
    const characters = [...text];
    while (characters.length > 0 && this.widthOf(`${characters.join("")}…`, style) > width) characters.pop();
    return `${characters.join("")}…`;
  }

  /** Draws on a page that was added earlier, such as its page number once the number of pages is known. */
  onPage(index: number, draw: () => void): void {
    const last = this.page;
    this.page = this.file.getPage(index);
    draw();
    this.page = last;
  }

  /** Returns the finished file. */
  bytes(): Promise<Uint8Array> {
    return this.file.save({ addDefaultPage: false });
  }

  private font(bold = false): PDFFont {
    return bold ? this.fonts.bold : this.fonts.regular;
  }

  private current(): PDFPage {
    if (!this.page) throw new RangeError("add a page first");
    return this.page;
  }

  /** Returns a text as one line of characters that the fonts have. Each run of other characters becomes one mark. */
  private writable(text: string): { text: string; omitted: boolean } {
    let written = "";
    let omitted = false;
    let inRun = false;
    for (const character of text.normalize("NFC").replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")) {
      const known = this.characters.has(character.codePointAt(0) ?? 0);
      if (known) written += character;
      else if (!inRun) written += OMITTED;
      inRun = !known;
      omitted ||= inRun;
    }
    return { text: written, omitted };
  }
}
