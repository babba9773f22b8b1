import type { Hex } from "viem";
import { paymentSeed } from "@/lib/ledger/crypto/payment-seed";
import type { RunMarks } from "@/lib/ledger/crypto/run-marks";
import type { SignedPayment } from "@/lib/ledger/prepare/documents";
import { tagOf } from "../account/party";
import type { CallOptions } from "../api/call-options";
import type { DryRun, Transfer } from "../api/resources/transfers";
import type { Context } from "../context/context";
import { attemptPayment } from "./attempt-payment";
import type { AttemptOptions } from "./attempts/attempt-options";
import { mayHaveBegun } from "./attempts/attempt-options";
import { entryOf } from "./attempts/check-payment";
import { orResponseLost } from "./attempts/or-response-lost";
import { OutcomeUnknown } from "./attempts/outcome-unknown";
import type { Posted } from "./attempts/posted";
import { caughtUp, settledOnChain } from "./attempts/settle";
import {
  ownTransfer,
  type PaymentAwaitingApproval,
  readTransfer,
  type SettledTransfer,
  settled,
} from "./attempts/transfer-status";
import { bodyWithout, payerHandle, planPayment } from "./payment-plan";
import type { PrepareTransferInput } from "./prepare-transfer-input";
import type { Meant } from "./recipient";
import { type MaybeExact, serverSignedBody } from "./server-signed-body";

/** A payment. With only an API key, the default for `from` is the key's account. */
export interface SendInput extends PrepareTransferInput {
  /** Client-signed: this machine builds and proves the payment. The service sees neither the amount nor the balance. */
  clientSigned?: boolean | undefined;
}

/** Options for sending a payment. */
export interface SendOptions extends CallOptions, AttemptOptions {
  /** `false` returns once the service has accepted the payment, which usually is still `pending`. */
  wait?: boolean | undefined;
}

/** A schedule's run or a payout's row that this payment fulfils. Its marks replace those of the request. */
export interface RunToPay {
  /** `run_…`, for a run of a schedule. */
  id?: string;
  marks: RunMarks;
  /** Whether the service knows the payment by its notes, which then never change. */
  fixed?: boolean;
}

/** A payment and its sending options. */
export type SendCall = SendInput & SendOptions & MaybeExact & Meant;

/** Posts a payment. A retry after a broken connection uses the same key, so it never pays twice. */
async function post(
  context: Context,
  body: unknown,
  idempotencyKey: string,
): Promise<Transfer | PaymentAwaitingApproval> {
  const headers = { ...context.bearer, "idempotency-key": idempotencyKey };
  return (await context.http.send("POST", "/v1/transfers", { json: body, headers })).body as
    | Transfer
    | PaymentAwaitingApproval;
}

/**
 * Returns an idempotency key derived from the document's proof: sending the same document again after a lost response
 * is the same request. Every proof is unique, unlike the available balance commitment, which two payments under a
 * policy may share.
 */
function keyOf({ proof }: SignedPayment): string {
  return `client-signed-${proof.slice(2, 42)}`;
}

/**
 * Builds, proves and signs a payment on this machine and has the service relay it. Returns the service's response, or
 * what the chain shows.
 */
export async function sendClientSigned(
  context: Context,
  input: SendCall,
  run?: RunToPay,
): Promise<Posted<Transfer | PaymentAwaitingApproval>> {
  // An earlier process may have resolved this key's handle to a different address. So pin it only once a payment has
  // settled.
  const plan = await planPayment(context, input, mayHaveBegun(input));
  const id = input.idempotencyKey ?? input.pending?.id ?? crypto.randomUUID();
  const [{ seedKey }, scope] = await Promise.all([context.vault(), context.scope()]);
  const own = () => ({ seed: paymentSeed(seedKey, scope, plan.payer.address, id), tag: tagOf(scope, plan.payer, id) });
  const marks = run?.marks ?? own();
  const { from, ...common } = bodyWithout(input.to, plan);
  return attemptPayment<Transfer | PaymentAwaitingApproval>(
    context,
    { ...plan, id, ...marks, byKey: context.hasApiKey, fixed: run?.fixed },
    input,
    async (document, lockToken) => {
      const body = {
        ...common,
        client_signed: document,
        lock_token: lockToken,
        ...(run?.id && { schedule_run: run.id }),
      };
      if (context.hasApiKey) return post(context, { ...body, from }, keyOf(document));
      return (await context.session()).post<Transfer>("/v1/transfers", body, plan.payer.query);
    },
    (listed) => listed,
  );
}

