import fc from "fast-check";
import { expect, it } from "vitest";
import { address, scope } from "@/test/ledger/arbitraries";
import { toHex } from "./bytes";
import { refundBinding } from "./refund-binding";

const place = fc.record({ account: address, asset: address, note: fc.bigInt({ min: 1n, max: (1n << 253n) - 1n }) });

it("is one for each note, account, asset and ledger, and has 32 bytes", () => {
  fc.assert(
    fc.property(scope, place, scope, place, (here, note, there, other) => {
      const binding = refundBinding(here, note);
      expect(binding).toHaveLength(32);
      expect(toHex(refundBinding({ ...here }, { ...note }))).toBe(toHex(binding));
      const text = (one: object) => JSON.stringify(one, (_, value) => (typeof value === "bigint" ? `${value}` : value));
      const isSame = text([here, note]).toLowerCase() === text([there, other]).toLowerCase();
      expect(toHex(refundBinding(there, other)) === toHex(binding)).toBe(isSame);
    }),
  );
});
