import { readFileSync } from "node:fs";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import type { DeliveryResource } from "@/lib/events/webhooks/delivery-resource";
import type { HealthResource } from "@/lib/events/webhooks/list-health";
import { DeliveryTable } from "./delivery-table";
import { failureOf, waitingInWords, waitsBecause } from "./wording";

test("every stage at which an attempt can fail has words for it, with its detail", () => {
  const sources = ["attempt.ts", "post.ts"]
    .map((file) => readFileSync(`lib/events/webhooks/delivery/${file}`, "utf8"))
    .join("\n");
  const stages = new Set([...sources.matchAll(/["`]([a-z]+): (?:\$\{|[a-zA-Z])/g)].map(([, stage = ""]) => stage));
  expect(stages.size).toBeGreaterThanOrEqual(9);
  const unknown = failureOf("nonsense: x").title;
  for (const stage of stages) expect(failureOf(`${stage}: detail`), stage).not.toMatchObject({ title: unknown });
  expect(failureOf("status: 503")).toMatchObject({ title: "It responded with an error", detail: "503" });
});

test("a delivery that waits behind a failing endpoint says why, and one of a healthy endpoint names no cause", () => {
  const health: HealthResource = {
    webhook_id: "wh_1",
    attempted: 1,
    failed: 1,
    last: { at: "2026-11-26T06:00:00Z", status: "failed", response_code: 500, error: "status: 500" },
    arrived: [false],
    failing_since: "2026-11-26T06:00:00Z",
    waiting: 1,
    next_attempt_at: null,
  };
  expect(waitsBecause(health)).toBe("endpoint responded 500");
  const refused = { ...health, last: { ...health.last, response_code: null, error: "connect: ECONNREFUSED" } };
  expect(waitsBecause(refused as HealthResource)).toBe("No connection to the host");
  expect(waitsBecause({ ...health, failing_since: null })).toBeUndefined();
  const waiting = { delivery_id: "d", webhook_id: "wh_1", event: "transfer.confirmed", status: "pending", attempt: 0 };
  const shown = (rows: HealthResource[]) => {
    const delivery = { ...waiting, created_at: health.last?.at, duration_ms: null } as unknown as DeliveryResource;
    return renderToStaticMarkup(createElement(DeliveryTable, { path: "/d", deliveries: [delivery], health: rows }));
  };
  expect(shown([health])).toContain("endpoint responded 500");
  expect(shown([])).toContain("Pending");
  expect(shown([{ ...health, webhook_id: "wh_2" }])).toContain("Pending");
});

test("what waits for an endpoint is counted as far as the service counts", () => {
  expect([1, 2, 999].map(waitingInWords)).toEqual([
    "1 delivery waits for it.",
    "2 deliveries wait for it, oldest first.",
    "999 deliveries wait for it, oldest first.",
  ]);
  expect(waitingInWords(1_000)).toBe("1,000 deliveries or more wait for it, oldest first.");
});
