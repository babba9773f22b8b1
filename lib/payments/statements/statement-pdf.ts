import { PAGE_HEIGHT, PAGE_WIDTH, PdfDocument } from "@/lib/base/pdf/pdf-document";
import { dateIn, dateTimeIn } from "./period";
import { endOf, MOVEMENT_WORDS, type Statement, type StatementAsset, type StatementRow } from "./statement";

const MARGIN = 40;
const RIGHT = PAGE_WIDTH - MARGIN;
const BOTTOM = PAGE_HEIGHT - 60;
const MUTED = 0.4;
const LINE = 12;
/** The left edge of the description, and the right edges of the three columns of amounts. */
const COLUMNS = { description: 108, paidIn: 388, paidOut: 470, balance: RIGHT };

/** Formats an amount with thousands separators. */
function amount(value: string | null, places: number): string {
  if (value === null) return "";
  const [whole = "", fraction = ""] = value.split(".");
  return `${whole.replace(/\B(?=(\d{3})+$)/g, ",")}.${fraction.padEnd(places, "0")}`;
}

/** Returns how many decimal places align an asset's amounts: those of the longest, at least two. */
function placesOf(of: StatementAsset, rows: readonly StatementRow[]): number {
  const own = rows.filter(({ asset }) => asset === of.asset);
  const shown = [of, ...own].flatMap(({ paid_in, paid_out }) => [paid_in, paid_out]);
  const balances = [of.opening, of.closing, ...own.map(({ balance }) => balance)];
  return Math.max(2, ...[...shown, ...balances].map((value) => value?.split(".")[1]?.length ?? 0));
}

/** Writes from the top of a page to its bottom, then continues on a new page. */
class Writer {
  y = 0;

  constructor(
    readonly document: PdfDocument,
    private readonly statement: Statement,
  ) {
    this.page();
  }

  /** Ensures that this many points are left on the page. Returns whether it added a page. */
  room(points: number): boolean {
    if (this.y + points <= BOTTOM) return false;
    this.page();
    return true;
  }

  private page(): void {
    this.document.addPage();
    const [first] = this.statement.accounts;
    this.y = MARGIN + 10;
    if (this.document.pageCount === 1) return;
    this.document.text(MARGIN, this.y, `Statement of ${first?.name ?? ""}`, { size: 8, gray: MUTED });
    this.y += 24;
  }
}

function heading(writer: Writer, statement: Statement): void {
  const { accounts, network, from, time_zone: zone } = statement;
  const { document } = writer;
  const end = endOf(statement);
  const last = new Date(new Date(end).getTime() - 1);
  document.text(MARGIN, writer.y + 8, "Statement", { size: 20, bold: true });
  document.text(RIGHT, writer.y + 8, "Halcyon", { size: 12, bold: true, align: "right", gray: MUTED });
  writer.y += 36;
  const [first, ...agents] = accounts;
  const facts: [string, string][] = [
    ["Account", `${first?.name ?? ""}${agents.length > 0 ? " and its agents" : ""}`],
    ["Address", first?.address ?? ""],
    ["Period", `${dateIn(zone, new Date(from))} to ${dateIn(zone, last)}, days in ${zone}`],
    ["In UTC", `${from} to before ${end}`],
    ["Network", network === "test" ? "Test network: no real money" : "Live network"],
    ["Ledger", statement.ledger],
    ["Created", `${statement.created_at}, from the chain up to block ${statement.block} (${statement.block_time})`],
  ];
  if (agents.length > 0) facts.splice(2, 0, ["Agents", agents.map(({ name }) => name).join(", ")]);
  for (const [name, value] of facts) {
    document.text(MARGIN, writer.y, name, { size: 9, gray: MUTED });
    for (const line of document.wrap(value, RIGHT - COLUMNS.description, { size: 9 })) {
      writer.room(LINE);
      document.text(COLUMNS.description, writer.y, line, { size: 9 });
      writer.y += LINE;
    }
  }
  writer.y += 8;
}

/** Prints problems before any figure. */
function problems(writer: Writer, { adds_up: addsUp, problems: found }: Statement): void {
  if (found.length === 0) return;
  const { document } = writer;
  const title = addsUp ? "Notes" : "Do not rely on this statement: it does not add up with the chain";
  writer.room(40);
  document.text(MARGIN, writer.y, title, { size: 10, bold: true });
  writer.y += LINE + 2;
  for (const { message } of found) {
    for (const line of document.wrap(message, RIGHT - MARGIN, { size: 9 })) {
      writer.room(LINE);
      document.text(MARGIN, writer.y, line, { size: 9 });
      writer.y += LINE;
    }
  }
  writer.y += 8;
}

