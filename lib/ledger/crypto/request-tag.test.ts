import fc from "fast-check";
import { expect, it } from "vitest";
import { address, bytes, scope } from "@/test/ledger/arbitraries";
import { toHex } from "./bytes";
import {
  newRequestTag,
  REQUEST_TAG_LENGTH,
  requestTag,
  TAG_VOUCHER_LENGTH,
  type TaggedPayment,
  tagVoucher,
  tagVoucherKey,
} from "./request-tag";

// Otherwise a request repeated after a restored backup would be paid again, or get another request's payment.
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

// Otherwise a stolen session, or a changed database, could claim that a request has paid nothing.
it("a voucher holds for one tag of one payment, under the payer's secret", () => {
  const hex = (length: number) => bytes(length).map(toHex);
  const payment: fc.Arbitrary<TaggedPayment> = fc.record({
    payer: hex(20),
    asset: hex(20),
    knownBy: hex(32),
    newCommitment: hex(32),
  });
  fc.assert(
    fc.property(bytes(32), scope, payment, payment, bytes(REQUEST_TAG_LENGTH), (secret, sc, one, other, tag) => {
      const key = tagVoucherKey(secret, sc);
      const voucher = tagVoucher(key, one, tag);
      expect(voucher).toHaveLength(TAG_VOUCHER_LENGTH);
      for (const field of ["payer", "asset", "knownBy", "newCommitment"] as const) {
        fc.pre(one[field] !== other[field]);
        expect(tagVoucher(key, { ...one, [field]: other[field] }, tag)).not.toEqual(voucher);
      }
      expect(
        tagVoucher(
          key,
          one,
          tag.map((byte) => byte ^ 1),
        ),
      ).not.toEqual(voucher);
      expect(
        tagVoucher(
          tagVoucherKey(
            secret.map((byte) => byte ^ 1),
            sc,
          ),
          one,
          tag,
        ),
      ).not.toEqual(voucher);
    }),
    { numRuns: 20 },
  );
});
