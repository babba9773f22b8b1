import { type Hex, isAddressEqual } from "viem";
import { parseAmount } from "@/lib/base/money";
import { batchPaymentSeed } from "@/lib/ledger/crypto/batch-payment-seed";
import { commitmentToHex } from "@/lib/ledger/crypto/field";
import { paymentSeed } from "@/lib/ledger/crypto/payment-seed";
import { BATCH_PAYMENTS } from "@/lib/ledger/encrypted/batch-copy";
import type { SignedTransferMany } from "@/lib/ledger/prepare/documents";
import { keySigner } from "@/lib/ledger/prepare/key-signer";
import { noteOf } from "@/lib/ledger/prepare/note-parts";
import { completePlan } from "@/lib/ledger/prepare/plan";
import { type BatchPayment, planTransferMany } from "@/lib/ledger/prepare/plan-transfer-many";
import { decryptAvailable } from "../account/funds/funds";
import { type Party, tagOf } from "../account/party";
import type { TransferWithCopies } from "../api/api-types";
import { HalcyonError } from "../api/errors";
import type { Asset } from "../api/network-info";
import type { Transfer, TransferBatch } from "../api/resources/transfers";
import type { Context } from "../context/context";
import type { AttemptGoal } from "./attempts/attempt";
import { attemptClientSigned } from "./attempts/attempt-client-signed";
import { mayHaveBegun } from "./attempts/attempt-options";
import type { EarlierPayment } from "./attempts/earlier-attempt";
import { OutcomeUnknown } from "./attempts/outcome-unknown";
import type { Posted } from "./attempts/posted";
import { caughtUp, settledOnChain } from "./attempts/settle";
import { ownTransfer, readTransfer, type SettledTransfer } from "./attempts/transfer-status";
import { undecryptedSeed } from "./attempts/undecrypted-seed";
import { type Attempted, type PaymentMarks, paymentKind, viewingKeyOf, viewOver } from "./payment";
import { requirePaymentKey } from "./payment-authority";
import { bindingBytes, detailsBody, type PaymentDetailsInput } from "./payment-details";
import { payerParty } from "./payment-plan";
import { type Meant, type Recipient, resolveRecipient } from "./recipient";
import type { RunToPay, SendOptions } from "./send";
import { withCopies } from "./transfers/with-copies";

/** One payment of a batch. */
export interface ManyPayment extends PaymentDetailsInput {
  /** `@handle` or a 0x address. */
  to: string;
  /** Decimal string. */
  amount: string;
  memo?: string | undefined;
}

/** Payments to make together, with one proof and one transaction. */
export interface SendManyInput {
  /** 2 to 16 payments in one asset. */
  payments: ManyPayment[];
  /** Default: `USDG`. */
  asset?: string | undefined;
  /**
   * Handle of an agent of the account. Default: the wallet's account. For an agent, the wallet signs and no policy
   * applies.
   */
  from?: string | undefined;
}

/** The result of a batch. All payments happen, or none. */
export interface SentMany {
  status: "confirmed" | "pending";
  tx_hash: Hex;
  /** In the order of the input. */
  transfers: SettledTransfer[];
}

/** A batch, with the addresses that its recipients must resolve to, if known. */
type MeantMany = Omit<SendManyInput, "payments"> & { payments: (ManyPayment & Meant)[] };

interface ManyPlan {
  payer: Party;
  asset: Asset;
  payments: { to: Recipient; units: bigint; memo: string | undefined; binding: Uint8Array | undefined }[];
}

async function planMany(context: Context, input: MeantMany, pinLater: boolean): Promise<ManyPlan> {
  const { payments } = input;
  if (payments.length < 2 || payments.length > BATCH_PAYMENTS) {
    const message = `Pay 2 to ${BATCH_PAYMENTS} recipients together. A single payment is \`transfers.create\`.`;
    throw new HalcyonError("invalid_request", message, { param: "payments" });
  }
  const [asset, payer] = await Promise.all([context.asset(input.asset), payerParty(context, input.from)]);
  const planned = await Promise.all(
    payments.map(async ({ to, amount, memo, binding, meant }) => {
      const recipient = await resolveRecipient(context, payer.address, to, { meant, later: pinLater });
      if (paymentKind(context, payer, recipient) === "fund") {
        throw new HalcyonError("invalid_request", "A batch moves no money between an account and its agents.", {
          param: "payments",
        });
      }
      const units = parseAmount(amount, asset.decimals);
      return { to: recipient, units, memo, binding: bindingBytes(binding, "transfer") };
    }),
  );
  return { payer, asset, payments: planned };
}

/** Builds, proves and signs a batch. For an agent, and for an account under a policy, only the wallet may sign it. */
async function prepareMany(
  context: Context,
  { payer, asset, payments }: ManyPlan,
  { seed, tag, deadline, over }: Attempted,
): Promise<SignedTransferMany> {
  const [scope, vault, prove, chain] = await Promise.all([
    context.scope(),
    context.vault(),
    context.prover(),
    context.chain(),
  ]);
  const party = await chain.party(payer.address);
  const byWallet = party.record.limited;
  if (!byWallet) requirePaymentKey(party, false, vault, deadline);
  const view = await viewOver(context, payer, asset, over);
  const batch = payments.map(
    ({ to, units, memo, binding }): BatchPayment => ({
      to: to.address,
      amount: units,
      recipientViewingKey: viewingKeyOf(to),
      ...(memo !== undefined && { memo }),
      ...(binding && { binding }),
    }),
  );
  const plan = await planTransferMany({
    scope,
    account: payer.address,
    asset: asset.address,
    available: decryptAvailable(scope, payer, asset.address, view),
    payments: batch,
    policyVersion: party.record.policyVersion,
    deadline,
    payerViewingKey: vault.viewingKey.publicKey,
    secret: payer.secret,
    seed,
    tag,
  });
  return completePlan(plan, prove, byWallet ? context.signer() : keySigner(vault.paymentKey.privateKey));
}

