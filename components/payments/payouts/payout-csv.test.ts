import { expect, test } from "vitest";
import { payoutCsv } from "./payout-csv";

test("no cell of the result runs as a formula, whatever the file had in it", () => {
  const common = { row: 1, batch: 0, status: "failed", amount: "1", asset: "USDG", transferId: null };
  const text = payoutCsv([
    { ...common, to: "=HYPERLINK(1)", memo: "+1,2", reference: "-x", error: "@y" },
    { ...common, row: 2, to: "@ada", memo: null, reference: "r", error: null },
  ]);
  expect(text.split("\r\n").slice(1, 3)).toEqual([
    `1,'=HYPERLINK(1),1,USDG,"'+1,2",'-x,failed,,'@y`,
    "2,'@ada,1,USDG,,r,failed,,",
  ]);
});
