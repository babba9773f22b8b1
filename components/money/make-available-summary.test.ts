import { expect, test } from "vitest";
import type { DecryptedFunds } from "@/components/vault/methods/funds";
import { makeAvailableOf } from "./make-available-summary";

const funds = (part: Partial<DecryptedFunds>): DecryptedFunds => ({
  asset: "USDG",
  decimals: 6,
  available: "10",
  notes: [],
  notesTotal: "0",
  deposited: "0",
  total: "10",
  unreadable: 0,
  more: false,
  moving: false,
  ...part,
});

test("a smaller available balance is one signature, whatever notes there are", () => {
  expect(makeAvailableOf(funds({ notes: ["5"] }), "2.5", 6)).toMatchObject({ kind: "less", by: "7.5", signatures: 1 });
  expect(makeAvailableOf(funds({}), "0", 6)).toMatchObject({ kind: "less", by: "10" });
});

test("the wallet is said to sign once for each 8 notes that are needed", () => {
  const notes = Array.from({ length: 20 }, () => "1");
  expect(makeAvailableOf(funds({ notes }), "18", 6)).toMatchObject({ kind: "more", by: "8", signatures: 1 });
  expect(makeAvailableOf(funds({ notes }), "19", 6).signatures).toBe(2);
  expect(makeAvailableOf(funds({ notes, deposited: "5" }), "35", 6).signatures).toBe(3);
});

test("an available balance made of deposited money alone is said to be known, one that hides behind notes or an older available balance is not", () => {
  expect(makeAvailableOf(funds({ available: "0", deposited: "9" }), "4", 6).known).toBe(true);
  expect(makeAvailableOf(funds({ available: "1", deposited: "9" }), "4", 6).known).toBe(false);
  expect(makeAvailableOf(funds({ available: "0", notes: ["1"], deposited: "9" }), "4", 6).known).toBe(false);
});

test("the size it has already needs nothing", () => {
  expect(makeAvailableOf(funds({}), "10.0", 6).kind).toBe("same");
});