function columns(writer: Writer): void {
  const { document, y } = writer;
  const style = { size: 8, bold: true } as const;
  document.text(MARGIN, y, "Date", style);
  document.text(COLUMNS.description, y, "Movement", style);
  document.text(COLUMNS.paidIn, y, "Paid in", { ...style, align: "right" });
  document.text(COLUMNS.paidOut, y, "Paid out", { ...style, align: "right" });
  document.text(COLUMNS.balance, y, "Balance", { ...style, align: "right" });
  document.line(MARGIN, y + 4, RIGHT, y + 4, { gray: 0.6 });
  writer.y += 16;
}

function balanceLine(writer: Writer, words: string, balance: string | null, places: number): void {
  if (writer.room(LINE + 4)) columns(writer);
  const { document, y } = writer;
  document.text(COLUMNS.description, y, words, { size: 9, bold: true });
  const text = balance === null ? "not known" : amount(balance, places);
  document.text(COLUMNS.balance, y, text, { size: 9, bold: true, align: "right" });
  writer.y += LINE + 4;
}

function row(writer: Writer, each: StatementRow, { time_zone: zone, accounts }: Statement, places: number): void {
  const { document } = writer;
  const who = each.counterparty ?? each.counterparty_address;
  const first = who === null ? MOVEMENT_WORDS[each.type] : `${MOVEMENT_WORDS[each.type]} · ${who}`;
  const details = [
    accounts.length > 1 ? each.account : null,
    each.reference && `Ref. ${each.reference}`,
    each.refund_of && `Refund of ${each.refund_of}`,
    each.memo,
    each.transfer_id ?? each.tx_hash,
  ];
  const width = 205;
  const small = { size: 7, gray: MUTED };
  const lines = document.wrap(details.filter(Boolean).join(" · "), width, small);
  if (writer.room(LINE + 9 * lines.length)) columns(writer);
  const { y } = writer;
  const none = each.paid_in === null && each.paid_out === null;
  document.text(MARGIN, y, dateTimeIn(zone, new Date(each.time)), { size: 8 });
  document.text(COLUMNS.description, y, document.fit(first, width, { size: 9 }), { size: 9 });
  if (none) document.text(COLUMNS.paidOut, y, "can't be decrypted", { size: 8, align: "right" });
  document.text(COLUMNS.paidIn, y, amount(each.paid_in, places), { size: 8, align: "right" });
  document.text(COLUMNS.paidOut, y, amount(each.paid_out, places), { size: 8, align: "right" });
  document.text(COLUMNS.balance, y, amount(each.balance, places), { size: 8, align: "right" });
  for (const [index, line] of lines.entries()) document.text(COLUMNS.description, y + 9 * (index + 1), line, small);
  writer.y += LINE + 9 * lines.length + 2;
}

function assetPart(writer: Writer, of: StatementAsset, statement: Statement): void {
  const { document } = writer;
  const places = placesOf(of, statement.rows);
  writer.room(80);
  writer.y += 8;
  document.text(MARGIN, writer.y, of.asset, { size: 13, bold: true });
  writer.y += 18;
  columns(writer);
  balanceLine(writer, "Opening balance", of.opening, places);
  for (const each of statement.rows) if (each.asset === of.asset) row(writer, each, statement, places);
  if (writer.room(3 * LINE)) columns(writer);
  document.line(MARGIN, writer.y - 6, RIGHT, writer.y - 6, { gray: 0.6 });
  writer.y += 4;
  document.text(COLUMNS.paidIn, writer.y, amount(of.paid_in, places), { size: 9, bold: true, align: "right" });
  document.text(COLUMNS.paidOut, writer.y, amount(of.paid_out, places), { size: 9, bold: true, align: "right" });
  balanceLine(writer, "Closing balance", of.closing, places);
}

/** Returns a statement as an A4 PDF. It uses the fonts built into every PDF reader. */
export async function statementPdf(statement: Statement): Promise<Uint8Array> {
  const [first] = statement.accounts;
  const title = `Statement of ${first?.name ?? ""}, ${statement.from.slice(0, 10)} to ${endOf(statement).slice(0, 10)}`;
  const document = await PdfDocument.create({ title, time: new Date(statement.created_at) });
  const writer = new Writer(document, statement);
  heading(writer, statement);
  problems(writer, statement);
  for (const asset of statement.assets) assetPart(writer, asset, statement);
  if (statement.assets.length === 0)
    document.text(MARGIN, writer.y + 8, "No balances and no movements in this period.");
  const pages = document.pageCount;
  for (let index = 0; index < pages; index++) {
    document.onPage(index, () => {
      const small = { size: 7, gray: MUTED } as const;
      document.text(RIGHT, PAGE_HEIGHT - 30, `${index + 1} of ${pages}`, { ...small, align: "right" });
      const mark = document.omitted
        ? "[?] stands for letters that the fonts of this document do not have: the CSV and JSON have them. "
        : "";
      document.text(MARGIN, PAGE_HEIGHT - 40, mark, small);
      const note =
        "Balance: available, received and deposited together. Names and references: Halcyon's word, unverified.";
      document.text(MARGIN, PAGE_HEIGHT - 30, note, small);
    });
  }
  return document.bytes();
}
