import type { Hex } from "viem";
import { bigintToBytes, bytesToBigint, concat, fromUtf8, utf8 } from "../crypto/bytes";
import { DecryptionFailed } from "../crypto/errors";
import { UNITS_BOUND } from "../crypto/field";
import { isLine, isText } from "../plain-text";

/** A line of an invoice. */
interface RequestLine {
  text: string;
  /** 1 to 999,999. */
  quantity: number;
  /** Price of one, in units of the asset. */
  price: bigint;
}

/**
 * The part of a request that only the link and the payee's viewing key decrypt. Texts are plain: no markup, no
 * invisible characters.
 */
export interface RequestContent {
  /** In units, at least 1. With lines, their sum. */
  amount: bigint;
  /** Up to 500 bytes, may have several lines; empty if there is none. */
  note: string;
  /** Up to 40. A request without lines is not an invoice. */
  lines: readonly RequestLine[];
  /** `2026-12-31`; empty if there is none. */
  due: string;
  /** The invoice's number, one line; empty if there is none. */
  number: string;
  /** Payee and payer as the invoice names them, may have several lines; empty if there is none. */
  seller: string;
  customer: string;
  /** 32 random bytes, without which the binding can't be computed. */
  nonce: Hex;
}

export const MOST_LINES = 40;
export const NOTE_BYTES = 500;
export const LINE_BYTES = 160;
export const NUMBER_BYTES = 40;
export const PARTY_BYTES = 300;
/** Sizes to which contents are padded, in bytes, so that the length reveals next to nothing. */
const SIZES = [1_024, 4_096, 16_384] as const;
const MOST_QUANTITY = 999_999;
const WHAT = "payment request";

/** Reports whether a text is a calendar date, `2026-12-31`. */
function isDate(text: string): boolean {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : null;
  return time !== null && !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text);
}

/** Returns the sum of an invoice's lines, in units. */
export function sumOfLines(lines: readonly RequestLine[]): bigint {
  return lines.reduce((sum, { quantity, price }) => sum + BigInt(quantity) * price, 0n);
}

function isLineSound({ text, quantity, price }: RequestLine): boolean {
  const isCount = Number.isSafeInteger(quantity) && quantity >= 1 && quantity <= MOST_QUANTITY;
  return text !== "" && isLine(text, LINE_BYTES) && isCount && price >= 0n && price < UNITS_BOUND;
}

/** Returns the name of the first invalid field; null if all are valid. */
export function faultOf(content: RequestContent): keyof RequestContent | null {
  const { amount, note, lines, due, number, seller, customer, nonce } = content;
  if (amount < 1n || amount >= UNITS_BOUND) return "amount";
  if (!isText(note, NOTE_BYTES)) return "note";
  if (lines.length > MOST_LINES || !lines.every(isLineSound)) return "lines";
  if (lines.length > 0 && sumOfLines(lines) !== amount) return "amount";
  if (due !== "" && !isDate(due)) return "due";
  if (!isLine(number, NUMBER_BYTES)) return "number";
  if (!isText(seller, PARTY_BYTES)) return "seller";
  if (!isText(customer, PARTY_BYTES)) return "customer";
  return /^0x[0-9a-f]{64}$/.test(nonce) ? null : "nonce";
}

/**
 * Encodes a content as padded bytes.
 *
 * @throws RangeError naming an invalid field, without its value
 */
export function encodeContent(content: RequestContent): Uint8Array {
  const fault = faultOf(content);
  if (fault !== null) throw new RangeError(`the ${fault} of a payment request is out of range`);
  const { amount, note, lines, due, number, seller, customer, nonce } = content;
  const rows = lines.map(({ text, quantity, price }) => [text, quantity, price.toString()]);
  const text = utf8(JSON.stringify([1, amount.toString(), note, rows, due, number, seller, customer, nonce]));
  const size = SIZES.find((bytes) => text.length + 2 <= bytes);
  if (size === undefined) throw new RangeError("the lines of a payment request are out of range");
  return concat(bigintToBytes(BigInt(text.length), 2), text, new Uint8Array(size - 2 - text.length));
}

const UNITS = /^(0|[1-9][0-9]{0,19})$/;

function units(value: unknown): bigint {
  if (typeof value !== "string" || !UNITS.test(value)) throw new DecryptionFailed(WHAT);
  return BigInt(value);
}

function text(value: unknown): string {
  if (typeof value !== "string") throw new DecryptionFailed(WHAT);
  return value;
}

function list(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw new DecryptionFailed(WHAT);
  return value;
}

/**
 * Decodes the output of `encodeContent`.
 *
 * @throws DecryptionFailed for anything else, including amounts that don't add up
 */
export function decodeContent(padded: Uint8Array): RequestContent {
  const length = Number(bytesToBigint(padded.subarray(0, 2)));
  try {
    const json = fromUtf8(padded.subarray(2, 2 + length));
    const fields = list(JSON.parse(json));
    const [version, amount, note, lines, due, number, seller, customer, nonce] = fields;
    if (version !== 1 || fields.length !== 9) throw new DecryptionFailed(WHAT);
    const content: RequestContent = {
      amount: units(amount),
      note: text(note),
      lines: list(lines).map((line) => {
        const [what, quantity, price] = list(line);
        return { text: text(what), quantity: Number(quantity), price: units(price) };
      }),
      due: text(due),
      number: text(number),
      seller: text(seller),
      customer: text(customer),
      nonce: text(nonce) as Hex,
    };
    if (faultOf(content) !== null) throw new DecryptionFailed(WHAT);
    return content;
  } catch {
    throw new DecryptionFailed(WHAT);
  }
}
