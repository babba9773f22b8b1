import type { Address, Hex } from "viem";
import { preparedCalldata } from "@/lib/chain/ledger-calls";
import type { PreparedAllocation, PreparedRelease } from "@/lib/ledger/documents";
import { type AssetHistory, spendableNotes } from "@/lib/ledger/history";
import { finishPlan, type Plan } from "@/lib/ledger/plan";
import { planAllocation } from "@/lib/ledger/prepare-allocation";
import { planRelease } from "@/lib/ledger/prepare-release";
import type { Scope } from "@/lib/ledger/scope";
import type { Prove } from "@/lib/ledger/witness";
import type { Chain } from "./chain";
import { sendFromWallet } from "./deposit";
import { type Holder, readOn } from "./recover-scan";
import { selectNotes } from "./select-notes";
import type { Vault } from "./vault";
import type { Wallet } from "./wallet";

/** One transaction of a withdrawal: notes and credit into the budget, then the budget out to the address. */
export interface RecoveryStep {
  account: Address;
  step: "allocate" | "release";
  tx_hash: Hex;
}

/** What withdrawing without the service needs. The wallet pays the gas. */
export interface Recovery {
  chain: Chain;
  scope: Scope;
  wallet: Wallet;
  vault: Vault;
  prove: Prove;
}

/** Room for a signature where none is wanted. */
const PLACEHOLDER: Hex = `0x${"01".repeat(64)}1b`;

/** Proves a plan and sends it from the wallet: its sender is its authority, so the ledger wants no signature. */
async function sendDirectly(recovery: Recovery, plan: Plan<PreparedAllocation> | Plan<PreparedRelease>): Promise<Hex> {
  const { chain, wallet, prove } = recovery;
  const proven = await prove(plan.call.circuit, plan.input);
  const document = finishPlan<PreparedAllocation | PreparedRelease>(plan, proven, PLACEHOLDER);
  return sendFromWallet(chain, wallet, {
    to: chain.ledger,
    data: preparedCalldata({ ...document, signature: "0x" }),
  });
}

async function allocate(recovery: Recovery, holder: Holder, asset: Address, held: AssetHistory): Promise<Hex | null> {
  const { chain, scope, vault } = recovery;
  if (!held.budget) return null;
  const selection = selectNotes(spendableNotes(held), held.credit, held.budget.limit);
  if (!selection) return null;
  const plan = await planAllocation({
    scope,
    account: holder.address,
    asset,
    budget: held.budget,
    notes: selection.notes,
    credit: selection.credit,
    newLimit: held.budget.limit + selection.added,
    nonce: (await chain.account(holder.address)).nonce,
    deadline: await chain.deadline(),
    payerViewingKey: vault.viewingKey.publicKey,
    secret: vault.secret,
  });
  return sendDirectly(recovery, plan);
}

async function release(
  recovery: Recovery,
  holder: Holder,
  asset: Address,
  held: AssetHistory,
  to: Address,
): Promise<Hex | null> {
  const { chain, scope, vault } = recovery;
  if (!held.budget || held.budget.limit === 0n) return null;
  const plan = await planRelease({
    scope,
    account: holder.address,
    to,
    asset,
    budget: held.budget,
    amount: held.budget.limit,
    deadline: await chain.deadline(),
    payerViewingKey: vault.viewingKey.publicKey,
    secret: vault.secret,
  });
  return sendDirectly(recovery, plan);
}

/**
 * Withdraws all of one asset of the account or of one agent, either by the owner's wallet: allocations of 8 notes and the
 * credit, then one release. Each step reads the chain anew, so that an interrupted run goes on where it stopped.
 */
export async function withdrawAll(
  recovery: Recovery,
  holder: Holder,
  asset: Address,
  to: Address,
): Promise<RecoveryStep[]> {
  const viewingSecret = recovery.vault.viewingKey.secret;
  const steps: RecoveryStep[] = [];
  const done = (step: RecoveryStep["step"], tx_hash: Hex) => steps.push({ account: holder.address, step, tx_hash });
  for (;;) {
    await readOn(recovery.chain, recovery.scope, viewingSecret, holder);
    const held = holder.history.assets.get(asset);
    if (!held) return steps;
    const allocated = await allocate(recovery, holder, asset, held);
    if (allocated) {
      done("allocate", allocated);
      continue;
    }
    const released = await release(recovery, holder, asset, held, to);
    if (!released) return steps;
    done("release", released);
  }
}
