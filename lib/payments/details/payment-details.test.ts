import { describe, expect, test } from "vitest";
import { CreatePaymentRequestInput, ListPaymentRequestsQuery, RequestReference } from "@/lib/payments/requests/schema";
import { findFaults } from "@/sdk/payments/payouts/find-faults";
import { NO_DETAILS, ReferenceInput, requireOnePurpose } from "./payment-details";

const COMPOSED = "M\u00fcller-11";
const DECOMPOSED = "Mu\u0308ller-11";

/** How a payout file's references are read by a client that pays it. */
function faultsOfFile(...references: string[]) {
  const rows = references.map((reference) => ({ to: "@ada", amount: "1", reference }));
  const names = [{ to: "@ada", address: `0x${"a".repeat(40)}`, fault: null }];
  const assets = [{ symbol: "USDG", decimals: 6 as const }];
  return findFaults(rows, { names, assets, allowDuplicates: false, available: new Map() });
}

describe("a reference", () => {
  test.each([ReferenceInput, RequestReference])("is one, however its letters are composed", (schema) => {
    expect(schema.parse(` ${DECOMPOSED} `)).toBe(COMPOSED);
    // 64 characters as they are stored.
    expect(schema.parse("u\u0308".repeat(64))).toBe("\u00fc".repeat(64));
    expect(schema.safeParse("\u00fc".repeat(65)).success).toBe(false);
  });

  test("is found and counted as a duplicate by either spelling", () => {
    expect(ListPaymentRequestsQuery.parse({ reference: DECOMPOSED })).toMatchObject({ reference: COMPOSED });
    expect(CreatePaymentRequestInput.shape.reference.parse(DECOMPOSED)).toBe(COMPOSED);
    expect(faultsOfFile(COMPOSED, DECOMPOSED)).toMatchObject([{ row: 2, code: "duplicate" }]);
  });

  test.each([
    "x\u200by", // zero width space
    "x\u200dy", // joiner
    "x\ufeffy",
    "x\u00ady", // soft hyphen
    "x\u2060y",
    "x\u115fy", // Hangul filler
    "x\u3164y",
    "x\u034fy", // combining grapheme joiner
    "x\u{e0041}y", // tag
    "x\u202ey",
    "x\u0000y",
    "x\u2028y",
    "x\ud800y",
  ])("holds nothing invisible: %j", (text) => {
    for (const schema of [ReferenceInput, RequestReference]) expect(schema.safeParse(text).success).toBe(false);
    expect(faultsOfFile(text)).toMatchObject([{ row: 1, param: "reference" }]);
  });

  test.each(["order-1042", "Rechnung Nr. 7 / Müller", "請求書 12", "فاتورة ١٢", "✔️ paid", "a b"])(
    "can be %s",
    (text) => {
      expect(ReferenceInput.parse(text)).toBe(text);
      expect(RequestReference.parse(text)).toBe(text);
      expect(faultsOfFile(text)).toEqual([]);
    },
  );
});

test("a payment is for one thing at most", () => {
  const all = { refundOf: "tr_1", paymentRequestId: "payreq_1", payoutId: "po_1", scheduleRunId: "run_1" };
  const names = Object.keys(all) as (keyof typeof all)[];
  expect(() => requireOnePurpose(NO_DETAILS)).not.toThrow();
  for (const one of names) {
    expect(() => requireOnePurpose({ ...NO_DETAILS, [one]: all[one] }), one).not.toThrow();
    for (const other of names.filter((name) => name !== one)) {
      const both = { ...NO_DETAILS, [one]: all[one], [other]: all[other] };
      expect(() => requireOnePurpose(both), `${one} ${other}`).toThrow(/one thing/);
    }
  }
});
