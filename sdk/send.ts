import { randomUUID } from "node:crypto";
import { parseAmount } from "@/lib/money";
import type { HeldPayment, Transfer } from "./api-types";
import { underLease } from "./budget-lease";
import type { Context } from "./context";
import { ApiCallError, HalcyonError, ServiceUnreachable } from "./errors";
import { poll } from "./operation";
import { preparePayment } from "./payment";
import { resolveRecipient } from "./recipient";

export interface SendInput {
  /** `@handle` or a 0x address. */
  to: string;
  /** Decimal string. */
  amount: string;
  /** `USDG` when left out. */
  asset?: string;
  memo?: string;
  /** Pays in public to the recipient's address, enrolled or not. */
  public?: boolean;
  /** The same key never pays twice; a random one when left out. */
  idempotencyKey?: string;
  /** Builds and proves the payment on this machine: the service sees neither the amount nor the budget. */
  prepared?: boolean;
}

/** What `POST /v1/transfers` answers, with the status reached on chain. */
export type SendResult = Pick<Transfer, "transfer_id" | "status" | "to" | "confidential" | "tx_hash" | "created_at">;

const TRIES = 5;

/** Posts a payment; after a broken connection or while an earlier try is being answered, again under the same key. */
async function post(context: Context, body: unknown, idempotencyKey: string): Promise<Transfer | HeldPayment> {
  const headers = { ...context.bearer, "idempotency-key": idempotencyKey };
  for (let attempt = 1; ; attempt++) {
    try {
      const answer = await context.http.send("POST", "/v1/transfers", { json: body, headers });
      return answer.body as Transfer | HeldPayment;
    } catch (error) {
      const unknown = error instanceof ServiceUnreachable && attempt === 1;
      const running = error instanceof ApiCallError && error.code === "idempotency_in_progress" && attempt < TRIES;
      if (!unknown && !running) throw error;
      await new Promise((resolve) => setTimeout(resolve, 300 * attempt));
    }
  }
}

async function sendPrepared(context: Context, input: SendInput): Promise<Transfer | HeldPayment> {
  const [asset, recipient] = await Promise.all([context.asset(input.asset), resolveRecipient(context, input.to)]);
  const payment = {
    to: recipient,
    asset,
    units: parseAmount(input.amount, asset.decimals),
    confidential: !input.public,
    memo: input.memo,
  };
  return underLease(context, asset, async (leaseToken) => {
    const prepared = await preparePayment(context, payment);
    const body = {
      to: input.to,
      prepared,
      asset: asset.symbol,
      confidential: payment.confidential,
      lease_token: leaseToken,
    };
    if (!context.hasApiKey) return (await context.session()).post<Transfer>("/api/transfers", body);
    return post(context, body, input.idempotencyKey ?? randomUUID());
  });
}

function sendPlain(context: Context, input: SendInput): Promise<Transfer | HeldPayment> {
  const { to, amount, memo } = input;
  const body = {
    to,
    amount,
    ...(input.asset !== undefined && { asset: input.asset }),
    ...(input.public && { confidential: false }),
    ...(memo !== undefined && { memo }),
  };
  return post(context, body, input.idempotencyKey ?? randomUUID());
}

async function readTransfer(context: Context, id: string): Promise<Transfer> {
  if (context.hasApiKey) {
    const answer = await context.http.send("GET", `/v1/transfers/${id}`, { headers: context.bearer });
    return answer.body as Transfer;
  }
  const session = await context.session();
  const { transfers } = await session.get<{ transfers: Transfer[] }>("/api/transfers", { limit: 100 });
  const found = transfers.find((transfer) => transfer.transfer_id === id);
  if (!found) throw new HalcyonError("not_found", `The service does not list transfer ${id}.`);
  return found;
}

/**
 * Pays somebody from the budget and waits until the payment is final on chain. A payment an agent's policy holds is
 * returned as it is, undecided.
 *
 * @example
 * await halcyon.send({ to: "@bob", amount: "25", memo: "lunch" });
 * // { transfer_id: "tr_…", status: "confirmed", to: "@bob", confidential: true, tx_hash: "0x…", created_at: "…" }
 * @throws HalcyonError `insufficient_balance`, `recipient_not_found`, `recipient_not_confidential_ready` and others
 */
export async function send(context: Context, input: SendInput): Promise<SendResult | HeldPayment> {
  const created = await (input.prepared ? sendPrepared(context, input) : sendPlain(context, input));
  if ("transaction_id" in created) return created;
  const final = await poll("The transfer", async () => {
    const now = await readTransfer(context, created.transfer_id);
    return now.status === "pending" ? undefined : now;
  });
  if (final.status === "failed") {
    throw new HalcyonError("unavailable", `Transfer ${final.transfer_id} failed; no money moved. Send it again.`);
  }
  const { transfer_id, status, to, confidential, tx_hash, created_at } = final;
  return { transfer_id, status, to, confidential, tx_hash, created_at };
}
