import encodeQR from "qr";
import { PAGE_HEIGHT, PAGE_WIDTH, PdfDocument } from "@/lib/base/pdf/pdf-document";
import type { RequestDetails } from "@/sdk/payments/requests/verify-request";

/** The content of an invoice, decrypted in this browser. */
export interface Invoice {
  details: RequestDetails;
  asset: string;
  /** The payee's address, and its name in this service. */
  payee: string;
  handle: string;
  reference: string | null;
  /** ISO 8601. */
  createdAt: string;
  expiresAt: string;
  /** The link that opens the request; in the PDF as a QR code and as text. */
  link: string;
}

const LEFT = 56;
const RIGHT = PAGE_WIDTH - 56;
const BOTTOM = PAGE_HEIGHT - 72;
const GRAY = 0.4;
const QR_SIZE = 120;
const [QUANTITY, PRICE] = [350, 440];

const day = (iso: string) => iso.slice(0, 10);

/** Writes from top to bottom, and continues on a new page when one is full. */
class Writer {
  y = 72;
  constructor(readonly pdf: PdfDocument) {
    pdf.addPage();
  }

  /** Starts a new page unless this many points are left. */
  room(height: number): void {
    if (this.y + height <= BOTTOM) return;
    this.pdf.addPage();
    this.y = 72;
  }

  lines(text: string, width: number, style: { size?: number; bold?: boolean; gray?: number } = {}, x = LEFT): void {
    const size = style.size ?? 10;
    for (const paragraph of text.split("\n")) {
      for (const line of this.pdf.wrap(paragraph, width, style)) {
        this.room(size * 1.4);
        this.pdf.text(x, this.y, line, style);
        this.y += size * 1.4;
      }
    }
  }
}

function head(writer: Writer, { details, payee, handle, reference, createdAt, expiresAt }: Invoice): void {
  const { pdf } = writer;
  pdf.text(LEFT, writer.y, details.lines.length > 0 ? "Invoice" : "Payment request", { size: 22, bold: true });
  const facts = [
    ["Number", details.number],
    ["Reference", reference],
    ["Date", day(createdAt)],
    ["Due", details.due],
    ["Pay until", day(expiresAt)],
  ] as const;
  let at = writer.y;
  for (const [name, text] of facts) {
    if (!text) continue;
    pdf.text(400, at, name, { size: 9, gray: GRAY });
    pdf.text(RIGHT, at, pdf.fit(text, 90, { size: 9 }), { size: 9, align: "right" });
    at += 14;
  }
  writer.y += 40;
  for (const [name, text] of [
    ["From", details.seller ?? handle],
    ["For", details.customer],
  ] as const) {
    if (!text) continue;
    writer.lines(name, 300, { size: 9, gray: GRAY });
    writer.lines(text, 300);
    writer.y += 8;
  }
  writer.lines(`Paid to ${handle}, ${payee}`, RIGHT - LEFT, { size: 8, gray: GRAY });
  writer.y = Math.max(writer.y, at) + 20;
}

function table(writer: Writer, { details, asset }: Invoice): void {
  const { pdf } = writer;
  if (details.lines.length > 0) {
    const titles = { size: 9, gray: GRAY } as const;
    pdf.text(LEFT, writer.y, "Description", titles);
    pdf.text(QUANTITY, writer.y, "Quantity", { ...titles, align: "right" });
    pdf.text(PRICE, writer.y, "Price", { ...titles, align: "right" });
    pdf.text(RIGHT, writer.y, "Total", { ...titles, align: "right" });
    writer.y += 8;
    pdf.line(LEFT, writer.y, RIGHT, writer.y, { gray: 0.7 });
    writer.y += 16;
  }
  for (const { text, quantity, price, total } of details.lines) {
    const rows = pdf.wrap(text, QUANTITY - LEFT - 60);
    writer.room(rows.length * 14 + 4);
    pdf.text(QUANTITY, writer.y, String(quantity), { align: "right" });
    pdf.text(PRICE, writer.y, price, { align: "right" });
    pdf.text(RIGHT, writer.y, total, { align: "right" });
    writer.lines(text, QUANTITY - LEFT - 60);
    writer.y += 4;
  }
  writer.room(40);
  pdf.line(LEFT, writer.y, RIGHT, writer.y, { gray: 0.7 });
  writer.y += 22;
  pdf.text(LEFT, writer.y, "Amount to pay", { size: 12, bold: true });
  pdf.text(RIGHT, writer.y, `${details.amount} ${asset}`, { size: 14, bold: true, align: "right" });
  writer.y += 30;
}

function linkOf(writer: Writer, link: string): void {
  const { pdf } = writer;
  writer.room(QR_SIZE + 20);
  const rows = encodeQR(link, "raw", { ecc: "medium", border: 1 });
  const side = QR_SIZE / rows.length;
  for (const [row, cells] of rows.entries()) {
    for (const [column, on] of cells.entries()) {
      if (on) pdf.rect(LEFT + column * side, writer.y + row * side, side + 0.02, side + 0.02);
    }
  }
  const [top, x, width] = [writer.y, LEFT + QR_SIZE + 20, RIGHT - LEFT - QR_SIZE - 20];
  writer.y += 10;
  writer.lines(
    "Scan, or open this link. It holds the key that decrypts this request: give it to the payer alone.",
    width,
    { size: 9 },
    x,
  );
  writer.y += 4;
  writer.lines(link, width, { size: 8, gray: GRAY }, x);
  writer.y = Math.max(writer.y, top + QR_SIZE) + 20;
}

/** Returns the PDF of an invoice or request. Created in this browser and sent nowhere. */
export async function invoicePdf(invoice: Invoice): Promise<Uint8Array> {
  const { details, createdAt, link } = invoice;
  const title = details.number ? `Invoice ${details.number}` : "Payment request";
  const pdf = await PdfDocument.create({ title, time: new Date(createdAt) });
  const writer = new Writer(pdf);
  head(writer, invoice);
  table(writer, invoice);
  if (details.note) {
    writer.lines(details.note, RIGHT - LEFT);
    writer.y += 20;
  }
  linkOf(writer, link);
  if (pdf.omitted) {
    writer.lines("[?] stands for characters that this file's fonts do not have.", RIGHT - LEFT, {
      size: 8,
      gray: GRAY,
    });
  }
  return pdf.bytes();
}
