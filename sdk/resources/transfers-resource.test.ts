import { expect, test } from "vitest";
import { serviceThatLosesThenRefuses } from "@/test/sdk/lossy-service";
import { serve } from "@/test/sdk/serve";
import { Halcyon } from "../client";
import { ResponseLost } from "../payments/attempts/outcome-unknown";
import { TransferNotFinal } from "../payments/attempts/transfer-not-final";

const apiKey = `hc_test_${"a".repeat(49)}`;
const TRANSFER = {
  transfer_id: "tr_1",
  status: "pending",
  to: "@bob",
  confidential: true,
  tx_hash: `0x${"ab".repeat(32)}`,
  created_at: "2026-01-01T00:00:00Z",
};

/** Starts a service that accepts each payment and later reports it with these fields. */
async function serviceThatSays(later: object): Promise<{ halcyon: Halcyon; requests: string[] }> {
  const requests: string[] = [];
  const url = await serve((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    const created = request.method === "POST";
    response.writeHead(created ? 201 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(created ? TRANSFER : { ...TRANSFER, ...later }));
  });
  return { halcyon: new Halcyon({ url, apiKey }), requests };
}

const posts = (requests: string[]) => requests.filter((request) => request.startsWith("POST"));

test("a payment that is not final in time throws with its transfer, says that it goes on, and is sent once", async () => {
  const { halcyon, requests } = await serviceThatSays({});
  const error = await halcyon.transfers
    .create({ to: "@bob", amount: "25" }, { waitTimeout: 1 })
    .catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(TransferNotFinal);
  expect(error).toMatchObject({ code: "outcome_unknown", transfer: { transfer_id: "tr_1" } });
  expect(String(error)).toContain("Do not send it again");
  expect(posts(requests)).toEqual(["POST /v1/transfers"]);
});

test("a payment whose call is ended before it is final throws with its transfer, and not that nothing was sent", async () => {
  const { halcyon, requests } = await serviceThatSays({});
  const controller = new AbortController();
  const error = await halcyon.transfers
    .create({ to: "@bob", amount: "25" }, { signal: controller.signal, onResponse: () => controller.abort() })
    .catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: "outcome_unknown", transfer: { transfer_id: "tr_1" } });
  expect(posts(requests)).toEqual(["POST /v1/transfers"]);
});

test.each([
  [401, "unauthorized"],
  [403, "key_forbidden"],
  [429, "rate_limited"],
  [409, "idempotency_in_progress"],
  [409, "sync_required"],
])("a payment whose response was lost stays open, with its key, when the retry gets %d %s", async (status, code) => {
  const { url, keys } = await serviceThatLosesThenRefuses(status, code);
  const halcyon = new Halcyon({ url, apiKey });
  const error = await halcyon.transfers.create({ to: "@bob", amount: "25" }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ResponseLost);
  expect(error).toMatchObject({ code: "outcome_unknown", idempotencyKey: keys[0] });
  expect(keys).toEqual([keys[0], keys[0]]);
});

test("a payment whose response was lost is refused when the retry is judged: the first one moved nothing", async () => {
  const { url } = await serviceThatLosesThenRefuses(402, "insufficient_balance");
  const paid = new Halcyon({ url, apiKey }).transfers.create({ to: "@bob", amount: "25" });
  await expect(paid).rejects.toMatchObject({ code: "insufficient_balance" });
});

test("a payment that is confirmed returns as such", async () => {
  const { halcyon } = await serviceThatSays({ status: "confirmed" });
  expect(await halcyon.transfers.create({ to: "@bob", amount: "25" })).toEqual({ ...TRANSFER, status: "confirmed" });
});
