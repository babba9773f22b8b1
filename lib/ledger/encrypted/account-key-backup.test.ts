import fc from "fast-check";
import { privateKeyToAccount } from "viem/accounts";
import { describe, expect, it } from "vitest";
import { address, bytes, scope, withBitFlipped } from "@/test/ledger/arbitraries";
import { DecryptionFailed } from "../crypto/errors";
import { newRecoveryCode } from "../crypto/recovery-code";
import { decryptAccountKey, encryptAccountKey, unlockTypedData } from "./account-key";
import { BACKUP_LENGTH, type BackupUnlock, decryptBackup, encryptBackup } from "./account-key-backup";

const OWNER = privateKeyToAccount(`0x${"42".repeat(32)}`);
const SECOND = privateKeyToAccount(`0x${"43".repeat(32)}`);

describe("a backup of the account key", () => {
  it("opens with the second wallet's signature, or with the recovery code, to the same account key", async () => {
    await fc.assert(
      fc.asyncProperty(scope, bytes(32), async (sc, accountKey) => {
        const signature = await SECOND.signTypedData(unlockTypedData(sc, OWNER.address));
        const recoveryCode = newRecoveryCode();
        for (const unlock of [{ wallet: SECOND.address, signature }, { recoveryCode }] as BackupUnlock[]) {
          const blob = encryptBackup(accountKey, sc, OWNER.address, unlock);
          expect(blob).toHaveLength(BACKUP_LENGTH);
          expect(decryptBackup(blob, sc, OWNER.address, unlock)).toEqual(accountKey);
        }
      }),
      { numRuns: 10 },
    );
  });

  it("opens for no other account, wallet, network, ledger, code or signature, nor damaged", async () => {
    await fc.assert(
      fc.asyncProperty(scope, address, bytes(32), fc.nat(), async (sc, other, accountKey, bit) => {
        const signature = await SECOND.signTypedData(unlockTypedData(sc, OWNER.address));
        const unlock = { wallet: SECOND.address, signature };
        const blob = encryptBackup(accountKey, sc, OWNER.address, unlock);
        const refused = (...[bytes_, ref, account, by]: Parameters<typeof decryptBackup>) =>
          expect(() => decryptBackup(bytes_, ref, account, by)).toThrow(DecryptionFailed);
        for (const elsewhere of [
          { ...sc, chainId: 1 },
          { ...sc, ledger: other },
        ]) {
          refused(blob, elsewhere, OWNER.address, unlock);
        }
        refused(blob, sc, other, unlock);
        refused(blob, sc, OWNER.address, { ...unlock, wallet: other });
        refused(withBitFlipped(blob, bit), sc, OWNER.address, unlock);
        const ofOwnAccount = await SECOND.signTypedData(unlockTypedData(sc, SECOND.address));
        refused(blob, sc, OWNER.address, { wallet: SECOND.address, signature: ofOwnAccount });
        const byOwner = await OWNER.signTypedData(unlockTypedData(sc, OWNER.address));
        refused(blob, sc, OWNER.address, { wallet: SECOND.address, signature: byOwner });
        refused(blob, sc, OWNER.address, { recoveryCode: newRecoveryCode() });
      }),
      { numRuns: 10 },
    );
  });

  it("and an encrypted account key can't replace each other, no matter who signed", async () => {
    await fc.assert(
      fc.asyncProperty(scope, bytes(32), async (sc, accountKey) => {
        const signature = await SECOND.signTypedData(unlockTypedData(sc, OWNER.address));
        const unlock = { wallet: SECOND.address, signature };
        const backup = encryptBackup(accountKey, sc, OWNER.address, unlock);
        expect(() => decryptAccountKey(backup, sc, OWNER.address, { signature })).toThrow(DecryptionFailed);
        const encrypted = encryptAccountKey(accountKey, sc, OWNER.address, [{ signature }]);
        expect(() => decryptBackup(encrypted, sc, OWNER.address, unlock)).toThrow(DecryptionFailed);
      }),
      { numRuns: 5 },
    );
  });

  it("is not made for the account's own wallet, nor of anything but 32 bytes", async () => {
    const sc = { chainId: 46630, ledger: SECOND.address, domainSalt: `0x${"01".repeat(32)}` } as const;
    const signature = await OWNER.signTypedData(unlockTypedData(sc, OWNER.address));
    const own = { wallet: OWNER.address, signature };
    expect(() => encryptBackup(new Uint8Array(32), sc, OWNER.address, own)).toThrow(RangeError);
    const second = { wallet: SECOND.address, signature };
    expect(() => encryptBackup(new Uint8Array(31), sc, OWNER.address, second)).toThrow(RangeError);
    expect(() => encryptBackup(new Uint8Array(31), sc, OWNER.address, { recoveryCode: newRecoveryCode() })).toThrow(
      RangeError,
    );
  });
});
