import { type Address, type Hex, isAddressEqual } from "viem";
import { preparedCalldata } from "@/lib/chain/ledger-calls";
import type { PreparedAllocation, PreparedRelease } from "@/lib/ledger/documents";
import { type AssetHistory, spendableNotes } from "@/lib/ledger/history";
import { completePlan, finishPlan, type Plan } from "@/lib/ledger/plan";
import { planAllocation } from "@/lib/ledger/prepare-allocation";
import { planRelease } from "@/lib/ledger/prepare-release";
import type { Scope } from "@/lib/ledger/scope";
import { keySigner } from "@/lib/ledger/sign";
import type { Prove } from "@/lib/ledger/witness";
import type { Chain } from "./chain";
import { sendFromWallet } from "./deposit";
import { HalcyonError } from "./errors";
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

/** Proves a release and has the wallet send it, which only pays the gas: the spender's signature is the authority. */
async function sendSigned({ chain, wallet, vault, prove }: Recovery, plan: Plan<PreparedRelease>): Promise<Hex> {
  const document = await completePlan(plan, prove, keySigner(vault.spender.privateKey));
  return sendFromWallet(chain, wallet, { to: chain.ledger, data: preparedCalldata(document) });
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

async function planWhole(
  recovery: Recovery,
  holder: Holder,
  asset: Address,
  to: Address,
): Promise<Plan<PreparedRelease> | null> {
  const { chain, scope, vault } = recovery;
  const budget = holder.history.assets.get(asset)?.budget;
  if (!budget || budget.limit === 0n) return null;
  return planRelease({
    scope,
    account: holder.address,
    to,
    asset,
    budget,
    amount: budget.limit,
    deadline: await chain.deadline(),
    payerViewingKey: vault.viewingKey.publicKey,
    secret: vault.secret,
  });
}

/** Throws `unauthorized` when the key that was opened may not spend the account's budgets (any more). */
export async function requireSpender({ chain, vault }: Recovery, account: Address): Promise<void> {
  const [{ spender, spenderUntil }, { timestamp }] = await Promise.all([
    chain.account(account),
    chain.client.getBlock({ blockTag: "latest" }),
  ]);
  if (isAddressEqual(spender, vault.spender.address) && spenderUntil > timestamp) return;
  throw new HalcyonError(
    "unauthorized",
    "This key may no longer spend the account's budgets: it was replaced, or its time is over. Only the account's own " +
      "wallet can withdraw.",
  );
}

/** Withdraws the budget of the account or of one agent by the spender's signature; notes and credit stay. */
export async function releaseBudget(
  recovery: Recovery,
  holder: Holder,
  asset: Address,
  to: Address,
): Promise<RecoveryStep[]> {
  const plan = await planWhole(recovery, holder, asset, to);
  return plan ? [{ account: holder.address, step: "release", tx_hash: await sendSigned(recovery, plan) }] : [];
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
    const plan = await planWhole(recovery, holder, asset, to);
    if (!plan) return steps;
    done("release", await sendDirectly(recovery, plan));
  }
}
