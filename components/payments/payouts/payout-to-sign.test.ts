import { expect, test } from "vitest";
import { batchToSign } from "./payout-to-sign";

const pay = (...amounts: string[]) => amounts.map((amount, at) => ({ to: `@to${at}`, amount }));

test("each signature of a payout shows what it pays, and not what the payout pays", () => {
  const batch = { batch: 2, batches: 3, asset: "ETH", payments: pay("0.1", "0.2", "0.3", "0.4", "0.000000001") };
  expect(batchToSign(batch).facts).toEqual([
    { name: "Batch", value: "3 of 3" },
    { name: "Payments", value: "5" },
    { name: "Amount", value: "1.000000001 ETH together" },
    { name: "From", value: "Your available balance" },
    { name: "To", value: "@to0, @to1, @to2 and 2 more" },
  ]);
});

test("a payment that is signed alone is shown like any other", () => {
  const batch = { batch: 0, batches: 1, asset: "USDG", payments: pay("1.5") };
  expect(batchToSign(batch).facts).toEqual([
    { name: "Amount", value: "1.50 USDG" },
    { name: "From", value: "Your available balance" },
    { name: "To", value: "@to0" },
  ]);
});

test("a payment of a batch that was refused is shown with its batch, whose other rows follow alone", () => {
  const batch = { batch: 1, batches: 2, asset: "USDG", payments: pay("1.5") };
  expect(batchToSign(batch).facts.slice(0, 2)).toEqual([
    { name: "Batch", value: "2 of 2" },
    { name: "Payments", value: "1" },
  ]);
  expect(batchToSign({ ...batch, batches: undefined }).facts[0]).toEqual({ name: "Batch", value: "2" });
});
