import { newSeed, paymentSeed } from "@/lib/ledger/crypto/payment-seed";
import { newRequestTag } from "@/lib/ledger/crypto/request-tag";
import { tagOf } from "../account/party";
import type { Context } from "../context/context";
import { seededPayment, undecryptedSeed } from "./attempts/undecrypted-seed";
import { preparePayment } from "./payment";
import { bodyWithout, planPayment } from "./payment-plan";
import type { ClientSignedTransferBody, PrepareTransferInput, PrepareTransferOptions } from "./prepare-transfer-input";

/** Builds, proves and signs a payment without sending it. Implements `transfers.prepare`. */
export async function prepareTransfer(
  context: Context,
  input: PrepareTransferInput & PrepareTransferOptions,
): Promise<ClientSignedTransferBody> {
  const plan = await planPayment(context, input);
  const [{ seedKey }, scope, chain] = await Promise.all([context.vault(), context.scope(), context.chain()]);
  const { idempotencyKey: id } = input;
  const { payer, payment } = plan;
  const marks =
    id === undefined
      ? { seed: newSeed(), tag: newRequestTag() }
      : { seed: await seedNow(paymentSeed(seedKey, scope, payer.address, id)), tag: tagOf(scope, payer, id) };
  const attempted = { ...marks, deadline: await chain.deadline() };
  const document = await preparePayment(context, payer, payment, attempted);
  return { ...bodyWithout(input.to, plan), client_signed: document };

  async function seedNow(seed: Uint8Array): Promise<Uint8Array> {
    const { kind, to, units, asset } = payment;
    if (kind !== "transfer") return seed;
    const marks = { payer: payer.address, asset: asset.address, seed };
    const seeded = seededPayment(scope, marks, { to: to.address, units });
    return (await undecryptedSeed(context, seeded, { idempotencyKey: id })).seed;
  }
}
