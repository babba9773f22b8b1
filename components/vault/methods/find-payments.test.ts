import { expect, test } from "vitest";
import { type FoundPayment, inOrder } from "./find-payments";

const payment = (amount: string | null, asset = "USDG") =>
  ({ amount, memo: null, transfer: { asset } }) as unknown as FoundPayment;

test("payments are in the order of their amounts within an asset, and what can't be decrypted comes last", () => {
  const newestFirst = [
    payment("9.5"),
    payment(null),
    payment("0.5", "ETH"),
    payment("10"),
    payment("0"),
    payment("9.05"),
  ];
  const amounts = (order: "newest" | "oldest" | "largest" | "smallest") =>
    inOrder(newestFirst, order).map(({ amount, transfer }) => `${amount} ${transfer.asset}`);
  expect(amounts("largest")).toEqual(["10 USDG", "9.5 USDG", "9.05 USDG", "0 USDG", "0.5 ETH", "null USDG"]);
  expect(amounts("smallest")).toEqual(["0 USDG", "9.05 USDG", "9.5 USDG", "10 USDG", "0.5 ETH", "null USDG"]);
  expect(amounts("oldest")).toEqual(amounts("newest").reverse());
});
