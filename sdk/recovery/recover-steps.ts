import { type Address, encodeFunctionData, type Hex, isAddressEqual } from "viem";
import { ledgerAbi } from "@/lib/chain/abi/ledger";
import { preparedCalldata } from "@/lib/chain/prepared-calldata";
import type { Scope } from "@/lib/ledger/crypto/scope";
import { signRequestOf } from "@/lib/ledger/enrollment";
import { type AssetHistory, spendableNotes } from "@/lib/ledger/history/account-history";
import type { PreparedAllocation, PreparedRelease } from "@/lib/ledger/prepare/documents";
import { keySigner } from "@/lib/ledger/prepare/key-signer";
import { completePlan, finishPlan, type Plan } from "@/lib/ledger/prepare/plan";
import { planAllocation } from "@/lib/ledger/prepare/plan-allocation";
import { planRelease } from "@/lib/ledger/prepare/plan-release";
import type { Prove } from "@/lib/ledger/prepare/witness";
import { HalcyonError } from "../api/errors";
import type { Chain } from "../chain/chain";
import type { Wallet } from "../chain/wallet";
import { sendFromWallet } from "../funding/deposit";
import { selectNotes } from "../funds/select-notes";
import type { Vault } from "../vault/vault";
import type { Holder } from "./recover-scan";

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
export async function sendDirectly(
  recovery: Pick<Recovery, "chain" | "wallet" | "prove">,
  plan: Plan<PreparedAllocation> | Plan<PreparedRelease>,
): Promise<Hex> {
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

/**
 * Moves the largest notes, 8 at most, and the credit into the budget; null when there is nothing, or nothing of `least`
 * units that would be worth the gas.
 */
export async function allocateMost(
  recovery: Recovery,
  { address: account }: Holder,
  asset: Address,
  held: AssetHistory,
  least: bigint,
): Promise<Hex | null> {
  const { chain, scope, vault } = recovery;
  const { budget } = held;
  if (!budget) return null;
  const selection = selectNotes(spendableNotes(held), held.credit, budget.limit);
  if (!selection) return null;
  const worth = selection.credit > 0n || selection.notes.some(({ amount }) => amount >= least);
  if (!worth) return null;
  const plan = await planAllocation({
    scope,
    account,
    asset,
    budget,
    notes: selection.notes,
    credit: selection.credit,
    newLimit: budget.limit + selection.added,
    nonce: (await chain.account(account)).nonce,
    deadline: await chain.deadline(),
    payerViewingKey: vault.viewingKey.publicKey,
    secret: vault.secret,
  });
  return sendDirectly(recovery, plan);
}

/**
 * Pays a whole budget out; null when it is empty or can't be decrypted.
 *
 * @param own whether the wallet is the owner's; another only carries what the spender signs
 */
export async function releaseWhole(
  recovery: Recovery,
  { address: account }: Holder,
  asset: Address,
  { budget }: AssetHistory,
  { to, own }: { to: Address; own: boolean },
): Promise<Hex | null> {
  const { chain, scope, vault } = recovery;
  if (!budget || budget.limit === 0n) return null;
  const plan = await planRelease({
    scope,
    account,
    to,
    asset,
    budget,
    amount: budget.limit,
    deadline: await chain.deadline(),
    payerViewingKey: vault.viewingKey.publicKey,
    secret: vault.secret,
  });
  return own ? sendDirectly(recovery, plan) : sendSigned(recovery, plan);
}

/** Sets a budget that can't be decrypted to zero. The signature names the budget: another in its place stays. */
export async function abandonLost(
  { chain, scope, wallet }: Recovery,
  { address: account }: Holder,
  asset: Address,
  { budgetWord }: AssetHistory,
): Promise<Hex> {
  const [{ nonce }, deadline] = await Promise.all([chain.account(account), chain.deadline()]);
  const { typedData } = signRequestOf(scope, "Abandon", { account, asset, oldBudget: budgetWord, nonce, deadline });
  const signature = await wallet.signTypedData({ ...typedData, message: { ...typedData.message } });
  const args = [account, asset, deadline, signature] as const;
  const data = encodeFunctionData({ abi: ledgerAbi, functionName: "abandon", args });
  return sendFromWallet(chain, wallet, { to: chain.ledger, data });
}

/** Throws `unauthorized` when the decrypted key may not spend the account's budgets (any more). */
export async function requireSpender({ chain, vault }: Recovery, account: Address): Promise<void> {
  const [{ spender, spenderUntil }, { timestamp }] = await Promise.all([
    chain.account(account),
    chain.client.getBlock({ blockTag: "latest" }),
  ]);
  if (isAddressEqual(spender, vault.spender.address) && spenderUntil > timestamp) return;
  throw new HalcyonError(
    "unauthorized",
    "This key can no longer spend the account's available balances: it was replaced or has expired. Only the account's own " +
      "wallet can withdraw.",
  );
}
