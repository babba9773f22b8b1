import type { Address } from "viem";
import { namedAgents } from "../../account/agents";
import { HalcyonError } from "../../api/errors";
import { getOnly } from "../../api/require-same-id";
import type { Transfer } from "../../api/resources/transfers";
import type { Context } from "../../context/context";
import { orResponseLost } from "../attempts/or-response-lost";
import type { PaymentAwaitingApproval, SettledTransfer } from "../attempts/transfer-status";
import type { SendOptions } from "../send";

/** The input of a refund. */
export interface RefundInput {
  /** Decimal string. Default: everything that is left, which needs the wallet or a viewing key. */
  amount?: string | undefined;
  memo?: string | undefined;
  /** Your reference, up to 64 characters. The recipient and the service can read it. */
  reference?: string | undefined;
  /** Client-signed: this machine builds and proves the refund. */
  clientSigned?: boolean | undefined;
}

/** A refund and its sending options. */
export type RefundCall = RefundInput & SendOptions;

/** The result of a refund. `checked`: it was compared with what was received and with the earlier refunds. */
export type Refund = (SettledTransfer | PaymentAwaitingApproval) & { refund_of: string; checked: boolean };

/** The API's fields for a refund. */
export interface RefundBody {
  refund_of: string;
  asset: string;
  amount?: string;
  from?: string;
  memo?: string;
  reference?: string;
  refunds_counted?: number;
}

/** If an agent received the payment, returns the agent's handle in the API's form. */
export async function fromOf(context: Context, recipient: Address): Promise<string | undefined> {
  const { caller, agents } = await namedAgents(context);
  const agent = agents.find(({ public_key }) => public_key.toLowerCase() === recipient.toLowerCase());
  return agent && agent.handle !== caller ? agent.handle : undefined;
}

/** Posts a refund. A retry after a broken connection uses the same key, so it never pays twice. */
export async function postRefund(
  context: Context,
  body: RefundBody,
  key: string,
): Promise<Transfer | PaymentAwaitingApproval> {
  const headers = { ...context.bearer, "idempotency-key": key };
  return (await context.http.send("POST", "/v1/transfers", { json: body, headers })).body as Transfer;
}

/** Has the service sign and send a refund that is not compared with what was received. */
export async function refundByKey(
  context: Context,
  id: string,
  { amount, memo, reference, idempotencyKey: key = crypto.randomUUID() }: RefundCall,
  post = postRefund,
): Promise<Transfer | PaymentAwaitingApproval> {
  if (amount === undefined) {
    throw new HalcyonError("invalid_request", "An API key can't read what was received: name the amount.", {
      param: "amount",
    });
  }
  const include = { include: "encrypted" };
  const { asset, encrypted } = await getOnly<Transfer>(context, "transfers", "transfer_id", id, include);
  const from = encrypted && (await fromOf(context, encrypted.recipient));
  const body: RefundBody = { refund_of: id, asset, amount, from, memo, reference };
  return orResponseLost(key, post(context, body, key));
}
