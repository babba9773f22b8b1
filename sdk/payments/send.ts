import { paymentSeed } from "@/lib/ledger/crypto/seed";
import type { PreparedPayment } from "@/lib/ledger/prepare/documents";
import type { DryRun, HeldPayment, Transfer } from "../api/resources";
import { toHalcyonError } from "../api/to-halcyon-error";
import type { AttemptOptions } from "../attempts/attempt-options";
import { mayHaveBegun } from "../attempts/attempt-options";
import type { Settled } from "../attempts/check-payment";
import { OutcomeUnknown, ResponseLost } from "../attempts/outcome-unknown";
import { hasLeftNothing, isLost } from "../attempts/post-prepared";
import type { Posted } from "../attempts/posted";
import { caughtUp, settledOnChain } from "../attempts/settle";
import { readTransfer, type SettledTransfer, settled } from "../attempts/transfer-status";
import type { Context } from "../context/context";
import { attemptPayment } from "./attempt-payment";
import { bodyWithout, payerHandle, planPayment } from "./payment-plan";
import type { PrepareTransferInput } from "./prepare-transfer-input";

/** A payment. With an API key alone, `from` left out means the key's account. */
export interface SendInput extends PrepareTransferInput, AttemptOptions {
  /** Builds and proves the payment on this machine: the service sees neither the amount nor the budget. */
  prepared?: boolean;
  /** `false` returns once the service has accepted the payment, mostly still `pending`. */
  wait?: boolean;
}

/** Posts a payment. After a broken connection it goes out again under the same key, which never pays twice. */
async function post(context: Context, body: unknown, idempotencyKey: string): Promise<Transfer | HeldPayment> {
  const headers = { ...context.bearer, "idempotency-key": idempotencyKey };
  return (await context.http.send("POST", "/v1/transfers", { json: body, headers })).body as Transfer | HeldPayment;
}

/** The same document under its own key: sent again after a lost answer, it is the same request. */
function keyOf({ new_budget }: PreparedPayment): string {
  return `prepared-${new_budget.slice(2, 42)}`;
}

/** Builds, proves and signs a payment here and has the service relay it. The service's word for it, or the chain's. */
export async function sendPrepared(context: Context, input: SendInput): Promise<Posted<Transfer | HeldPayment>> {
  // An earlier process may have been told another address for this key's handle: one that settles pins it.
  const plan = await planPayment(context, input, mayHaveBegun(input));
  const id = input.idempotencyKey ?? input.pending?.id ?? crypto.randomUUID();
  const [{ seedKey }, scope] = await Promise.all([context.vault(), context.scope()]);
  const seed = paymentSeed(seedKey, scope, plan.payer.address, id);
  const { from, ...common } = bodyWithout(input.to, plan);
  return attemptPayment<Transfer | HeldPayment>(
    context,
    { ...plan, id, seed, byKey: context.hasApiKey },
    input,
    async (prepared, leaseToken) => {
      const body = { ...common, prepared, lease_token: leaseToken };
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

async function sendAndSettle(context: Context, input: SendInput): Promise<SettledTransfer | HeldPayment> {
  const { answer, seen, pending } = await sendPrepared(context, input);
  if (answer && "transaction_id" in answer) return answer;
  if (input.wait === false) {
    if (answer) return answer;
    if (seen) return unnamed(input, seen);
    throw new OutcomeUnknown(pending);
  }
  const shown = await settledOnChain(context, pending);
  if (!input.to.startsWith("0x") && pending.to) {
    // It is paid: a pin that came to differ meanwhile stops the next payment, not this one.
    await context.pins.checkHandle(await context.info(), input.to, pending.to).catch(() => {});
  }
  const { tx_hash } = shown;
  if (!answer) return unnamed(input, shown);
  const { transfer_id, to, confidential, created_at } = answer;
  await caughtUp(() => readTransfer(context, transfer_id, context.hasApiKey ? "key" : "session"));
  return { transfer_id, status: "confirmed", to, confidential, tx_hash, created_at };
}

async function plainBody(context: Context, input: SendInput) {
  const { to, amount, memo, from } = input;
  return {
    to,
    amount,
    ...(from !== undefined && { from: await payerHandle(context, from) }),
    ...(input.asset !== undefined && { asset: input.asset }),
    ...(input.public && { confidential: false }),
    ...(memo !== undefined && { memo }),
  };
}

/**
 * Pays somebody from the budget of the account, or of an agent within its policy, and waits until the payment is final on
 * chain. A payment the policy holds is returned as it is, undecided. One that is `prepared` is settled by what the chain shows,
 * over the client's own RPC where it has one; the same `idempotencyKey` continues it, also from another process.
 *
 * @example
 * await halcyon.send({ to: "@bob", amount: "25", memo: "lunch" });
 * // { transfer_id: "tr_…", status: "confirmed", to: "@bob", confidential: true, tx_hash: "0x…", created_at: "…" }
 * @throws HalcyonError `insufficient_balance`, `recipient_not_found`, `recipient_not_confidential_ready`,
 * `policy_violation` and others; OutcomeUnknown (of a plain one ResponseLost) when it has left
 * and its outcome is not known yet; NothingMoved when it did not happen
 */
export function send(
  context: Context,
  input: SendInput & { wait: false; prepared?: false },
): Promise<Transfer | HeldPayment>;
export function send(context: Context, input: SendInput): Promise<SettledTransfer | HeldPayment>;
export async function send(context: Context, input: SendInput): Promise<SettledTransfer | HeldPayment> {
  if (input.prepared) return sendAndSettle(context, input);
  const body = await plainBody(context, input);
  const key = input.idempotencyKey ?? crypto.randomUUID();
  const created = await post(context, body, key).catch((error: unknown) => {
    throw isLost(error) && !hasLeftNothing(error) ? new ResponseLost(key, toHalcyonError(error)) : error;
  });
  if ("transaction_id" in created || input.wait === false) return created;
  return settled(context, created.transfer_id);
}

/**
 * What an agent's policy says of a payment now, rule by rule. Pays, holds and records nothing; funds are not looked at.
 * Needs an API key.
 *
 * @example
 * await halcyon.dryRun({ from: "@alice/bot", to: "@bob", amount: "12" });
 * // { dry_run: true, outcome: "held", rules: [{ rule: "agent_paused", outcome: "pass" }, …] }
 */
export async function dryRun(
  context: Context,
  input: Omit<SendInput, "prepared" | "idempotencyKey" | "wait">,
): Promise<DryRun> {
  const request = { json: await plainBody(context, input), query: { dry_run: "true" }, headers: context.bearer };
  return (await context.http.send("POST", "/v1/transfers", request)).body as DryRun;
}
