import type { CallOptions } from "../api/call-options";
import { checkInput, checkText } from "../api/check-input";
import { requireSameId } from "../api/require-same-id";
import type { HeldPaymentDetails } from "../api/resources/approvals";
import type { AdvancedClock, FailingRecipient } from "../api/resources/test-helpers";
import type { Context } from "../context/context";

/** Implements `testHelpers.advanceClock`. */
export function advanceClock(
  context: Context,
  input: { seconds: number },
  options?: CallOptions,
): Promise<AdvancedClock> {
  checkInput(input, { seconds: "count!" });
  return post(context, "/clock/advance", options, { seconds: input.seconds });
}

/** Implements `testHelpers.expire`. */
export function expireHeldPayment(
  context: Context,
  transactionId: string,
  options?: CallOptions,
): Promise<HeldPaymentDetails> {
  checkText("transactionId", transactionId);
  const path = `/transactions/${encodeURIComponent(transactionId)}/expire`;
  return requireSameId("transaction_id", transactionId, post<HeldPaymentDetails>(context, path, options), true);
}

/** Implements `testHelpers.failingRecipient`. */
export async function failingRecipient(context: Context, options?: CallOptions): Promise<FailingRecipient> {
  const { http, bearer } = context.within(options);
  return (await http.send("GET", "/v1/test_helpers/failing_recipient", { headers: bearer })).body as FailingRecipient;
}

async function post<T>(context: Context, path: string, options: CallOptions = {}, json?: unknown): Promise<T> {
  const { http, bearer } = context.within(options);
  const headers = { ...bearer, "idempotency-key": options.idempotencyKey ?? crypto.randomUUID() };
  return (await http.send("POST", `/v1/test_helpers${path}`, { json, headers })).body as T;
}
