import { expect, test } from "vitest";
import { sumsOf } from "./sums-of";

const row = (direction: string, amount: string | null, rest = {}) => {
  return { status: "confirmed", kind: "transfer", direction, asset: "USDG", amount, ...rest };
};

test("sums are exact, by asset and direction; what failed, moved within or can't be decrypted is not in them", () => {
  const rows = [
    row("sent", "0.1"),
    row("sent", "0.2"),
    row("received", "1000000.000001"),
    row("sent", "0.000000001", { asset: "ETH" }),
    row("sent", "5", { status: "failed" }),
    row("sent", "7", { kind: "fund" }),
    row("sent", null),
    row("sent", "1", { status: "pending" }),
  ];
  expect(sumsOf(rows)).toEqual({
    sums: [
      { asset: "USDG", sent: "1.3", received: "1000000.000001" },
      { asset: "ETH", sent: "0.000000001", received: "0" },
    ],
    counted: 6,
    unreadable: 1,
  });
});
