import { parseAmount } from "@/lib/base/money";
import { randomBytes, toHex } from "@/lib/ledger/crypto/bytes";
import {
  faultOf,
  LINE_BYTES,
  MOST_LINES,
  NOTE_BYTES,
  NUMBER_BYTES,
  PARTY_BYTES,
  type RequestContent,
  sumOfLines,
} from "@/lib/ledger/payment-request/request-content";
import { timeText } from "../../api/check-input";
import { HalcyonError } from "../../api/errors";
import type { Asset } from "../../api/network-info";

/** A line of an invoice. */
export interface InvoiceLine {
  /** What is charged, in one line of up to 160 bytes. */
  text: string;
  /** A whole number. Default: 1. */
  quantity?: number | undefined;
  /** Price of one unit, as a decimal string. */
  price: string;
}

/** The input of a payment request. */
export interface CreatePaymentRequestInput {
  /** Decimal string. With `lines`, it must be their sum and may be left out. */
  amount?: string | undefined;
  /** Default: `USDG`. */
  asset?: string | undefined;
  /** A note to the payer, encrypted: up to 500 bytes, several lines. */
  note?: string | undefined;
  /** Makes the request an invoice. Up to 40 lines, encrypted. */
  lines?: readonly InvoiceLine[] | undefined;
  /** For an invoice, encrypted: its due date, such as `2026-12-31`. */
  due?: string | undefined;
  /** For an invoice, encrypted: its number. */
  number?: string | undefined;
  /** For an invoice, encrypted: the seller's name and address, up to 300 bytes. */
  seller?: string | undefined;
  /** For an invoice, encrypted: the customer's name and address, up to 300 bytes. */
  customer?: string | undefined;
  /** Your own reference, up to 64 characters. The service can read it; the link does not show it. */
  reference?: string | undefined;
  /** When it expires, at most 366 days from now. Default: 30 days from now. */
  expires?: Date | string | undefined;
}

const DAY_MS = 86_400_000;

const WHY: Record<keyof RequestContent, string> = {
  amount: "amount is above zero and, of an invoice, the sum of its lines.",
  note: `note is a text of up to ${NOTE_BYTES} bytes without invisible characters.`,
  lines: `lines are up to ${MOST_LINES}, each with a text of up to ${LINE_BYTES} bytes, a whole quantity and a price.`,
  due: "due is a date, such as 2026-12-31.",
  number: `number is one line of up to ${NUMBER_BYTES} bytes.`,
  seller: `seller is a text of up to ${PARTY_BYTES} bytes.`,
  customer: `customer is a text of up to ${PARTY_BYTES} bytes.`,
  nonce: "nonce is random.",
};

const plain = (text = "") => text.normalize("NFC").replaceAll("\r\n", "\n").trim();

/**
 * Validates the input and converts it to the content of a request, with amounts in units.
 *
 * @throws HalcyonError `invalid_request` naming the field
 */
export function contentOf(input: CreatePaymentRequestInput, asset: Asset): RequestContent {
  const lines = (input.lines ?? []).map(({ text, quantity = 1, price }) => {
    return { text: plain(text), quantity, price: parseAmount(price, asset.decimals) };
  });
  if (input.amount === undefined && lines.length === 0) {
    throw new HalcyonError("invalid_request", "Give an amount, or the lines of an invoice.", { param: "amount" });
  }
  const isWhole = lines.every(({ quantity }) => Number.isSafeInteger(quantity));
  const amount =
    input.amount === undefined && isWhole ? sumOfLines(lines) : parseAmount(input.amount ?? "", asset.decimals);
  const content: RequestContent = {
    amount,
    note: plain(input.note),
    lines,
    due: input.due ?? "",
    number: plain(input.number),
    seller: plain(input.seller),
    customer: plain(input.customer),
    nonce: toHex(randomBytes(32)),
  };
  const fault = isWhole ? faultOf(content) : "lines";
  if (fault !== null) throw new HalcyonError("invalid_request", WHY[fault], { param: fault });
  return content;
}

/**
 * Returns when a request expires, in Unix seconds.
 *
 * @throws HalcyonError `invalid_request` when it is not in the next 366 days
 */
export function requestExpiry(expires: CreatePaymentRequestInput["expires"], now = Date.now()): bigint {
  const text = timeText(expires);
  const at = text === undefined ? now + 30 * DAY_MS : Date.parse(text);
  if (at > now && at <= now + 366 * DAY_MS) return BigInt(Math.floor(at / 1000));
  throw new HalcyonError("invalid_request", "A payment request expires in the future, at most 366 days ahead.", {
    param: "expires",
  });
}
