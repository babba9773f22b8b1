import fc from "fast-check";
import { expect, test } from "vitest";
import { address, bytes } from "@/test/ledger/arbitraries";
import { InvalidViewingKey } from "../crypto/errors";
import { deriveHeldKey, deriveViewingKey } from "../crypto/keys";
import { decodeViewingKey, encodeViewingKey } from "./viewing-key";

const scope = { chainId: 46630, ledger: `0x${"11".repeat(20)}`, domainSalt: `0x${"22".repeat(32)}` } as const;
const credential = fc
  .tuple(
    address,
    bytes(32),
    bytes(32),
    fc.integer({ min: 1, max: 256 }),
    fc.constantFrom(46630 as const, 4663 as const),
  )
  .map(([account, accountKey, secret, secretVersion, chainId]) => ({
    chainId,
    account: account.toLowerCase() as `0x${string}`,
    viewingKey: deriveViewingKey(accountKey, scope),
    held: { secret: deriveHeldKey(secret, scope).secret, secretVersion },
  }));

test("a viewing key's text is one word with its network, of one length, and reads back as it was", () => {
  fc.assert(
    fc.property(credential, (written) => {
      const text = encodeViewingKey(written);
      expect(text).toMatch(/^hcvk_(test|live)_[0-9A-Za-z]{126}$/);
      expect(text.startsWith(written.chainId === 4663 ? "hcvk_live_" : "hcvk_test_")).toBe(true);
      expect(decodeViewingKey(text)).toEqual(written);
    }),
    { numRuns: 50 },
  );
});

test("a typing error in a viewing key is refused, and no message repeats the key", () => {
  fc.assert(
    fc.property(credential, fc.nat(), fc.stringMatching(/^[0-9A-Za-z]$/), (written, at, digit) => {
      const text = encodeViewingKey(written);
      const ref = 10 + (at % (text.length - 10));
      fc.pre(text[ref] !== digit);
      const wrong = text.slice(0, ref) + digit + text.slice(ref + 1);
      const damaged = [wrong, text.slice(0, -1), `${text}0`, text.replace("_test_", "_live_"), `${text} `];
      for (const other of damaged.filter((one) => one !== text)) {
        expect(() => decodeViewingKey(other)).toThrow(InvalidViewingKey);
        expect(() => decodeViewingKey(other)).not.toThrow(other);
      }
    }),
    { numRuns: 50 },
  );
});
