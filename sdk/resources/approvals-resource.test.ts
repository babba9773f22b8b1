import { describe, expect, test } from "vitest";
import { serviceThatLosesThenRefuses } from "@/test/sdk/lossy-service";
import type { HalcyonError } from "../api/errors";
import { Halcyon } from "../client";
import { ResponseLost } from "../payments/attempts/outcome-unknown";

const apiKey = `hc_test_${"a".repeat(49)}`;

describe("an approval with an API key", () => {
  test.each([
    [401, "unauthorized"],
    [409, "idempotency_in_progress"],
    [429, "rate_limited"],
  ])("whose response was lost stays open, with its key, when the retry gets %d %s", async (status, code) => {
    const { url, keys } = await serviceThatLosesThenRefuses(status, code);
    const error = await new Halcyon({ url, apiKey }).approvals.approve("txn_1").catch((thrown: HalcyonError) => thrown);
    expect(error).toMatchObject({ name: "ResponseLost", code: "outcome_unknown", idempotencyKey: keys[0] });
    expect(keys).toEqual([keys[0], keys[0]]);
  });

  test("whose response was lost names the key that was given", async () => {
    const { url } = await serviceThatLosesThenRefuses(401, "unauthorized");
    const approved = new Halcyon({ url, apiKey }).approvals.approve("txn_1", { idempotencyKey: "approve-7" });
    await expect(approved).rejects.toMatchObject({ idempotencyKey: "approve-7" });
  });

  test("whose response was lost is refused when the retry is judged: the first one moved nothing", async () => {
    const { url } = await serviceThatLosesThenRefuses(404, "transaction_not_found");
    const approved = new Halcyon({ url, apiKey }).approvals.approve("txn_1");
    await expect(approved).rejects.toMatchObject({ code: "transaction_not_found" });
  });

  test("that reached no server is an outage, and not an open outcome", async () => {
    const client = new Halcyon({ url: "http://127.0.0.1:1", apiKey, maxRetries: 0 });
    const error = await client.approvals.approve("txn_1").catch((thrown: HalcyonError) => thrown);
    expect(error).not.toBeInstanceOf(ResponseLost);
    expect(error).toMatchObject({ code: "unavailable" });
  });
});
