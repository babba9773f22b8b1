import { HalcyonError } from "../api/errors";
import type { PayoutInput } from "../payments/payouts/payouts";
import { checkPayoutInput } from "../resources/payouts-resource";
import { answered, type PlainBody, type ProxyClient } from "./build-transfer";
import { jsonResponse, type ProxyResponse } from "./proxy-response";

/** What a request asks for: a payout, a check of one, or that one goes on. */
type PayoutAsked = { kind: "create" | "check"; input: PayoutInput } | { kind: "resume"; payoutId: string };

/**
 * Reads a payout from a request's body.
 *
 * @throws HalcyonError `invalid_request`
 */
export function payoutOf({ rows, allow_duplicates: allowDuplicates, ...rest }: PlainBody): PayoutInput {
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) throw new HalcyonError("invalid_request", "This field is not known.", { param: unknown });
  const input = { rows, ...(allowDuplicates !== undefined && { allowDuplicates }) } as unknown as PayoutInput;
  checkPayoutInput(input);
  if (input.rows.length > 0 && input.rows.length <= 5_000) return input;
  throw new HalcyonError("invalid_request", "A payout has 1 to 5,000 rows.", { param: "rows" });
}

/** Makes a payout on this machine, works on it for as long as the service would, and returns its progress. */
export function buildPayout(
  client: ProxyClient,
  asked: PayoutAsked,
  { idempotencyKey, service }: { idempotencyKey: string; service: string },
): Promise<ProxyResponse> {
  return answered(service, async () => {
    switch (asked.kind) {
      case "check":
        return jsonResponse(200, await client.payouts.check(asked.input));
      case "create":
        return jsonResponse(201, await client.payouts.create(asked.input, { idempotencyKey, wait: false }));
      case "resume":
        return jsonResponse(200, await client.payouts.resume(asked.payoutId, { wait: false }));
    }
  });
}
