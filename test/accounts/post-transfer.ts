import { authenticateKey } from "@/lib/http/auth/authenticate-key";
import { beginAttempt, type StoredResponse } from "@/lib/http/idempotency/begin-attempt";
import { createTransfer } from "@/lib/payments/create-transfer";
import { paidTransfer } from "@/lib/payments/paid-transfer";
import { toTransferResource } from "@/lib/payments/transfer-resource";
import { settled } from "./owner";

/** The body of a request. */
export interface PostedTransfer {
  to: string;
  amount: string;
  asset: "USDG";
  confidential: boolean;
  from?: string;
}

/** Authenticates an API key. Returns its caller, with the keys it decrypts. */
export const authenticated = (apiKey: string) =>
  authenticateKey(`Bearer ${apiKey}`, { requestId: "test", clientAddress: null }, "secret");

/** Runs the first step of a request with an `Idempotency-Key`. */
export const beginTransfer = async (apiKey: string, idempotencyKey: string, body: PostedTransfer) =>
  beginAttempt(await authenticated(apiKey), {
    method: "POST",
    path: "/v1/transfers",
    bodyText: JSON.stringify(body),
    idempotencyKey,
  });

/**
 * Handles a request the way `POST /v1/transfers` does, and waits until its payment is final. Returns the transfer's id,
 * from the stored response if it was served before.
 */
export async function postTransfer(apiKey: string, idempotencyKey: string, body: PostedTransfer): Promise<string> {
  const attempt = await beginTransfer(apiKey, idempotencyKey, body);
  if (!("complete" in attempt)) return (attempt.body as { transfer_id: string }).transfer_id;
  const { context } = await authenticated(apiKey);
  try {
    const created = await createTransfer({ ...context, idempotencyKey }, body, (tx, payment) =>
      attempt.complete(tx, { status: 201, body: toTransferResource(paidTransfer(payment)) } satisfies StoredResponse),
    );
    const { row } = paidTransfer(created);
    const statuses = await settled(row.operationId);
    if (statuses.some((status) => status !== "confirmed")) throw new Error(`the payment ended as ${statuses}`);
    return row.id;
  } catch (error) {
    await attempt.abandon();
    throw error;
  }
}
