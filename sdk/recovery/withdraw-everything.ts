import type { Address, Hex } from "viem";
import { lossOf } from "@/lib/ledger/authority/plan-abandon";
import { EMPTY_AVAILABLE_OPENING } from "@/lib/ledger/crypto/commitments";
import { type AssetHistory, spendableNotes } from "@/lib/ledger/history/account-history";
import { toHalcyonError } from "../api/to-halcyon-error";
import { dustBelow, type RecoveredAsset, shownUnits } from "../chain/recover-assets";
import { type Holder, readOn } from "../chain/recover-scan";
import { type Unclaimed, withdrawUnclaimed } from "./one-time-addresses";
import {
  abandonLost,
  makeAvailableMost,
  type OwnerAvailableBalance,
  type Recovery,
  releaseWhole,
} from "./recover-steps";
import type { FailedStep, LeftDust, RecoveryStep, StepKind } from "./recovery-step";

/** Where to withdraw to, and what to include. */
export interface Withdrawal {
  to: Address;
  /** Whether the wallet is the account's own. Any other wallet can only withdraw available balances. */
  own: boolean;
  abandon: boolean;
  dust: boolean;
  /** Public payments that their sellers have not collected. */
  unclaimed: readonly Unclaimed[];
}

/** What was withdrawn, what failed, and what is not worth its gas. */
export interface Withdrawn {
  steps: (RecoveryStep & { asset: string })[];
  failed?: (FailedStep & { asset: string })[];
  dust?: LeftDust[];
}

/**
 * Withdraws everything that can be decrypted: first every available balance, since an attacker could spend those; then
 * notes and deposited money, largest first; dust last. Each step reads the chain again, and a failed step doesn't stop
 * the others.
 *
 * @throws the first failure when no step succeeded
 */
export async function withdrawEverything(
  recovery: Recovery,
  holders: readonly Holder[],
  assets: readonly RecoveredAsset[],
  withdrawal: Withdrawal,
): Promise<Withdrawn> {
  const { own, abandon, dust } = withdrawal;
  const steps: Withdrawn["steps"] = [];
  const failed: NonNullable<Withdrawn["failed"]> = [];
  let first: unknown;

  /** Runs one step and records its result. Returns whether it did something. */
  async function record(account: Address, asset: string, step: StepKind, act: () => Promise<Hex | null>) {
    try {
      const tx_hash = await act();
      if (tx_hash) steps.push({ account, asset, step, tx_hash });
      return tx_hash !== null;
    } catch (error) {
      first ??= error;
      const { code, message: reason } = toHalcyonError(error);
      failed.push({ account, asset, step, code, reason });
      return false;
    }
  }
  /** Runs one step over what the chain shows now. */
  const attempt = (
    holder: Holder,
    asset: RecoveredAsset,
    step: StepKind,
    act: (held: AssetHistory) => Promise<Hex | null>,
  ) =>
    record(holder.address, asset.symbol, step, async () => {
      await readOn(recovery.chain, recovery.scope, recovery.vault.viewingKey.secret, holder);
      const held = holder.history.assets.get(asset.address);
      return held ? act(held) : null;
    });
  const everywhere = async (visit: (holder: Holder, asset: RecoveredAsset) => Promise<void>) => {
    for (const holder of holders) for (const asset of assets) await visit(holder, asset);
  };
  const [account] = holders;
  /**
   * Returns the account's current available balance, into which a wallet that is not its own moves an agent's money
   * first.
   */
  const ownersAvailable = async (asset: RecoveredAsset): Promise<OwnerAvailableBalance | undefined> => {
    if (own || !account) return undefined;
    await readOn(recovery.chain, recovery.scope, recovery.vault.viewingKey.secret, account);
    const held = account.history.assets.get(asset.address);
    return { address: account.address, available: held ? held.available : EMPTY_AVAILABLE_OPENING };
  };
  const release = (holder: Holder, asset: RecoveredAsset) =>
    attempt(holder, asset, own || holder === account ? "release" : "fund", async (held) => {
      const owner = await ownersAvailable(asset);
      return releaseWhole(recovery, holder, asset.address, held, { to: withdrawal.to, owner });
    });
  const sweep = async (holder: Holder, asset: RecoveredAsset, least: bigint) => {
    const makeAvailable = () =>
      attempt(holder, asset, "make_available", (held) =>
        makeAvailableMost(recovery, holder, asset.address, held, least),
      );
    let moved = false;
    while (await makeAvailable()) moved = true;
    if (moved) await release(holder, asset);
  };

  // Agents before their account: a wallet that is not the account's own moves their money to it first.
  for (const holder of own ? holders : [...holders].reverse()) {
    for (const asset of assets) await release(holder, asset);
  }
  if (own) {
    if (abandon) {
      await everywhere(async (holder, asset) => {
        await attempt(holder, asset, "abandon", async (held) =>
          lossOf(held) ? abandonLost(recovery, holder, asset.address) : null,
        );
      });
    }
    await everywhere((holder, asset) => sweep(holder, asset, dustBelow(asset)));
    if (dust) await everywhere((holder, asset) => sweep(holder, asset, 0n));
  }
  for (const one of withdrawal.unclaimed) {
    await record(one.account, one.symbol, "return", () => withdrawUnclaimed(recovery, one, withdrawal.to));
  }
  if (first !== undefined && steps.length === 0) throw first;
  const left = own ? dustIn(holders, assets) : [];
  return { steps, ...(failed.length > 0 && { failed }), ...(left.length > 0 && { dust: left }) };
}

/** Returns small notes that could be withdrawn because their available balance can be decrypted. */
function dustIn(holders: readonly Holder[], assets: readonly RecoveredAsset[]): LeftDust[] {
  return holders.flatMap(({ address, history }) =>
    assets.flatMap((asset) => {
      const held = history.assets.get(asset.address);
      const notes = held?.available ? spendableNotes(held).filter(({ amount }) => amount < dustBelow(asset)) : [];
      if (notes.length === 0) return [];
      const total = notes.reduce((sum, { amount }) => sum + amount, 0n);
      return { account: address, asset: asset.symbol, notes: notes.length, amount: shownUnits(asset, total) };
    }),
  );
}
