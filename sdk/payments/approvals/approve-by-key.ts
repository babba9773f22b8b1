import type { CallOptions } from "../../api/call-options";
import { requireSameId } from "../../api/require-same-id";
import type { DecidedPayment } from "../../api/resources/approvals";
import { callApi } from "../../context/call-api";
import type { Context } from "../../context/context";
import { orResponseLost } from "../attempts/or-response-lost";

/**
 * Approves a payment awaiting approval with an API key: the service decrypts, signs and sends it.
 *
 * @returns what the service accepted; the payment is not final yet
 * @throws ResponseLost when it is not known whether the payment was made
 */
export async function approveByKey(
  context: Context,
  id: string,
  { idempotencyKey = crypto.randomUUID() }: CallOptions = {},
): Promise<DecidedPayment> {
  const path = `/v1/agents/transactions/${encodeURIComponent(id)}/approve` as const;
  const asked = callApi<DecidedPayment>(context, "POST", path, { json: {}, idempotencyKey });
  const decided = await orResponseLost(idempotencyKey, asked);
  // A response about another payment says nothing of this one, which may have been made.
  return orResponseLost(idempotencyKey, requireSameId("transaction_id", id, decided), true);
}
