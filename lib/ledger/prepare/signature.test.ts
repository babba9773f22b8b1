import fc from "fast-check";
import { type Hex, toHex as viemHex } from "viem";
import { privateKeyToAddress, sign } from "viem/accounts";
import { describe, expect, it } from "vitest";
import { address, bytes } from "@/test/ledger/arbitraries";
import { bigintToBytes, bytesToBigint, concat, fromHex, toHex } from "../crypto/bytes";
import { LedgerError } from "../crypto/errors";
import { keyBehind, MAX_SIGNATURE_LENGTH, walletSignature } from "./signature";

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const digest = bytes(32).map(toHex);
const key = bytes(32).map((one) => viemHex((bytesToBigint(one) % (ORDER - 1n)) + 1n, { size: 32 }));
const runs = { numRuns: 25 };

/** Returns the same signature in the forms that other wallets use: v from 0, or the other s. */
function otherForms(signature: Hex): Hex[] {
  const value = fromHex(signature);
  const v = value[64] ?? 0;
  const flipped = bigintToBytes(ORDER - bytesToBigint(value.subarray(32, 64)), 32);
  const high = (last: number) => toHex(concat(value.subarray(0, 32), flipped, Uint8Array.of(last)));
  return [toHex(concat(value.subarray(0, 64), Uint8Array.of(v - 27))), high(55 - v), high(28 - v)];
}

describe("a signature", () => {
  it("of a key is known in the form that the ledger takes, and in no other", async () => {
    await fc.assert(
      fc.asyncProperty(digest, key, async (hash, privateKey) => {
        const signature = await sign({ hash, privateKey, to: "hex" });
        expect(await keyBehind(hash, signature)).toBe(privateKeyToAddress(privateKey).toLowerCase());
        for (const other of otherForms(signature)) expect(await keyBehind(hash, other)).toBeNull();
      }),
      runs,
    );
  });

  it("of a wallet's own key gets that form, whatever the wallet returned", async () => {
    await fc.assert(
      fc.asyncProperty(digest, key, async (hash, privateKey) => {
        const signature = await sign({ hash, privateKey, to: "hex" });
        const wallet = privateKeyToAddress(privateKey);
        for (const form of [signature, signature.toUpperCase().replace("X", "x") as Hex, ...otherForms(signature)]) {
          expect(await walletSignature(hash, form, wallet)).toBe(signature);
        }
      }),
      runs,
    );
  });

  // A Safe encodes the kind of each owner's signature in v and the owner in r, so changing a byte changes the meaning.
  it("of a contract wallet stays as it is, also one of 65 bytes", async () => {
    await fc.assert(
      fc.asyncProperty(digest, key, address, async (hash, privateKey, wallet) => {
        const signature = await sign({ hash, privateKey, to: "hex" });
        const marked = toHex(concat(fromHex(signature).subarray(0, 64), Uint8Array.of(31)));
        for (const form of [...otherForms(signature), marked, `${signature}00` as Hex, "0x01" as Hex]) {
          expect(await walletSignature(hash, form, wallet)).toBe(form);
        }
      }),
      runs,
    );
  });

  it("is never empty, longer than 4096 bytes, or no hex", async () => {
    const most = `0x${"ab".repeat(MAX_SIGNATURE_LENGTH)}` as const;
    const [hash, wallet] = [`0x${"11".repeat(32)}`, `0x${"22".repeat(20)}`] as const;
    expect(await walletSignature(hash, most, wallet)).toBe(most);
    for (const wrong of ["0x", `${most}00`, "0x1", "0xzz", "", "text"] as Hex[]) {
      await expect(walletSignature(hash, wrong, wallet)).rejects.toBeInstanceOf(LedgerError);
    }
  });

  it("of any bytes is read without an error", async () => {
    await fc.assert(
      fc.asyncProperty(digest, fc.oneof(bytes(65), fc.uint8Array({ maxLength: 80 })), async (hash, value) => {
        const found = await keyBehind(hash, toHex(value));
        expect(found === null || /^0x[0-9a-f]{40}$/.test(found)).toBe(true);
      }),
      { numRuns: 200 },
    );
  });
});
