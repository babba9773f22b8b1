import { formatAmount } from "@/lib/base/money";
import type { Asset } from "../../api/network-info";
import type { DecryptedBalance } from "./decrypted-balance";

/** A balance in ledger units. */
interface BalanceUnits extends Pick<DecryptedBalance, "has_more" | "unreadable"> {
  available: { limit: bigint };
  deposited: bigint;
  notes: readonly { amount: bigint }[];
}

/** Converts a balance to the form returned to callers. */
export function asDecryptedBalance(asset: Asset, units: BalanceUnits): DecryptedBalance {
  const { available, deposited, notes, has_more, unreadable } = units;
  const text = (amount: bigint) => formatAmount(amount, asset.decimals);
  return {
    asset: asset.symbol,
    total: text(notes.reduce((sum, note) => sum + note.amount, available.limit + deposited)),
    available: text(available.limit),
    deposited: text(deposited),
    notes: notes.map((note) => text(note.amount)),
    has_more,
    unreadable,
  };
}
