import { type Decimals, formatAmount, parseAmount } from "@/lib/base/money";
import type { Context } from "@/sdk/context/context";
import { decryptedPage } from "@/sdk/payments/transfers/transfers";
import type { Tools } from "./method";

const PAGE = 100;
/** How many pages to sum. More would take too long to decrypt; the response then says that there is more. */
const PAGES = 10;

/** What confirmed payments with one API key have moved. */
interface Moved {
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
  return sumPages(decimals, async (page) => {
    tools.signal.throwIfAborted();
    return (await decryptedPage(context, { ...query, limit: PAGE, offset: page * PAGE })).transfers;
  });
}

/**
 * Sums payments page by page, up to the most that it reads.
 *
 * @param read returns a page, counted from 0; one that is not full is the last. An amount is null if it can't be read
 */
export async function sumPages(
  decimals: Decimals,
  read: (page: number) => Promise<{ amount: string | null }[]>,
): Promise<Moved> {
  let units = 0n;
  let payments = 0;
  for (let page = 0; page < PAGES; page++) {
    const listed = await read(page);
    for (const { amount } of listed) if (amount !== null) units += parseAmount(amount, decimals);
    payments += listed.length;
    if (listed.length < PAGE) return { amount: formatAmount(units, decimals), payments, more: false };
  }
  return { amount: formatAmount(units, decimals), payments, more: true };
}
