import { newRequestTag } from "@/lib/ledger/crypto/request-tag";
import { newSeed, paymentSeed } from "@/lib/ledger/crypto/seed";
import { tagOf } from "../account/party";
import type { Context } from "../context/context";
import { preparePayment } from "./payment";
import { bodyWithout, planPayment } from "./payment-plan";
import type { PreparedTransferBody, PrepareTransferInput, PrepareTransferOptions } from "./prepare-transfer-input";

/** Builds, proves and signs a payment without sending it. Implements `transfers.prepare`. */
export async function prepareTransfer(
  context: Context,
  input: PrepareTransferInput & PrepareTransferOptions,
): Promise<PreparedTransferBody> {
  const plan = await planPayment(context, input);
  const [{ seedKey }, scope, chain] = await Promise.all([context.vault(), context.scope(), context.chain()]);
  const { idempotencyKey: id } = input;
  const marks =
    id === undefined
      ? { seed: newSeed(), tag: newRequestTag() }
      : { seed: paymentSeed(seedKey, scope, plan.payer.address, id), tag: tagOf(scope, plan.payer, id) };
  const attempted = { ...marks, deadline: await chain.deadline() };
  const prepared = await preparePayment(context, plan.payer, plan.payment, attempted);
  return { ...bodyWithout(input.to, plan), prepared };
}
