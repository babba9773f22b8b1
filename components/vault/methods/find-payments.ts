import type { SealedTransfer } from "@/sdk/api/api-types";
import type { Context } from "@/sdk/context/context";
import { readTransfers } from "@/sdk/payments/transfers/encrypted-transfers";
import { TransferOpener } from "@/sdk/payments/transfers/transfer-opener";
import { type Findable, matches } from "./match-payment";
import type { Tools } from "./method";

/** How many of the newest payments to search. */
export const SEARCHED = 500;
/** The most payments to return. */
const MOST = 50;
const PAGE = 100;
const AT_ONCE = 10;

export interface FindPaymentsInput {
  /** The text as typed. It stays in this browser. */
  text: string;
}

/** A payment that matches. */
export interface FoundPayment {
  /** The transfer as the service lists it, still encrypted. */
  transfer: SealedTransfer;
  /** Decimal string; null if it can't be decrypted. */
  amount: string | null;
  memo: string | null;
}

export interface FindPaymentsOutput {
  /** Newest first. */
  payments: FoundPayment[];
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

/**
 * Finds the newest payments whose memo, amount, reference or counterparty matches a text. The requests to the service
 * are the same for every text, so it learns nothing about the search. Progress counts payments.
 */
export async function findPayments(
  context: Context,
  { text }: FindPaymentsInput,
  { progress, signal }: Tools,
): Promise<FindPaymentsOutput> {
  const opener = await TransferOpener.of(context);
  const known = KNOWN.get(context) ?? { opened: new Map() };
  KNOWN.set(context, known);
  const payments: FoundPayment[] = [];
  let searched = 0;
  let more = true;
  while (more && searched < SEARCHED) {
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
        const isFound = content && payments.length < MOST && matches(findableOf(entry, content), text);
        if (isFound) payments.push({ transfer: entry, ...content });
      }
      progress(searched + at + some.length, SEARCHED);
      // Lets the worker receive messages such as a cancel, which decrypting alone would not.
      await new Promise((resolve) => setTimeout(resolve));
    }
    searched += page.transfers.length;
    more = page.has_more;
  }
  return { payments, searched, more };
}

/** Returns the encrypted part of a payment, decrypted once. */
async function open(opener: TransferOpener, { opened }: Known, entry: SealedTransfer): Promise<Content> {
  const before = opened.get(entry.transfer_id);
  if (before) return before;
  const { amount, memo } = await opener.content(entry);
  opened.set(entry.transfer_id, { amount, memo });
  return { amount, memo };
}

function findableOf({ direction, from, to, asset, reference }: SealedTransfer, { amount, memo }: Content): Findable {
  return { amount, asset, words: [memo, reference, direction === "sent" ? to : from] };
}
