import fc from "fast-check";
import { expect, it } from "vitest";
import { bytes } from "@/test/ledger/arbitraries";
import { FIELD_ORDER } from "../crypto/field";
import { ctxOf } from "./structs";

it("ctx is the digest modulo the field order", () => {
  fc.assert(
    fc.property(bytes(32), (digest) => {
      const hex = `0x${[...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("")}` as const;
      expect(ctxOf(hex)).toBe(BigInt(hex) % FIELD_ORDER);
    }),
  );
});
