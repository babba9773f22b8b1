import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { address, bytes, positiveUnits, salt } from "@/test/ledger/arbitraries";
import { toHex } from "./crypto/bytes";
import { InvalidReceipt } from "./crypto/errors";
import { FIELD_ORDER } from "./crypto/field";
import {
  decodeReceipt,
  encodeReceipt,
  provesReceipt,
  type Receipt,
  receiptNote,
  type TransferredEvent,
} from "./receipt";

const receipts: fc.Arbitrary<Receipt> = fc.record({
  chainId: fc.constantFrom(46630, 4663),
  ledger: address,
  txHash: bytes(32).map(toHex),
  payer: address,
  recipient: address,
  asset: address,
  amount: positiveUnits,
  salt,
});

const eventOf = ({ chainId, ledger, txHash, payer, recipient, asset, ...opening }: Receipt): TransferredEvent => ({
  chainId,
  ledger,
  transactionHash: txHash,
  args: { account: payer, to: recipient, asset, note: receiptNote(opening) },
});

/** Reports whether a text is accepted as a receipt of what the chain shows. */
function passes(text: string, event: TransferredEvent): boolean {
  try {
    return provesReceipt(decodeReceipt(text), [event]);
  } catch (error) {
    if (error instanceof InvalidReceipt) return false;
    throw error;
  }
}

describe("a receipt", () => {
  it("comes back as it was written, from its text and from a link, and is proven by its own event", () => {
    fc.assert(
      fc.property(receipts, (receipt) => {
        const text = encodeReceipt(receipt);
        expect(text).toMatch(/^hcr1_[A-Za-z0-9_-]{208}$/);
        expect(decodeReceipt(text)).toEqual(receipt);
        expect(decodeReceipt(` https://pay.example/receipt#${text}\n`)).toEqual(receipt);
        expect(passes(text, eventOf(receipt))).toBe(true);
      }),
    );
  });

  it("is refused when any field differs from what the chain shows", () => {
    fc.assert(
      fc.property(receipts, receipts, (receipt, other) => {
        const event = eventOf(receipt);
        for (const field of Object.keys(receipt) as (keyof Receipt)[]) {
          if (receipt[field] === other[field]) continue;
          expect([field, passes(encodeReceipt({ ...receipt, [field]: other[field] }), event)]).toEqual([field, false]);
        }
        expect(passes(encodeReceipt(receipt), eventOf(other))).toBe(false);
      }),
    );
  });

  it("is refused when any one of its characters is changed, and when there are more or fewer", () => {
    fc.assert(
      fc.property(receipts, fc.nat(), fc.nat(), (receipt, at, by) => {
        const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
        const text = encodeReceipt(receipt);
        const ref = at % text.length;
        const character = alphabet[by % alphabet.length] as string;
        fc.pre(character !== text[ref]);
        const event = eventOf(receipt);
        expect(passes(text.slice(0, ref) + character + text.slice(ref + 1), event)).toBe(false);
        expect(passes(text.slice(0, -1), event)).toBe(false);
        expect(passes(`${text}A`, event)).toBe(false);
      }),
    );
  });

  it("is not made or read with an amount of nothing, or a salt no note has", () => {
    fc.assert(
      fc.property(receipts, (receipt) => {
        const impossible: Partial<Receipt>[] = [
          { amount: 0n },
          { amount: 1n << 64n },
          { salt: 0n },
          { salt: FIELD_ORDER },
        ];
        for (const change of impossible) {
          expect(() => encodeReceipt({ ...receipt, ...change })).toThrow(InvalidReceipt);
        }
        // The last 40 bytes are amount and salt: make them all zeros or all ones.
        for (const tail of ["A".repeat(54), "_".repeat(54)]) {
          expect(() => decodeReceipt(encodeReceipt(receipt).slice(0, -54) + tail)).toThrow(InvalidReceipt);
        }
      }),
    );
  });

  it("is no other text", () => {
    for (const text of [
      "",
      "#",
      "hcr1_",
      "hc_test_0",
      "{}",
      "https://pay.example/receipt",
      `hcr2_${"A".repeat(208)}`,
    ]) {
      expect(() => decodeReceipt(text)).toThrow(InvalidReceipt);
    }
  });
});
