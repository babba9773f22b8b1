import type { Address } from "viem";
import { EMPTY_AVAILABLE } from "../crypto/commitments";
import { commitmentToHex } from "../crypto/field";
import { type AccountHistory, type AssetHistory, spendableNotes } from "../history/account-history";
import { lowerCase } from "../prepare/next-state";
import type { AuthorityDraft } from "./authority-documents";
import type { LedgerParty } from "./ledger-record";

/** An available balance that no encrypted copy opens, and the money that is blocked by it, in units. */
export interface LostAvailableBalance {
  commitment: bigint;
  /** The most it can have contained; null if the chain does not bound it. */
  atMost: bigint | null;
  /** Notes that can be opened, but not made available while the available balance is lost. */
  notes: bigint;
  deposited: bigint;
}

/**
 * Returns what is lost of one asset, according to chain data; null if the available balance can be opened or is empty.
 */
export function lossOf(held: AssetHistory | undefined): LostAvailableBalance | null {
  if (!held || held.available || held.commitment === EMPTY_AVAILABLE) return null;
  const notes = spendableNotes(held).reduce((sum, { amount }) => sum + amount, 0n);
  return { commitment: held.commitment, atMost: held.atMost, notes, deposited: held.deposited };
}

/** A lost available balance, and the draft to abandon it. */
interface AbandonStep extends LostAvailableBalance {
  asset: Address;
  draft: AuthorityDraft<"abandon">;
}

/**
 * Plans to abandon all lost available balances of a party, or those of `assets`. They must be sent one after the other,
 * because each uses up one of the party's nonces. A draft names the commitment at the end of the history, so it can't
 * abandon a later available balance.
 */
export function planAbandon(
  { address, record }: LedgerParty,
  history: AccountHistory,
  deadline: bigint,
  assets: readonly Address[] = [...history.assets.keys()],
): AbandonStep[] {
  const lost = assets.map(lowerCase).flatMap((asset) => {
    const loss = lossOf(history.assets.get(asset));
    return loss ? [{ asset, loss }] : [];
  });
  return lost.map(({ asset, loss }, at) => ({
    ...loss,
    asset,
    draft: {
      kind: "abandon" as const,
      account: lowerCase(address),
      asset,
      old_available: commitmentToHex(loss.commitment),
      nonce: (record.nonce + BigInt(at)).toString(),
      deadline: deadline.toString(),
    },
  }));
}
