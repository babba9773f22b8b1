import fc from "fast-check";
import { expect, it } from "vitest";
import { address, bytes, scope } from "@/test/ledger/arbitraries";
import { newRequestTag, REQUEST_TAG_LENGTH, requestTag } from "./request-tag";

// Else a request repeated after a restored backup would be paid again, or get another request's payment.
it("a request's tag is the same whenever it is derived, and differs by secret, ledger, payer and key", () => {
  const key = fc.string({ minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(
      fc.tuple(bytes(32), scope, address, key),
      fc.tuple(bytes(32), scope, address, key),
      ([secret, sc, account, id], other) => {
        const tag = requestTag(secret, sc, account, id);
        expect(tag).toHaveLength(REQUEST_TAG_LENGTH);
        expect(requestTag(secret, sc, account, id)).toEqual(tag);
        fc.pre(other[3] !== id);
        expect(requestTag(other[0], sc, account, id)).not.toEqual(tag);
        expect(requestTag(secret, other[1], account, id)).not.toEqual(tag);
        expect(requestTag(secret, sc, other[2], id)).not.toEqual(tag);
        expect(requestTag(secret, sc, account, other[3])).not.toEqual(tag);
      },
    ),
    { numRuns: 20 },
  );
  expect(newRequestTag()).toHaveLength(REQUEST_TAG_LENGTH);
});
