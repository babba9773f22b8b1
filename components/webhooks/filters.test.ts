import { expect, test } from "vitest";
import { ListAllDeliveriesQuery } from "@/lib/events/webhooks/schema";
import { deliveriesQuery, readDeliveryFilters } from "./filters";

test("of an address, what means nothing is left out; what is asked is a query the service takes", () => {
  const filters = readDeliveryFilters({
    status: "exhausted",
    event: "transfer.nothing",
    event_id: " evt_01KADJ2C9B3T6Y0V8ZQ4N5M7WX ",
    from: "2026-11-20",
    to: "2026-02-31",
    webhook: ["a", "b"],
    colour: "red",
  });
  expect(filters).toEqual({ status: "exhausted", event_id: "evt_01KADJ2C9B3T6Y0V8ZQ4N5M7WX", from: "2026-11-20" });
  expect(ListAllDeliveriesQuery.parse(deliveriesQuery(filters, 40))).toMatchObject({
    status: "exhausted",
    event_id: "evt_01KADJ2C9B3T6Y0V8ZQ4N5M7WX",
    // Days are whole and both included; the service's bounds are exclusive.
    from: new Date("2026-11-19T23:59:59.999Z"),
    limit: 20,
    offset: 40,
  });
  const one = deliveriesQuery(readDeliveryFilters({ webhook: "wh_01KADJ2C9B3T6Y0V8ZQ4N5M7WX", to: "2026-11-20" }), 0);
  expect(ListAllDeliveriesQuery.parse(one)).toMatchObject({
    webhook_id: "wh_01KADJ2C9B3T6Y0V8ZQ4N5M7WX",
    to: new Date("2026-11-21T00:00:00Z"),
  });
});
