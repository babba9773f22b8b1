import type { TransferWithCopies } from "@/sdk/api/api-types";
import type { Context } from "@/sdk/context/context";
import { readTransfers } from "@/sdk/payments/transfers/encrypted-transfers";
import { TransferDecrypter } from "@/sdk/payments/transfers/transfer-opener";
import { type Findable, matches } from "./match-payment";
import type { Tools } from "./method";

/** How many of the newest payments to search, unless the caller says otherwise. */
const SEARCHED = 500;
/** The most payments to return. */
const MOST = 50;
const PAGE = 100;
const AT_ONCE = 10;

interface FindPaymentsInput {
  /** The text as typed. It stays in this browser. Every payment matches an empty one. */
  text: string;
  /** How many of the newest payments to search. */
  reach?: number;
  /** Newest first if left out. */
  order?: PaymentOrder;
}

/** Amounts are compared within an asset. */
export type PaymentOrder = "newest" | "oldest" | "largest" | "smallest";

/** A payment that matches. */
export interface FoundPayment {
  /** The transfer as the service lists it, still encrypted. */
  transfer: TransferWithCopies;
  /** Decimal string; null if it can't be decrypted. */
  amount: string | null;
  memo: string | null;
}

export interface FindPaymentsOutput {
  /** In the order asked for. */
  payments: FoundPayment[];
  /** How many match, of which `payments` has the first. */
  found: number;
  /** How many were searched. */
  searched: number;
  /** Whether there are older ones that were not searched. */
  more: boolean;
}

type Content = Omit<FoundPayment, "transfer">;

interface Known {
  /** By transfer id. */
  opened: Map<string, Content>;
}

// Dropped with the keys, since a locked vault has no context.
const KNOWN = new WeakMap<Context, Known>();

const DECIMALS = 18;

/** Not `parseAmount`, which is for amounts that people pay and refuses 0. */
function unitsOf({ amount }: FoundPayment): bigint {
  const [whole = "0", fraction = ""] = (amount ?? "0").split(".");
  return BigInt(whole + fraction.padEnd(DECIMALS, "0"));
}

/** Returns payments in an order. What can't be decrypted has no amount, so it comes last. */
export function inOrder(newestFirst: readonly FoundPayment[], order: PaymentOrder): FoundPayment[] {
  if (order === "newest") return [...newestFirst];
  if (order === "oldest") return [...newestFirst].reverse();
  const sign = order === "largest" ? -1 : 1;
  return [...newestFirst].sort((a, b) => {
    if ((a.amount === null) !== (b.amount === null)) return a.amount === null ? 1 : -1;
    if (a.transfer.asset !== b.transfer.asset) return a.transfer.asset < b.transfer.asset ? 1 : -1;
    const [left, right] = [unitsOf(a), unitsOf(b)];
    return left === right ? 0 : left < right ? -sign : sign;
  });
}

/**
 * Finds the payments whose memo, amount, reference or counterparty matches a text. The requests to the service
 * are the same for every text, so it learns nothing about the search. Progress counts payments.
 */
export async function findPayments(
  context: Context,
  { text, reach = SEARCHED, order = "newest" }: FindPaymentsInput,
  { progress, signal }: Tools,
): Promise<FindPaymentsOutput> {
  const opener = await TransferDecrypter.of(context);
  const known = KNOWN.get(context) ?? { opened: new Map() };
  KNOWN.set(context, known);
  const found: FoundPayment[] = [];
  let searched = 0;
  let more = true;
  while (more && searched < reach) {
    signal.throwIfAborted();
    const page = await readTransfers(context, {
      limit: PAGE,
      offset: searched,
    });
    for (let at = 0; at < page.transfers.length; at += AT_ONCE) {
      signal.throwIfAborted();
      const some = page.transfers.slice(at, at + AT_ONCE);
      const opened = await Promise.all(some.map((entry) => open(opener, known, entry)));
      for (const [index, entry] of some.entries()) {
        const content = opened[index];
        const isFound = content && (text === "" || matches(findableOf(entry, content), text));
        if (isFound) found.push({ transfer: entry, ...content });
      }
      progress(searched + at + some.length, reach);
      // Lets the worker receive messages such as a cancel, which decrypting alone would not.
      await new Promise((resolve) => setTimeout(resolve));
    }
    searched += page.transfers.length;
    more = page.has_more;
  }
  return { payments: inOrder(found, order).slice(0, MOST), found: found.length, searched, more };
}

/** Returns the encrypted part of a payment, decrypted once. */
async function open(opener: TransferDecrypter, { opened }: Known, entry: TransferWithCopies): Promise<Content> {
  const before = opened.get(entry.transfer_id);
  if (before) return before;
  const { amount, memo } = await opener.content(entry);
  opened.set(entry.transfer_id, { amount, memo });
  return { amount, memo };
}

function findableOf(
  { direction, from, to, asset, reference }: TransferWithCopies,
  { amount, memo }: Content,
): Findable {
  return { amount, asset, words: [memo, reference, direction === "sent" ? to : from] };
}
