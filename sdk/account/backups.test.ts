import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { beforeEach, describe, expect, it } from "vitest";
import { toHex } from "@/lib/ledger/crypto/bytes";
import { InvalidRecoveryCode } from "@/lib/ledger/crypto/errors";
import { newRecoveryCode } from "@/lib/ledger/crypto/recovery-code";
import type { Scope } from "@/lib/ledger/crypto/scope";
import { encryptAccountKey, unlockTypedData } from "@/lib/ledger/encrypted/account-key";
import type { Context } from "../context/context";
import { FIRST_SECRET, type Vault, vaultOf } from "../context/vault/vault";
import { type Backup, createBackup, testBackup } from "./backups";
import { unlockWithBackup } from "./unlock-with-backup";

const SCOPE: Scope = { chainId: 46630, ledger: `0x${"1e".repeat(20)}`, domainSalt: `0x${"5a".repeat(32)}` };
const ROOT = new Uint8Array(32).fill(7);

const owner = privateKeyToAccount(generatePrivateKey());
const second = privateKeyToAccount(generatePrivateKey());
const FIRST_CODE = newRecoveryCode();

let kept: Vault | undefined;
let backups: Backup[];
let context: Context;

/** A context whose service keeps backups in memory. */
beforeEach(async () => {
  kept = undefined;
  backups = [];
  const signature = await owner.signTypedData(unlockTypedData(SCOPE, owner.address));
  const encryptedAccountKey = toHex(
    encryptAccountKey(ROOT, SCOPE, owner.address, [{ signature }, { recoveryCode: FIRST_CODE }]),
  );
  const vault = vaultOf(ROOT, SCOPE, FIRST_SECRET);
  const session = {
    get: async () => ({ backups }),
    post: async (_: string, body: Omit<Backup, "backup_id" | "created_at">) => {
      backups.push({ ...body, backup_id: `bak_${backups.length}`, created_at: "" });
      return backups.at(-1);
    },
  };
  context = {
    wallet: owner,
    account: async () => ({ encrypted_account_key: encryptedAccountKey, secret_version: FIRST_SECRET }),
    scope: async () => SCOPE,
    chain: async () => ({
      viewingKey: async () => toHex(vault.viewingKey.publicKey),
      account: async () => ({ signer: vault.paymentKey.address, until: 2n ** 40n }),
    }),
    pins: { checkSecretVersion: async () => {} },
    session: async () => session,
    vault: async () => vault,
    keepVault: (opened: Vault) => {
      kept = opened;
    },
  } as unknown as Context;
});

describe("a backup by recovery code", () => {
  it("opens with its code, however it is typed, and with no other", async () => {
    const recoveryCode = newRecoveryCode();
    const { encrypted, kind } = await createBackup(context, { label: "Safe", opener: { recoveryCode } });
    expect(kind).toBe("recovery_code");
    const typed = recoveryCode.toLowerCase().replaceAll("-", " ");
    await testBackup(context, { encrypted, opener: { recoveryCode: typed } });
    await expect(testBackup(context, { encrypted, opener: { recoveryCode: FIRST_CODE } })).rejects.toThrow(
      /does not decrypt/,
    );
    await expect(testBackup(context, { encrypted, opener: { recoveryCode: "ABCD" } })).rejects.toThrow(
      InvalidRecoveryCode,
    );
  });

  it("unlocks the account in place of the wallet, and so does the code of the enrollment", async () => {
    const recoveryCode = newRecoveryCode();
    await createBackup(context, { label: "Safe", opener: { recoveryCode } });
    for (const code of [recoveryCode, FIRST_CODE]) {
      kept = undefined;
      await unlockWithBackup(context, { recoveryCode: code });
      expect(kept).toEqual(vaultOf(ROOT, SCOPE, FIRST_SECRET));
    }
    kept = undefined;
    await expect(unlockWithBackup(context, { recoveryCode: newRecoveryCode() })).rejects.toMatchObject({
      code: "invalid_request",
    });
    expect(kept).toBeUndefined();
  });
});

describe("a backup by second wallet", () => {
  it("names that wallet and opens with it alone", async () => {
    const { encrypted, address } = await createBackup(context, { label: "Ledger", opener: { wallet: second } });
    expect(address).toBe(second.address);
    await testBackup(context, { encrypted, opener: { wallet: second } });
    const stranger = privateKeyToAccount(generatePrivateKey());
    await expect(testBackup(context, { encrypted, opener: { wallet: stranger } })).rejects.toThrow(/does not decrypt/);
  });

  it("unlocks the account in place of its own wallet; where there is none, no wallet is asked", async () => {
    const unasked = { signTypedData: () => Promise.reject(new Error("asked")) };
    await expect(unlockWithBackup(context, { wallet: unasked })).rejects.toThrow(/No backup/);
    await createBackup(context, { label: "Ledger", opener: { wallet: second } });
    const stranger = privateKeyToAccount(generatePrivateKey());
    await expect(unlockWithBackup(context, { wallet: stranger })).rejects.toThrow(/opens no copy/);
    expect(kept).toBeUndefined();
    await unlockWithBackup(context, { wallet: second });
    expect(kept).toEqual(vaultOf(ROOT, SCOPE, FIRST_SECRET));
  });

  it("is refused for the account's own wallet, and for one that signs differently each time", async () => {
    const own = { label: "Own", opener: { wallet: owner } };
    await expect(createBackup(context, own)).rejects.toThrow(/own wallet/);
    let times = 0;
    const unsteady = {
      signTypedData: (data: Parameters<typeof second.signTypedData>[0]) => {
        times += 1;
        const message = { ...data.message, warning: `${times}` };
        return second.signTypedData({ ...data, message } as typeof data);
      },
    };
    await expect(createBackup(context, { label: "Unsteady", opener: { wallet: unsteady } })).rejects.toThrow(
      /differently/,
    );
    expect(backups).toEqual([]);
  });
});

it("a copy of another account key is no backup of this account", async () => {
  const recoveryCode = newRecoveryCode();
  const other = toHex(encryptAccountKey(new Uint8Array(32).fill(8), SCOPE, owner.address, [{ recoveryCode }]));
  await expect(testBackup(context, { encrypted: other, opener: { recoveryCode } })).rejects.toThrow(/another account/);
});
