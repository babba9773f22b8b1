import type { readLedger } from "@/lib/budgets/read-ledger";
import { type Decimals, formatAmount } from "@/lib/money";

/** What the service knows of one asset of the account: everything but the amounts that are encrypted. */
export interface AssetFacts {
  symbol: string;
  decimals: Decimals;
  /** Decimal string; the chain shows it to everyone. */
  credit: string;
  notes: number;
  /** There are more notes than counted. */
  moreNotes: boolean;
  /** Nothing was ever allocated: the budget is zero, and everyone can see that. */
  neverAllocated: boolean;
  resealRequired: boolean;
  /** Changes whenever what can be decrypted does. */
  state: string;
}

/** The facts of an asset as the page is rendered with. */
export function toAssetFacts(
  ledger: Awaited<ReturnType<typeof readLedger>>,
  asset: { symbol: string; decimals: Decimals },
): AssetFacts {
  const { budget, notes, credit, nonce, has_more } = ledger;
  return {
    symbol: asset.symbol,
    decimals: asset.decimals,
    credit: formatAmount(BigInt(credit), asset.decimals),
    notes: notes.length,
    moreNotes: has_more,
    neverAllocated: budget.sealed === null && !budget.reseal_required,
    resealRequired: budget.reseal_required,
    state: [budget.newest_word, budget.word, nonce, credit, notes.length, notes.at(-1)?.note].join(" "),
  };
}

/** Whether there is nothing of an asset and everyone can see that. */
export function isEmpty({ neverAllocated, notes, credit }: AssetFacts): boolean {
  return neverAllocated && notes === 0 && credit === "0";
}
