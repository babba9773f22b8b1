import type { RunMarks } from "@/lib/ledger/crypto/run-marks";
import { paymentSeed } from "@/lib/ledger/crypto/seed";
import type { PreparedPayment } from "@/lib/ledger/prepare/documents";
import { tagOf } from "../account/party";
import type { CallOptions } from "../api/call-options";
import type { DryRun, Transfer } from "../api/resources/transfers";
import type { AttemptOptions } from "../attempts/attempt-options";
import { mayHaveBegun } from "../attempts/attempt-options";
import type { Settled } from "../attempts/check-payment";
import { orResponseLost } from "../attempts/or-response-lost";
import { OutcomeUnknown } from "../attempts/outcome-unknown";
import type { Posted } from "../attempts/posted";
import { caughtUp, settledOnChain } from "../attempts/settle";
import { type PaymentAwaitingApproval, readTransfer, type SettledTransfer, settled } from "../attempts/transfer-status";
import type { Context } from "../context/context";
import type { KeyContext } from "../context/key-context";
import { attemptPayment } from "./attempt-payment";
import { detailsBody } from "./payment-details";
import { bodyWithout, payerHandle, planPayment } from "./payment-plan";
import type { PrepareTransferInput } from "./prepare-transfer-input";

/** A payment. With an API key alone, `from` left out means the key's account. */
export interface SendInput extends PrepareTransferInput {
  /** Client-signed: builds and proves the payment on this machine. The service sees neither the amount nor the balance. */
  prepared?: boolean | undefined;
}

/** A payment whose recipient may be a seller over HTTP 402 that takes public payments only. */
interface MaybeExact {
  exact?: boolean | undefined;
}

/** How a payment is sent. */
export interface SendOptions extends CallOptions, AttemptOptions {
  /** `false` returns once the service has accepted the payment, mostly still `pending`. */
  wait?: boolean | undefined;
}

/** A run of a schedule or a row of a payout that a payment makes, with its marks in place of the request's own. */
export interface RunToPay {
  /** `run_…` of a schedule's. */
  id?: string;
  marks: RunMarks;
}

/** A payment, and how it is sent. */
export type SendCall = SendInput & SendOptions & MaybeExact;

/** Posts a payment. After a broken connection it goes out again under the same key, which never pays twice. */
async function post(
  context: KeyContext,
  body: unknown,
  idempotencyKey: string,
): Promise<Transfer | PaymentAwaitingApproval> {
  const headers = { ...context.bearer, "idempotency-key": idempotencyKey };
  return (await context.http.send("POST", "/v1/transfers", { json: body, headers })).body as
    | Transfer
    | PaymentAwaitingApproval;
}

/**
 * The same document under its own key: sent again after a lost response, it is the same request. No two proofs are alike, and
 * two payments under a policy may leave one word.
 */
function keyOf({ proof }: PreparedPayment): string {
  return `prepared-${proof.slice(2, 42)}`;
}

/**
 * Builds, proves and signs a payment here and has the service relay it. Returns the service's response, or what the chain
 * shows.
 */
export async function sendPrepared(
  context: Context,
  input: SendCall,
  run?: RunToPay,
): Promise<Posted<Transfer | PaymentAwaitingApproval>> {
  // An earlier process may have been given another address for this key's handle: one that settles pins it.
  const plan = await planPayment(context, input, mayHaveBegun(input));
  const id = input.idempotencyKey ?? input.pending?.id ?? crypto.randomUUID();
  const [{ seedKey }, scope] = await Promise.all([context.vault(), context.scope()]);
  const own = () => ({ seed: paymentSeed(seedKey, scope, plan.payer.address, id), tag: tagOf(scope, plan.payer, id) });
  const marks = run?.marks ?? own();
  const { from, ...common } = bodyWithout(input.to, plan);
  return attemptPayment<Transfer | PaymentAwaitingApproval>(
    context,
    { ...plan, id, ...marks, byKey: context.hasApiKey },
    input,
    async (prepared, leaseToken) => {
      const body = { ...common, prepared, lease_token: leaseToken, ...(run?.id && { schedule_run: run.id }) };
      if (context.hasApiKey) return post(context, { ...body, from }, keyOf(prepared));
      return (await context.session()).post<Transfer>("/api/transfers", body, plan.payer.query);
    },
    (listed) => listed,
  );
}

/** A payment as it is returned, where the chain shows it and the service does not name it. */
function unnamed({ to, public: isPublic }: SendInput, { tx_hash, final }: Settled): SettledTransfer {
  const status = final ? "confirmed" : "pending";
  return { transfer_id: null, status, to, confidential: !isPublic, tx_hash, created_at: null };
}

/** Pays with a proof of this machine, and waits for the chain: what `transfers.create` does with `prepared`. */
export async function sendAndSettle(
  context: Context,
  input: SendCall,
  run?: RunToPay,
): Promise<SettledTransfer | PaymentAwaitingApproval> {
  const { response, seen, pending } = await sendPrepared(context, input, run);
  if (response && "transaction_id" in response) return response;
  if (input.wait === false) {
    if (response) return response;
    if (seen) return unnamed(input, seen);
    throw new OutcomeUnknown(pending);
  }
  const shown = await settledOnChain(context, pending).catch((error: unknown) => {
    throw error instanceof OutcomeUnknown && response ? error.of(response) : error;
  });
  if (!input.to.startsWith("0x") && pending.to) {
    // It is paid: a pin that came to differ meanwhile stops the next payment, not this one.
    await context.pins.checkHandle(await context.info(), input.to, pending.to).catch(() => {});
  }
  const { tx_hash } = shown;
  if (!response) return unnamed(input, shown);
  const { transfer_id, to, confidential, created_at } = response;
  await caughtUp(context, () => readTransfer(context, transfer_id, context.hasApiKey ? "key" : "session"));
  return { transfer_id, status: "confirmed", to, confidential, tx_hash, created_at };
}

async function plainBody(context: KeyContext, input: PrepareTransferInput & MaybeExact) {
  const { to, amount, memo, from } = input;
  return {
    to,
    amount,
    ...(from !== undefined && { from: await payerHandle(context, from) }),
    ...(input.asset !== undefined && { asset: input.asset }),
    ...(input.public && { confidential: false }),
    ...(input.exact && { exact: true }),
    ...(memo !== undefined && { memo }),
    ...detailsBody(input),
    ...(input.binding !== undefined && { binding: input.binding.toLowerCase() }),
  };
}

/** Has the service sign and send a payment; returns what it accepted. */
export async function sendByKey(context: KeyContext, input: SendCall): Promise<Transfer | PaymentAwaitingApproval> {
  const body = await plainBody(context, input);
  const key = input.idempotencyKey ?? crypto.randomUUID();
  return orResponseLost(key, post(context, body, key));
}

/** Pays: what `transfers.create` does. */
export async function send(context: Context, input: SendCall): Promise<SettledTransfer | PaymentAwaitingApproval> {
  if (input.prepared) return sendAndSettle(context, input);
  const created = await sendByKey(context, input);
  if ("transaction_id" in created || input.wait === false) return created;
  return settled(context, created);
}

/** What an agent's policy says of a payment: what `transfers.dryRun` does. */
export async function dryRun(context: KeyContext, input: PrepareTransferInput & MaybeExact): Promise<DryRun> {
  const request = { json: await plainBody(context, input), query: { dry_run: "true" }, headers: context.bearer };
  return (await context.http.send("POST", "/v1/transfers", request)).body as DryRun;
}
