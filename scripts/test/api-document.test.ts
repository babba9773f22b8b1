import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ApiDocument, type SeenAnswer } from "@/test/services/api-document";

/* Tests the comparison that every spec of the API relies on (e2e/api/http.ts), with a response that was recorded. */

test("a response that is not as /openapi.json says is noticed", () => {
  const document = ApiDocument.ofRepository();
  const { getAccount } = JSON.parse(readFileSync("docs/examples/operations.json", "utf8")) as {
    getAccount: { status: number; body: Record<string, unknown> }[];
  };
  const { status = 0, body: json = {} } = getAccount[0] ?? {};
  const text = JSON.stringify(json);
  const headers = { "content-type": "application/json", "x-request-id": "req_1" };
  const response: SeenAnswer = { method: "GET", target: "/v1/accounts/me", status, headers, text };
  expect(document.faults(response)).toEqual([]);
  const { handle: _, ...less } = json;
  const error = (code: string) => {
    const shown = { code, message: "…", request_id: "req_1", doc_url: "https://pay.test/docs/errors" };
    return JSON.stringify({ error: shown });
  };
  const wrong: Record<string, Partial<SeenAnswer>> = {
    "a field too many": { text: JSON.stringify({ ...json, amount: "1" }) },
    "a field too few": { text: JSON.stringify(less) },
    "another type": { text: JSON.stringify({ ...json, handle: 7 }) },
    "another form": { text: JSON.stringify({ ...json, created_at: "yesterday" }) },
    "another success": { status: 206 },
    "a code of another operation": { status: 404, text: error("transaction_not_found") },
    "a code of another status": { status: 401, text: error("rate_limited") },
    "an error without its fields": { status: 401, text: JSON.stringify({ error: { code: "unauthorized" } }) },
    "no request id": { headers: { "content-type": "application/json" } },
    "no JSON": { headers: { ...headers, "content-type": "text/html" } },
  };
  for (const [name, change] of Object.entries(wrong)) {
    expect(document.faults({ ...response, ...change }), name).not.toEqual([]);
  }
  expect(document.faults({ ...response, status: 401, text: error("unauthorized") })).toEqual([]);
  expect(document.faults({ ...response, target: "/v1/nowhere", status: 404, text: error("not_found") })).toEqual([]);
  expect(document.eventFaults("transfer.confirmed", { event: "transfer.confirmed", amount: "1" })).not.toEqual([]);
});