/** Reports whether an earlier batch under the same key pays the same amounts to the same addresses. */
function isSame({ payments }: ManyPlan) {
  return ({ event, batch }: EarlierPayment): boolean => {
    if (event.eventName !== "BatchTransferred" || batch.length !== payments.length) return false;
    return payments.every(({ to, units }, at) => {
      const earlier = batch[at];
      return earlier !== undefined && isAddressEqual(earlier.paid.args.to, to.address) && earlier.amount === units;
    });
  };
}

/** Builds, proves and signs the batch on this machine and has the service relay it. */
export async function sendManyClientSigned(
  context: Context,
  input: MeantMany & SendOptions,
  run?: RunToPay,
): Promise<Posted<TransferWithCopies[]>> {
  const plan = await planMany(context, input, mayHaveBegun(input));
  const { payer, asset, payments } = plan;
  const id = input.idempotencyKey ?? input.pending?.id ?? crypto.randomUUID();
  const [{ seedKey }, scope, session] = await Promise.all([context.vault(), context.scope(), context.session()]);
  const marks: PaymentMarks = run?.marks ?? {
    seed: paymentSeed(seedKey, scope, payer.address, id),
    tag: tagOf(scope, payer, id),
  };
  const notesOf = (of: Uint8Array) =>
    payments.map(({ to, units }, at) => {
      const { commitment } = noteOf(batchPaymentSeed(of, scope, at), scope, to.address, asset.address, units);
      return { to: to.address, note: commitmentToHex(commitment) };
    });
  // The batch happens as a whole or not at all: with one note that is another's, none of its documents settles, and all
  // its notes can be new.
  const seeded = { payer: payer.address, asset: asset.address, seed: marks.seed, notesOf, fixed: run?.fixed };
  const { seed, options } = await undecryptedSeed(context, seeded, input);
  const names = { payments: notesOf(seed) };
  const goal: AttemptGoal = { id, kind: "batch", party: payer, asset, ...marks, names, fits: isSame(plan) };
  const recipients = new Map(payments.map(({ to }) => [to.address.toLowerCase(), to]));
  return attemptClientSigned<SignedTransferMany, TransferWithCopies[]>(
    context,
    {
      goal,
      isPinned: payments.every(({ to }) => to.unpinned === undefined),
      intents: [...recipients.values()].map((to) => ({
        act: "payment" as const,
        payer,
        asset,
        payment: { to, kind: "transfer" as const },
      })),
      prepare: (deadline, over) => prepareMany(context, plan, { ...marks, seed, deadline, over }),
    },
    options,
    async (document, lockToken) => {
      const body = {
        asset: asset.symbol,
        payments: input.payments.map((one) => ({ to: one.to, ...detailsBody(one) })),
        client_signed: document,
      };
      const locked = {
        ...body,
        ...(lockToken && { lock_token: lockToken }),
        ...(run?.id && { schedule_run: run.id }),
      };
      const query = { ...payer.query, include: "encrypted" };
      const { transfers } = await session.post<TransferBatch>("/v1/transfers/batch", locked, query);
      return transfers.map(withCopies);
    },
    (listed) => (listed.length > 0 ? listed : null),
  );
}

/** Pays 2 to 16 recipients with one proof. Implements `transfers.createMany`. */
export async function sendMany(
  context: Context,
  input: SendManyInput & SendOptions,
  run?: RunToPay,
): Promise<SentMany> {
  const { response, seen, pending } = await sendManyClientSigned(context, input, run);
  const { payments = [] } = pending;
  const { symbol: asset } = await context.asset(input.asset);
  const result = (tx_hash: Hex, status: SentMany["status"], now?: Transfer | null): SentMany => ({
    status,
    tx_hash,
    transfers: input.payments.map(({ to, reference = null, paymentRequest: payment_request = null }, at) => {
      const listed = response?.find(({ note }) => note === payments[at]?.note);
      const schedule_run = run?.id ?? null;
      const own = { status, to, asset, confidential: true, tx_hash, reference, payment_request, schedule_run };
      return ownTransfer(own, listed, now);
    }),
  });
  if (input.wait === false) {
    const [first] = response ?? [];
    if (first) return result(first.tx_hash, "pending");
    if (seen) return result(seen.tx_hash, seen.final ? "confirmed" : "pending");
    throw new OutcomeUnknown(pending);
  }
  const { tx_hash } = await settledOnChain(context, pending);
  const info = await context.info();
  for (const [at, { to }] of input.payments.entries()) {
    const address = payments[at]?.to;
    // The payments are made: a pin that now differs must stop the next payment, not this one.
    if (!to.startsWith("0x") && address) await context.pins.checkHandle(info, to, address).catch(() => {});
  }
  const id = response?.[0]?.transfer_id;
  const now = id ? await caughtUp(context, () => readTransfer(context, id, "session")) : null;
  return result(tx_hash, "confirmed", now);
}
