import fc from "fast-check";
import { expect, test } from "vitest";
import { concat, randomBytes, toHex } from "../crypto/bytes";
import { decryptSharedView, encryptSharedView, MAX_ENCRYPTED_SHARED_VIEW } from "./encrypt-shared-view";
import { decodeSharedView, encodeSharedView, type SharedPayment, type SharedView } from "./shared-view-document";

const address = fc.uint8Array({ minLength: 20, maxLength: 20 }).map((bytes) => toHex(bytes));
const text = fc.string({ unit: "grapheme", maxLength: 40 }).filter((value) => !/\p{Surrogate}/u.test(value));
const payment: fc.Arbitrary<SharedPayment> = fc.record({
  kind: fc.constantFrom("note", "public", "deposit"),
  txHash: fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => toHex(bytes)),
  payer: address,
  recipient: address,
  asset: address,
  amount: fc.bigInt(1n, 2n ** 64n - 1n),
  salt: fc.bigInt(0n, 2n ** 253n),
  name: text,
  reference: text,
  memo: text,
});
const time = fc.integer({ min: 0, max: 4_102_444_800 });
const view: fc.Arbitrary<SharedView> = fc.record({
  chainId: fc.constant(46630),
  ledger: address,
  accounts: fc.array(fc.record({ address, name: text }), { minLength: 1, maxLength: 3 }),
  from: time,
  to: time,
  timeZone: fc.constant("Europe/Zurich"),
  counterparty: fc.option(address.filter((one) => !/^0x0+$/.test(one))),
  title: text,
  createdAt: time,
  expiresAt: time,
  payments: fc.array(payment, { maxLength: 8 }),
});

test("a view is read as it was written, and nothing that is cut off or longer is one", () => {
  fc.assert(
    fc.property(view, fc.nat(), (written, at) => {
      const bytes = encodeSharedView(written);
      expect(decodeSharedView(bytes)).toEqual(written);
      expect(() => decodeSharedView(bytes.subarray(0, at % bytes.length))).toThrow("not a view");
      expect(() => decodeSharedView(concat(bytes, new Uint8Array(1)))).toThrow("not a view");
    }),
    { numRuns: 50 },
  );
});

test("it opens with its own key, at its own place, whole; its length says little", async () => {
  await fc.assert(
    fc.asyncProperty(view, fc.nat(), async (written, at) => {
      const { encrypted, key } = await encryptSharedView(written);
      expect((encrypted.length - 40) % 4_096).toBe(0);
      expect(await decryptSharedView(encrypted, key, written)).toEqual(written);
      const other = (await encryptSharedView(written)).key;
      await expect(decryptSharedView(encrypted, other, written)).rejects.toThrow();
      await expect(
        decryptSharedView(encrypted, key, { ...written, expiresAt: written.expiresAt + 1 }),
      ).rejects.toThrow();
      await expect(decryptSharedView(encrypted, key, { ...written, chainId: 4663 })).rejects.toThrow();
      const altered = Uint8Array.from(encrypted);
      altered[at % altered.length] = (altered[at % altered.length] ?? 0) ^ 1;
      await expect(decryptSharedView(altered, key, written)).rejects.toThrow();
      await expect(decryptSharedView(encrypted, key.slice(1), written)).rejects.toThrow("not the whole of its link");
    }),
    { numRuns: 15 },
  );
});

test("5,000 payments fit, with names and references; more are refused", async () => {
  const [one] = fc.sample(view, 1);
  const own = toHex(randomBytes(20));
  const payments = Array.from(
    { length: 5_000 },
    (_, n): SharedPayment => ({
      kind: "note",
      txHash: toHex(randomBytes(32)),
      payer: own,
      recipient: toHex(randomBytes(20)),
      asset: own,
      amount: BigInt(n + 1) * 1_000_003n,
      salt: BigInt(toHex(randomBytes(31))),
      name: `@customer-${n}`,
      reference: `INV-2026-${n}-${toHex(randomBytes(16))}`,
      memo: "",
    }),
  );
  const full = { ...(one as SharedView), payments };
  const { encrypted, key } = await encryptSharedView(full);
  expect(encrypted.length).toBeLessThan(MAX_ENCRYPTED_SHARED_VIEW / 1.2);
  expect((await decryptSharedView(encrypted, key, full)).payments).toHaveLength(5_000);
  await expect(encryptSharedView({ ...full, payments: [...payments, ...payments.slice(0, 1)] })).rejects.toThrow();
});
