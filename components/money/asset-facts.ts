import type { readLedger } from "@/lib/balances/read-ledger";
import { type Decimals, formatAmount } from "@/lib/base/money";

/** What the service knows of one asset of the account: everything except the encrypted amounts. */
export interface AssetFacts {
  symbol: string;
  decimals: Decimals;
  /** Decimal string. Public on chain. */
  deposited: string;
  notes: number;
  /** Whether there are more notes than counted. */
  moreNotes: boolean;
  /** Whether nothing was ever made available, so that the available balance is zero and public. */
  neverMadeAvailable: boolean;
  syncRequired: boolean;
  /** A fingerprint that changes whenever the encrypted balances do. */
  state: string;
}

/** Returns the facts of an asset, for the page's server render. */
export function toAssetFacts(
  ledger: Awaited<ReturnType<typeof readLedger>>,
  asset: { symbol: string; decimals: Decimals },
): AssetFacts {
  const { available, notes, deposited, nonce, has_more, newest_note } = ledger;
  return {
    symbol: asset.symbol,
    decimals: asset.decimals,
    deposited: formatAmount(BigInt(deposited), asset.decimals),
    notes: notes.length,
    moreNotes: has_more,
    neverMadeAvailable: available.encrypted === null && !available.sync_required,
    syncRequired: available.sync_required,
    state: [available.newest_commitment, available.commitment, nonce, deposited, notes.length, newest_note].join(" "),
  };
}

/** Returns whether the account publicly has nothing of an asset. */
export function isEmpty({ neverMadeAvailable, notes, deposited }: AssetFacts): boolean {
  return neverMadeAvailable && notes === 0 && deposited === "0";
}
