import type { Address, Hex } from "viem";
import { lossOf } from "@/lib/ledger/authority/plan-abandon";
import { EMPTY_BUDGET_OPENING } from "@/lib/ledger/crypto/commitments";
import { type AssetHistory, spendableNotes } from "@/lib/ledger/history/account-history";
import { toHalcyonError } from "../api/to-halcyon-error";
import { type Unclaimed, withdrawUnclaimed } from "./one-time-addresses";
import { dustBelow, type RecoveredAsset, shownUnits } from "./recover-assets";
import { type Holder, readOn } from "./recover-scan";
import { abandonLost, allocateMost, type OwnerBudget, type Recovery, releaseWhole } from "./recover-steps";
import type { FailedStep, LeftDust, RecoveryStep, StepKind } from "./recovery-step";

/** Where to, and how far. */
export interface Withdrawal {
  to: Address;
  /** Whether the wallet is the account's own: another reaches budgets alone. */
  own: boolean;
  abandon: boolean;
  dust: boolean;
  /** Of public payments that their sellers have not taken. */
  unclaimed: readonly Unclaimed[];
}

/** What was done, what could not be, and what is not worth it. */
export interface Withdrawn {
  steps: (RecoveryStep & { asset: string })[];
  failed?: (FailedStep & { asset: string })[];
  dust?: LeftDust[];
}

/**
 * Withdraws everything that can be decrypted: every budget first, since those are what an attacker could spend; then notes
 * and credit, the largest first; dust at the very end. Each step reads the chain again, and one that fails keeps nothing
 * else back.
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

  /** Does one step; whether it was done. */
  async function record(account: Address, asset: string, step: StepKind, act: () => Promise<Hex | null>) {
    try {
      const tx_hash = await act();
      if (tx_hash) steps.push({ account, asset, step, tx_hash });
      return tx_hash !== null;
    } catch (error) {
      first ??= error;
      failed.push({ account, asset, step, reason: toHalcyonError(error).message });
      return false;
    }
  }
  /** The same over what the chain shows now. */
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
  /** Where another wallet moves an agent's money first: the account's budget as the chain has it now. */
  const ownersBudget = async (asset: RecoveredAsset): Promise<OwnerBudget | undefined> => {
    if (own || !account) return undefined;
    await readOn(recovery.chain, recovery.scope, recovery.vault.viewingKey.secret, account);
    const held = account.history.assets.get(asset.address);
    return { address: account.address, budget: held ? held.budget : EMPTY_BUDGET_OPENING };
  };
  const release = (holder: Holder, asset: RecoveredAsset) =>
    attempt(holder, asset, own || holder === account ? "release" : "fund", async (held) => {
      const owner = await ownersBudget(asset);
      return releaseWhole(recovery, holder, asset.address, held, { to: withdrawal.to, owner });
    });
  const sweep = async (holder: Holder, asset: RecoveredAsset, least: bigint) => {
    const allocate = () =>
      attempt(holder, asset, "allocate", (held) => allocateMost(recovery, holder, asset.address, held, least));
    let moved = false;
    while (await allocate()) moved = true;
    if (moved) await release(holder, asset);
  };

  // Agents before their account: another wallet moves their money to it first.
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

/** Small notes that could be withdrawn: their budget can be decrypted. */
function dustIn(holders: readonly Holder[], assets: readonly RecoveredAsset[]): LeftDust[] {
  return holders.flatMap(({ address, history }) =>
    assets.flatMap((asset) => {
      const held = history.assets.get(asset.address);
      const notes = held?.budget ? spendableNotes(held).filter(({ amount }) => amount < dustBelow(asset)) : [];
      if (notes.length === 0) return [];
      const total = notes.reduce((sum, { amount }) => sum + amount, 0n);
      return { account: address, asset: asset.symbol, notes: notes.length, amount: shownUnits(asset, total) };
    }),
  );
}
