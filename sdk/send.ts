import type { AttemptOptions } from "./attempt-options";
import { underLease } from "./budget-lease";
import type { Context } from "./context";
import { bodyOf, payerHandle, planPayment } from "./payment-plan";
import { postPrepared } from "./post-prepared";
import type { PrepareTransferInput } from "./prepare-transfer";
import type { DryRun, HeldPayment, Transfer } from "./resources";
import { type SettledTransfer, settled } from "./transfer-status";

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

async function sendPrepared(context: Context, input: SendInput): Promise<Transfer | HeldPayment> {
  const plan = await planPayment(context, input);
  const { payer, asset } = plan;
  return underLease(context, payer, asset, async (leaseToken) => {
    const { from, ...prepared } = await bodyOf(context, input.to, plan);
    const body = { ...prepared, lease_token: leaseToken };
    if (context.hasApiKey) return post(context, { ...body, from }, input.idempotencyKey ?? crypto.randomUUID());
    return postPrepared(context, "/api/transfers", body, payer.query);
  });
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
 * chain. A payment the policy holds is returned as it is, undecided.
 *
 * @example
 * await halcyon.send({ to: "@bob", amount: "25", memo: "lunch" });
 * // { transfer_id: "tr_…", status: "confirmed", to: "@bob", confidential: true, tx_hash: "0x…", created_at: "…" }
 * @throws HalcyonError `insufficient_balance`, `recipient_not_found`, `recipient_not_confidential_ready`,
 * `policy_violation` and others
 */
export async function send(context: Context, input: SendInput): Promise<SettledTransfer | HeldPayment> {
  const created = input.prepared
    ? await sendPrepared(context, input)
    : await post(context, await plainBody(context, input), input.idempotencyKey ?? crypto.randomUUID());
  if ("transaction_id" in created || input.wait === false) return created;
  return settled(context, created.transfer_id, context.hasApiKey ? "key" : "session");
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
