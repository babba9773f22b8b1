import { describe, expect, it } from "vitest";
import { hrefOf, offsetOf } from "@/components/lists/search-params";
import { ListTransfersQuery } from "@/lib/payments/schema";
import { readTransferFilters, type TransferFilters, transfersQuery } from "./filters";

const ALL: TransferFilters = {
  status: "confirmed",
  direction: "sent",
  counterparty: "@bob",
  asset: "ETH",
  agent: "acct_01KADJ2C9B3T6Y0V8ZQ4N5M7WX",
  key: "key_01KADJ2C9B3T6Y0V8ZQ4N5M7WX",
  from: "2026-02-28",
  to: "2026-03-01",
};

describe("the filters of the list of transfers", () => {
  it("come back from the address they make, and the service takes them", () => {
    const { searchParams } = new URL(hrefOf("/test/transfers", ALL), "https://pay.example");
    expect(readTransferFilters(Object.fromEntries(searchParams))).toEqual(ALL);
    expect(ListTransfersQuery.safeParse(transfersQuery(ALL)).success).toBe(true);
    expect(hrefOf("/test/transfers", {})).toBe("/test/transfers");
  });

  it("include both of their days, whole, in UTC", () => {
    const { from = "", to = "" } = transfersQuery(ALL);
    // The bounds are exclusive: the first and last millisecond of the days lie between them, their neighbors do not.
    expect([from, to]).toEqual(["2026-02-27T23:59:59.999Z", "2026-03-02T00:00:00.000Z"]);
  });

  it("leave out what means nothing, as a form sends it without JavaScript", () => {
    const odd = {
      status: "",
      direction: "up",
      asset: "BTC",
      from: "2026-02-31",
      to: "today",
      key: " ",
      agent: ["a", "b"],
    };
    expect(readTransferFilters({ ...odd, counterparty: "" })).toEqual({});
    expect([offsetOf({ offset: "-20" }), offsetOf({ offset: "20" }), offsetOf({})]).toEqual([0, 20, 0]);
  });

  it("take a handle with or without its @, and an address as it is", () => {
    const address = `0x${"Ab".repeat(20)}`;
    expect(readTransferFilters({ counterparty: " bob " })).toEqual({ counterparty: "@bob" });
    expect(readTransferFilters({ counterparty: "@alice/bot" })).toEqual({ counterparty: "@alice/bot" });
    expect(readTransferFilters({ counterparty: address })).toEqual({ counterparty: address });
  });
});
