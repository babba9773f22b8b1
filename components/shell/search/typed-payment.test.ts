import { expect, test } from "vitest";
import { paymentIn } from "./typed-payment";

test.each([
  ["pay @demo 5", { to: "@demo", amount: "5", asset: undefined }],
  ["@demo 12.50", { to: "@demo", amount: "12.50", asset: undefined }],
  ["Send 0.1 eth to @ada/buyer", { to: "@ada/buyer", amount: "0.1", asset: "ETH" }],
  [
    "pay $5 USDG 0x00000000000000000000000000000000000000aa",
    { to: `0x${"0".repeat(38)}aa`, amount: "5", asset: "USDG" },
  ],
])("a typed payment is understood: %s", (text, payment) => {
  expect(paymentIn(text)).toEqual(payment);
});

test.each([
  ["no one to pay", "pay 5"],
  ["no amount", "pay @demo"],
  ["two amounts", "pay @demo 5 6"],
  ["two people", "pay @demo @ada 5"],
  ["a word that is not understood", "pay @demo 5 tomorrow"],
  ["grouped thousands, or a decimal comma", "pay @demo 1,000"],
  ["a negative amount", "pay @demo -5"],
  ["nothing", ""],
])("no payment is guessed from a text with %s", (_what, text) => {
  expect(paymentIn(text)).toBeUndefined();
});
