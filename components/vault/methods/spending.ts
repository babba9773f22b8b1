import { formatAmount, parseAmount } from "@/lib/base/money";
import type { TransferWithCopies } from "@/sdk/api/api-types";
import type { Context } from "@/sdk/context/context";
import { readTransfers } from "@/sdk/payments/transfers/encrypted-transfers";
import { TransferDecrypter } from "@/sdk/payments/transfers/transfer-opener";
import type { Tools } from "./method";

/** The most payments to count, newest first. More would take seconds to decrypt. */
const SPENDING_LIMIT = 2_000;
const PAGE = 100;
const AT_ONCE = 10;

interface SpendingInput {
  /** ISO 8601. Counts payments since then. */
  since: string;
}

/** What one payer has paid in one asset and month. */
export interface Spent {
  /** `2026-11`, in this machine's time zone. */
  month: string;
  /** Handle with `@`, of the account or one of its agents. */
  payer: string;
  asset: string;
  /** Decimal string. */
  amount: string;
}

/** What came in or went out of the account or one of its agents on one day, in one asset. */
export interface DayFlow {
  /** `2026-11-30`, in this machine's time zone. */
  day: string;
  /** Handle with `@`, of the account or one of its agents. */
  of: string;
  direction: "in" | "out";
  asset: string;
  /** Decimal string. */
  amount: string;
}

interface SpendingOutput {
  spent: Spent[];
  days: DayFlow[];
  /** How many payments have an amount that can't be decrypted. */
  unreadable: number;
  /** Whether there are older payments beyond the limit. */
  more: boolean;
}

/** The counted facts of a payment. */
interface Counted {
  day: string;
  /** The account or agent that paid or was paid. */
  of: string;
  direction: "in" | "out";
  /** Whether it counts as spending. A refund does not. */
  spent: boolean;
  asset: string;
  /** Null if it can't be decrypted. */
  units: bigint | null;
  /** Whether it may still fail. */
  pending: boolean;
}

/** What was counted before, so that one more payment needs one more request and not all of them again. */
interface Known {
  since: string;
  /** By transfer id; null for a transfer that moved nothing in or out. */
  payments: Map<string, Counted | null>;
  more: boolean;
  complete: boolean;
}

// Dropped with the keys, since a locked vault has no context.
const KNOWN = new WeakMap<Context, Known>();

/** Returns whether a transfer moved money in or out: it is no move within the account, and has not failed. */
const isMoved = ({ kind, status }: TransferWithCopies) => kind !== "fund" && status !== "failed";

const padded = (part: number) => String(part).padStart(2, "0");

function dayOf(iso: string): string {
  const date = new Date(iso);
  return `${date.getFullYear()}-${padded(date.getMonth() + 1)}-${padded(date.getDate())}`;
}

async function count(context: Context, opener: TransferDecrypter, entry: TransferWithCopies): Promise<Counted | null> {
  if (!isMoved(entry)) return null;
  const { decimals } = await context.asset(entry.asset);
  const { amount } = await opener.content(entry);
  const isOut = entry.direction === "sent";
  return {
    day: dayOf(entry.created_at),
    of: isOut ? entry.from : entry.to,
    direction: isOut ? "out" : "in",
    spent: isOut && entry.refund_of === null,
    asset: entry.asset,
    units: amount === null || amount === "0" ? null : parseAmount(amount, decimals),
    pending: entry.status === "pending",
  };
}

/** Reads the transfers that are new or were not settled the last time. */
async function catchUp(context: Context, known: Known, { progress, signal }: Tools): Promise<void> {
  const opener = await TransferDecrypter.of(context);
  const { payments, since } = known;
  const open = () => [...payments.values()].some((payment) => payment?.pending);
  for (let offset = 0; ; offset += PAGE) {
    signal.throwIfAborted();
    const query = { from: since, limit: PAGE, offset };
    const page = await readTransfers(context, query);
    const fresh = page.transfers.filter(({ transfer_id: id }) => !payments.has(id) || payments.get(id)?.pending);
    for (let at = 0; at < fresh.length; at += AT_ONCE) {
      signal.throwIfAborted();
      const some = fresh.slice(at, at + AT_ONCE);
      const counted = await Promise.all(some.map((entry) => count(context, opener, entry)));
      for (const [index, entry] of some.entries()) payments.set(entry.transfer_id, counted[index] ?? null);
      progress(Math.min(payments.size, SPENDING_LIMIT), SPENDING_LIMIT);
      // Lets the worker receive messages such as a cancel, which decrypting alone would not.
      await new Promise((resolve) => setTimeout(resolve));
    }
    known.more = page.has_more && offset + PAGE >= SPENDING_LIMIT;
    if (!page.has_more || offset + PAGE >= SPENDING_LIMIT) break;
    if (known.complete && fresh.length === 0 && !open()) return;
  }
  known.complete = true;
}

/** Adds amounts that have the same name. */
class Sums<T extends { asset: string }> {
  private readonly sums = new Map<string, { of: T; units: bigint }>();

  add(of: T, units: bigint): void {
    const key = Object.values(of).join(" ");
    const sum = this.sums.get(key) ?? { of, units: 0n };
    sum.units += units;
    this.sums.set(key, sum);
  }

  async written(context: Context): Promise<(T & { amount: string })[]> {
    const written = [...this.sums.values()].map(async ({ of, units }) => {
      const { decimals } = await context.asset(of.asset);
      return { ...of, amount: formatAmount(units, decimals) };
    });
    return Promise.all(written);
  }
}

/**
 * Returns what the account and its agents have paid since a time, by month, payer and asset, and what came in and went
 * out by day. The amounts are decrypted here; the service learns nothing. Progress counts payments.
 */
export async function spending(context: Context, { since }: SpendingInput, tools: Tools): Promise<SpendingOutput> {
  let known = KNOWN.get(context);
  if (known?.since !== since) {
    known = { since, payments: new Map(), more: false, complete: false };
    KNOWN.set(context, known);
  }
  await catchUp(context, known, tools);
  const months = new Sums<Omit<Spent, "amount">>();
  const days = new Sums<Omit<DayFlow, "amount">>();
  let unreadable = 0;
  for (const payment of known.payments.values()) {
    if (payment === null) continue;
    const { day, of, direction, spent, asset, units } = payment;
    if (units === null) {
      unreadable += 1;
      continue;
    }
    if (spent) months.add({ month: day.slice(0, "2026-11".length), payer: of, asset }, units);
    days.add({ day, of, direction, asset }, units);
  }
  const [spent, flows] = await Promise.all([months.written(context), days.written(context)]);
  return { spent, days: flows, unreadable, more: known.more };
}
