import { grayscale, PDFDocument, type PDFFont, type PDFPage, StandardFonts } from "@cantoo/pdf-lib";

/** How a text looks. Sizes and places are in points (1/72 inch), from the top left corner of the page. */
export interface TextStyle {
  /** 10 when left out. */
  size?: number | undefined;
  bold?: boolean | undefined;
  /** Where `x` is of the text; its left end when left out. */
  align?: "left" | "right" | "center" | undefined;
  /** 0 is black, 1 white. */
  gray?: number | undefined;
}

/** A line or an area. */
export interface ShapeStyle {
  /** Of a line: 0.5 when left out. */
  width?: number | undefined;
  gray?: number | undefined;
}

/** A4, upright. */
export const PAGE_WIDTH = 595;
export const PAGE_HEIGHT = 842;

const DEFAULT_SIZE = 10;

/** What stands for characters that the fonts do not have. */
const OMITTED = "[?]";

/**
 * A PDF of text, lines and areas, the same in a browser and in Node. It uses the fonts that every reader has, so it loads
 * nothing; what they have no letter for is written as a mark, and `omitted` says so, for a footnote.
 */
export class PdfDocument {
  /** Whether some text could not be written in full. */
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

  /** Writes one line of text with its base line at `y`. */
  text(x: number, y: number, text: string, { size = DEFAULT_SIZE, bold, align, gray = 0 }: TextStyle = {}): void {
    const written = this.writable(text);
    this.omitted ||= written.omitted;
    const font = this.font(bold);
    const width = align === undefined || align === "left" ? 0 : font.widthOfTextAtSize(written.text, size);
    const left = align === "center" ? x - width / 2 : x - width;
    const page = this.current();
    // The library adds a name for the font to the page each time it is chosen.
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

  /** A text in lines of at most `width`; a word that is wider is divided. */
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

  /** The text in one line of at most `width`, its end left out if need be. */
  fit(text: string, width: number, style: TextStyle = {}): string {
    if (this.widthOf(text, style) <= width) return text;
    const characters = [...text];
    while (characters.length > 0 && this.widthOf(`${characters.join("")}…`, style) > width) characters.pop();
    return `${characters.join("")}…`;
  }

  /** Draws on a page that was added before, such as its number once all are known. */
  onPage(index: number, draw: () => void): void {
    const last = this.page;
    this.page = this.file.getPage(index);
    draw();
    this.page = last;
  }

  /** The file. */
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

  /** A text in one line, of characters that the fonts have: a run of others is one mark. */
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
