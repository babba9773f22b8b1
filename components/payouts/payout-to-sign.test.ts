import { expect, test } from "vitest";
import type { ShownPayoutRow } from "@/components/vault/methods/payouts";
import { payoutToSign } from "./payout-to-sign";

const row = (row: number, rest: Partial<ShownPayoutRow>): ShownPayoutRow => ({
  ...{ row, status: "pending", to: "@bob", amount: "1.5", asset: "USDG" },
  ...{ memo: null, reference: null, transferId: null, error: null, ...rest },
});

test("the wallet shows what is left to pay, by asset, and to how many", () => {
  const rows = [
    row(1, { status: "paid", amount: "100" }),
    row(2, {}),
    row(3, { amount: "2.25" }),
    row(4, { asset: "ETH", amount: "0.1" }),
  ];
  expect(payoutToSign(rows).facts).toEqual([
    { name: "Amount", value: "3.75 USDG" },
    { name: "Amount in ETH", value: "0.1 ETH" },
    { name: "From", value: "Your available balance" },
    { name: "To", value: "3 recipients, together" },
  ]);
  expect(payoutToSign(rows.slice(0, 2)).facts.at(-1)).toEqual({ name: "To", value: "@bob" });
});

test("a row that can't be decrypted adds nothing to the amount", () => {
  const rows = [row(1, {}), row(2, { to: null, amount: null, asset: null })];
  expect(payoutToSign(rows).facts[0]).toEqual({ name: "Amount", value: "1.5 USDG" });
});
