import type { Hex } from "viem";
import { preparedCalldata } from "@/lib/chain/prepared-calldata";
import { deriveViewingKey, newRoot } from "@/lib/ledger/crypto/keys";
import { keySigner } from "@/lib/ledger/prepare/key-signer";
import { completePlan } from "@/lib/ledger/prepare/plan";
import { planTransfer } from "@/lib/ledger/prepare/plan-transfer";
import { processProver } from "@/lib/prover/process-prover";
import type { BudgetHolder } from "@/test/accounts/budget-holder";
import type { Owner } from "@/test/accounts/owner";

/** What someone who can sign for a stolen budget sends: one unit to someone, and the payer's copy sealed to no one. */
export async function poisonCall(holder: BudgetHolder, to: Owner, asset: Hex, signer: Hex): Promise<Hex> {
  const prover = await processProver();
  const plan = await planTransfer({
    scope: holder.scope,
    account: holder.address,
    to: to.address,
    asset,
    budget: await holder.openBudget(),
    amount: 1n,
    deadline: BigInt(Math.floor(Date.now() / 1000) + 3_600),
    payerViewingKey: deriveViewingKey(newRoot(), holder.scope).publicKey,
    recipientViewingKey: to.viewing.publicKey,
    secret: holder.secret,
  });
  return preparedCalldata(
    await completePlan(plan, (circuit, input) => prover.prove(circuit, input), keySigner(signer)),
  );
}
