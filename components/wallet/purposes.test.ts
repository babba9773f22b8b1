import { expect, test } from "vitest";
import { LEDGER_TYPES } from "@/lib/ledger/prepare/struct-types";
import { purposeOf } from "./purposes";

test("everything the ledger lets a wallet sign is explained before it is signed", () => {
  for (const primaryType of [...Object.keys(LEDGER_TYPES), "Unlock", "ReceiveWithAuthorization"]) {
    const { sentence } = purposeOf({ kind: "typed-data", data: { domain: {}, types: {}, primaryType, message: {} } });
    expect(sentence.length).toBeGreaterThan(40);
  }
  const stranger = { domain: {}, types: {}, primaryType: "Permit", message: {} };
  expect(() => purposeOf({ kind: "typed-data", data: stranger })).toThrow("no sentence");
});
