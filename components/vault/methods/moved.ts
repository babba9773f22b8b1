import { formatAmount, parseAmount } from "@/lib/base/money";
import type { Context } from "@/sdk/context/context";
import { transfers } from "@/sdk/payments/transfers/transfers";
import type { Tools } from "./method";

const PAGE = 100;
/** How many pages to sum. More would take too long to decrypt; the response then says that there is more. */
const PAGES = 10;

/** What confirmed payments with one API key have moved. */
export interface Moved {
  /** Decimal string of USDG. */
  amount: string;
  payments: number;
  /** Whether the sum includes only the newest payments. */
  more: boolean;
}

/** Sums the USDG that a key has moved, from the payer's copies of its payments. */
export async function moved(context: Context, input: { key: string }, tools: Tools): Promise<Moved> {
  const { decimals } = await context.asset("USDG");
  const query = { key: input.key, asset: "USDG", status: "confirmed" as const, direction: "sent" as const };
  let units = 0n;
  let payments = 0;
  for (let page = 0; page < PAGES; page++) {
    tools.signal.throwIfAborted();
    const listed = await transfers(context, { ...query, limit: PAGE, offset: page * PAGE });
    for (const { amount } of listed.transfers) if (amount !== null) units += parseAmount(amount, decimals);
    payments += listed.transfers.length;
    if (listed.transfers.length < PAGE) return { amount: formatAmount(units, decimals), payments, more: false };
  }
  return { amount: formatAmount(units, decimals), payments, more: true };
}
