import { expect, test } from "vitest";
import type { ShownTerms } from "@/components/vault/methods/schedules";
import { runToSign } from "./run-to-sign";

type Part = ShownTerms["parts"][number];
const part = (from: string, ...payments: [to: string, amount: string][]) =>
  ({ from, asset: "USDG", payments: payments.map(([to, amount]) => ({ to, amount })) }) as unknown as Part;
const terms = {
  parts: [part("2026-01-01", ["@lin", "1.25"]), part("2026-03-01", ["@lin", "1.25"], ["@bo", "2"])],
} as unknown as ShownTerms;
const said = (date: string) => runToSign(terms, { date }).facts.map(({ name, value }) => `${name}: ${value}`);

test("the signature of a run states what it pays by the terms of its day, and what several come to", () => {
  expect(said("2026-02-01")).toEqual(["Amount: 1.25 USDG", "From: Your available balance", "To: @lin"]);
  expect(said("2026-03-01")).toEqual([
    "Amount: 3.25 USDG",
    "From: Your available balance",
    "To: 2 recipients, together",
  ]);
  expect(runToSign(terms, { date: "2026-03-01" }).types).toContain("TransferMany");
  expect(runToSign(null, { date: "2026-03-01" }).facts).toEqual([]);
});
