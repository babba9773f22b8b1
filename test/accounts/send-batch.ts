import { assetBySymbol } from "@/lib/base/assets";
import { derivePaymentKey } from "@/lib/ledger/crypto/keys";
import { keySigner } from "@/lib/ledger/prepare/key-signer";
import { completePlan } from "@/lib/ledger/prepare/plan";
import { planTransferMany } from "@/lib/ledger/prepare/plan-transfer-many";
import { createClientSignedBatch } from "@/lib/payments/create-client-signed-batch";
import { processProver } from "@/lib/prover/process-prover";
import { seconds } from "./available-holder";
import type { Owner } from "./owner";

/** Sends USDG payments in one proof, signed by the payer's client. Returns their transfer rows. */
export async function sendBatch(payer: Owner, paid: readonly { to: Owner; amount: bigint }[]) {
  const prover = await processProver();
  const plan = await planTransferMany({
    scope: payer.scope,
    account: payer.address,
    asset: assetBySymbol(payer.chainId).address,
    available: await payer.decryptAvailable(),
    payments: paid.map(({ to, amount }) => {
      return { to: to.address, amount, recipientViewingKey: to.viewing.publicKey };
    }),
    deadline: seconds(3_600),
    payerViewingKey: payer.viewing.publicKey,
    secret: payer.secret,
    policyVersion: 0n,
  });
  const sign = keySigner(derivePaymentKey(payer.authority, payer.scope).privateKey);
  const document = await completePlan(plan, (circuit, input) => prover.prove(circuit, input), sign);
  const payments = paid.map(({ to }) => ({ to: `@${to.account.handle}` }));
  const views = await createClientSignedBatch(payer.session, { asset: "USDG", payments, client_signed: document });
  return views.map(({ row }) => row);
}