/**
 * Pays with a proof created on this machine, and waits for the chain. Implements `transfers.create` with
 * `clientSigned`.
 */
export async function sendAndSettle(context: Context, input: SendCall, run?: RunToPay): Promise<SettledTransfer> {
  return settlePosted(context, input, await sendClientSigned(context, input, run), run);
}

/** Waits for the chain to show a payment that this machine has built. */
export async function settlePosted(
  context: Context,
  input: SendCall,
  { response, seen, pending }: Posted<Transfer | PaymentAwaitingApproval>,
  run?: RunToPay,
): Promise<SettledTransfer> {
  // A signed document has left. That it awaits approval, as a response may claim, is not for the service to decide.
  const accepted = response && !("transaction_id" in response) ? response : null;
  const { symbol } = await context.asset(input.asset);
  const result = (tx_hash: Hex, isFinal: boolean, listed: Transfer | null, now?: Transfer | null): SettledTransfer =>
    ownTransfer(
      {
        status: isFinal ? "confirmed" : "pending",
        to: input.to,
        asset: symbol,
        confidential: pending.kind !== "release",
        tx_hash,
        reference: input.reference ?? null,
        payment_request: input.paymentRequest ?? null,
        schedule_run: run?.id ?? null,
      },
      listed,
      now,
    );
  if (input.wait === false) {
    if (accepted) return result(accepted.tx_hash, false, accepted);
    if (seen) return result(seen.tx_hash, seen.final, await entryOf(context, pending, seen).catch(() => null));
    throw new OutcomeUnknown(pending);
  }
  const shown = await settledOnChain(context, pending).catch((error: unknown) => {
    throw error instanceof OutcomeUnknown && accepted ? error.of(accepted) : error;
  });
  if (!input.to.startsWith("0x") && pending.to) {
    // The payment is made: a pin that now differs must stop the next payment, not this one.
    await context.pins.checkHandle(await context.info(), input.to, pending.to).catch(() => {});
  }
  if (!accepted) return result(shown.tx_hash, true, null);
  const by = context.hasApiKey ? "key" : "session";
  const now = await caughtUp(context, () => readTransfer(context, accepted.transfer_id, by));
  return result(shown.tx_hash, true, accepted, now);
}

async function plainBody(context: Context, { from, ...input }: PrepareTransferInput & MaybeExact) {
  return { ...serverSignedBody(input), ...(from !== undefined && { from: await payerHandle(context, from) }) };
}

/** Has the service sign and send a payment. Returns what the service accepted. */
export async function sendByKey(context: Context, input: SendCall): Promise<Transfer | PaymentAwaitingApproval> {
  const body = await plainBody(context, input);
  const key = input.idempotencyKey ?? crypto.randomUUID();
  return orResponseLost(key, post(context, body, key));
}

/** Pays. Implements `transfers.create`. */
export async function send(context: Context, input: SendCall): Promise<SettledTransfer | PaymentAwaitingApproval> {
  if (input.clientSigned) return sendAndSettle(context, input);
  const created = await sendByKey(context, input);
  if ("transaction_id" in created || input.wait === false) return created;
  return settled(context, created);
}

/** Evaluates an agent's policy for a payment. Implements `transfers.dryRun`. */
export async function dryRun(context: Context, input: PrepareTransferInput & MaybeExact): Promise<DryRun> {
  const request = { json: await plainBody(context, input), query: { dry_run: "true" }, headers: context.bearer };
  return (await context.http.send("POST", "/v1/transfers", request)).body as DryRun;
}
