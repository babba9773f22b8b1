import fc from "fast-check";
import { privateKeyToAccount } from "viem/accounts";
import { describe, expect, it } from "vitest";
import { address, bytes, scope, withBitFlipped } from "@/test/ledger/arbitraries";
import { bigintToBytes, bytesToBigint, concat, fromHex, toHex } from "../crypto/bytes";
import { DecryptionFailed, InvalidRecoveryCode } from "../crypto/errors";
import { newRecoveryCode, parseRecoveryCode } from "../crypto/recovery-code";
import {
  decryptAccountKey,
  ENCRYPTED_ACCOUNT_KEY_LENGTHS,
  encryptAccountKey,
  unlocksAlike,
  unlockTypedData,
} from "./account-key";

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const WALLET = privateKeyToAccount(`0x${"42".repeat(32)}`);

/** Returns the same signature in the form of wallets that use high s and a v of 0 or 1. */
function otherForm(signature: `0x${string}`): `0x${string}` {
  const raw = fromHex(signature);
  const s = ORDER - bytesToBigint(raw.subarray(32, 64));
  return toHex(concat(raw.subarray(0, 32), bigintToBytes(s, 32), Uint8Array.of(raw[64] === 27 ? 1 : 0)));
}

describe("the encrypted account key", () => {
  it("opens with the wallet's signature in any of its forms, or with the recovery code", async () => {
    await fc.assert(
      fc.asyncProperty(scope, bytes(32), async (sc, accountKey) => {
        const signature = await WALLET.signTypedData(unlockTypedData(sc, WALLET.address));
        expect(unlocksAlike(signature, await WALLET.signTypedData(unlockTypedData(sc, WALLET.address)))).toBe(true);
        const recoveryCode = newRecoveryCode();
        const one = encryptAccountKey(accountKey, sc, WALLET.address, [{ signature }]);
        const two = encryptAccountKey(accountKey, sc, WALLET.address, [{ signature }, { recoveryCode }]);
        expect([one.length, two.length]).toEqual(ENCRYPTED_ACCOUNT_KEY_LENGTHS);
        for (const blob of [one, two]) {
          expect(decryptAccountKey(blob, sc, WALLET.address, { signature })).toEqual(accountKey);
          expect(decryptAccountKey(blob, sc, WALLET.address, { signature: otherForm(signature) })).toEqual(accountKey);
        }
        expect(decryptAccountKey(two, sc, WALLET.address, { recoveryCode: recoveryCode.toLowerCase() })).toEqual(
          accountKey,
        );
        expect(() => decryptAccountKey(one, sc, WALLET.address, { recoveryCode })).toThrow(DecryptionFailed);
      }),
      { numRuns: 10 },
    );
  });

  it("opens for no other account, network, ledger, domain salt or signature, nor damaged", async () => {
    await fc.assert(
      fc.asyncProperty(scope, address, bytes(32), fc.nat(), async (sc, other, accountKey, bit) => {
        const signature = await WALLET.signTypedData(unlockTypedData(sc, WALLET.address));
        const blob = encryptAccountKey(accountKey, sc, WALLET.address, [{ signature }]);
        const salted = { ...sc, domainSalt: toHex(withBitFlipped(fromHex(sc.domainSalt), bit)) };
        for (const elsewhere of [{ ...sc, chainId: 1 }, { ...sc, ledger: other }, salted]) {
          expect(() => decryptAccountKey(blob, elsewhere, WALLET.address, { signature })).toThrow(DecryptionFailed);
          const message = unlockTypedData(elsewhere, WALLET.address);
          expect(unlocksAlike(signature, await WALLET.signTypedData(message))).toBe(false);
        }
        expect(() => decryptAccountKey(blob, sc, other, { signature })).toThrow(DecryptionFailed);
        expect(() => decryptAccountKey(withBitFlipped(blob, bit), sc, WALLET.address, { signature })).toThrow(
          DecryptionFailed,
        );
        const strange = await WALLET.signTypedData(unlockTypedData(sc, other));
        expect(() => decryptAccountKey(blob, sc, WALLET.address, { signature: strange })).toThrow(DecryptionFailed);
      }),
      { numRuns: 10 },
    );
  });

  it("asks for a message without domain.chainId, so that no wallet insists on an active chain", () => {
    const message = unlockTypedData(
      { chainId: 4663, ledger: WALLET.address, domainSalt: `0x${"01".repeat(32)}` },
      WALLET.address,
    );
    expect(Object.keys(message.domain)).toEqual(["name", "version"]);
    expect(message.message.network).toBe(4663n);
  });
});

describe("recovery codes", () => {
  it("are read in any case, with or without hyphens, with O for 0 and I or L for 1", () => {
    for (let i = 0; i < 100; i++) {
      const code = newRecoveryCode();
      expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){6}[0-9A-HJKMNP-TV-Z]{4}$/);
      const value = parseRecoveryCode(code);
      expect(value).toHaveLength(16);
      const sloppy = code.toLowerCase().replaceAll("-", " ").replaceAll("0", "o").replaceAll("1", "l");
      expect(parseRecoveryCode(sloppy)).toEqual(value);
    }
  });

  it("with a wrong digit, length or alphabet are refused as such (a wrong digit 4095 times of 4096)", () => {
    const code = newRecoveryCode();
    let refused = 0;
    for (let at = 0; at < code.length; at++) {
      if (code[at] === "-") continue;
      const wrong = code.slice(0, at) + (code[at] === "7" ? "8" : "7") + code.slice(at + 1);
      try {
        parseRecoveryCode(wrong);
      } catch (error) {
        expect(error).toBeInstanceOf(InvalidRecoveryCode);
        refused++;
      }
    }
    expect(refused).toBeGreaterThanOrEqual(27);
    for (const wrong of ["", code.slice(1), `${code}0`, code.replace(/.$/, "U"), code.replace(/.$/, "é")]) {
      expect(() => parseRecoveryCode(wrong)).toThrow(InvalidRecoveryCode);
    }
  });
});
