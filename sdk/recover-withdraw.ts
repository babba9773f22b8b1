import { type Address, encodeFunctionData, type Hex, type LocalAccount } from "viem";
import { ledgerAbi } from "@/lib/chain/abi/ledger";
import type { PreparedAllocation, PreparedRelease } from "@/lib/ledger/documents";
import { hexToWord } from "@/lib/ledger/field";
import { type AssetHistory, spendableNotes } from "@/lib/ledger/history";
import { finishPlan, type Plan } from "@/lib/ledger/plan";
import { planAllocation } from "@/lib/ledger/prepare-allocation";
import { planRelease } from "@/lib/ledger/prepare-release";
import { toProofCalldata } from "@/lib/ledger/proof";
import type { Scope } from "@/lib/ledger/scope";
import type { Prove } from "@/lib/ledger/witness";
import type { Chain } from "./chain";
import { sendFromWallet } from "./deposit";
import { type Holder, readOn } from "./recover-scan";
import { selectNotes } from "./select-notes";
import type { Vault } from "./vault";

/** What withdrawing without the service needs. The wallet pays the gas. */
export interface Recovery {
  chain: Chain;
  scope: Scope;
  wallet: LocalAccount;
  vault: Vault;
  prove: Prove;
}

/** The wallet is the sender, so the ledger wants no signature: its bytes are empty. */
const NO_SIGNATURE: Hex = "0x";
/** Room for the signature no document needs here. */
const PLACEHOLDER: Hex = `0x${"01".repeat(64)}1b`;

async function proven<D extends PreparedAllocation | PreparedRelease>(recovery: Recovery, plan: Plan<D>) {
  const document = finishPlan(plan, await recovery.prove(plan.call.circuit, plan.input), PLACEHOLDER);
  return { document, proof: toProofCalldata(document.proof) };
}

async function allocate(recovery: Recovery, holder: Holder, asset: Address, held: AssetHistory): Promise<Hex | null> {
  const { chain, scope, wallet, vault } = recovery;
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
  const { document, proof } = await proven(recovery, plan);
  const [n0, n1, n2, n3, n4, n5, n6, n7] = document.notes.map(hexToWord);
  const params = {
    account: holder.address,
    asset,
    newBudget: hexToWord(document.new_budget),
    notes: [n0, n1, n2, n3, n4, n5, n6, n7] as [bigint, bigint, bigint, bigint, bigint, bigint, bigint, bigint],
    credit: BigInt(document.credit),
    changeNote: hexToWord(document.change_note),
    deadline: BigInt(document.deadline),
    ciphertext: document.ciphertext,
  };
  const data = encodeFunctionData({ abi: ledgerAbi, functionName: "allocate", args: [params, proof, NO_SIGNATURE] });
  return sendFromWallet(chain, wallet, { to: chain.ledger, data });
}

async function release(
  recovery: Recovery,
  holder: Holder,
  asset: Address,
  held: AssetHistory,
  to: Address,
): Promise<Hex | null> {
  const { chain, scope, wallet, vault } = recovery;
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
  const { document, proof } = await proven(recovery, plan);
  const params = {
    account: holder.address,
    to,
    asset,
    newBudget: hexToWord(document.new_budget),
    amount: BigInt(document.amount),
    deadline: BigInt(document.deadline),
    payerCiphertext: document.payer_ciphertext,
  };
  const data = encodeFunctionData({ abi: ledgerAbi, functionName: "release", args: [params, proof, NO_SIGNATURE] });
  return sendFromWallet(chain, wallet, { to: chain.ledger, data });
}

/**
 * Withdraws all of one asset of one holder: allocations of 8 notes and the credit, then one release. Each step reads
 * the chain anew, so that an interrupted run goes on where it stopped.
 *
 * @returns hashes of the releases
 */
export async function withdrawAll(recovery: Recovery, holder: Holder, asset: Address, to: Address): Promise<Hex[]> {
  const viewingSecret = recovery.vault.viewingKey.secret;
  const hashes: Hex[] = [];
  for (;;) {
    await readOn(recovery.chain, recovery.scope, viewingSecret, holder);
    const held = holder.history.assets.get(asset);
    if (!held) return hashes;
    if (await allocate(recovery, holder, asset, held)) continue;
    const hash = await release(recovery, holder, asset, held, to);
    if (!hash) return hashes;
    hashes.push(hash);
  }
}
