import { asc, eq } from "drizzle-orm";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { db } from "@/db/client";
import { auditLog } from "@/db/schema/audit";
import type { SessionContext } from "@/lib/base/context/context";
import { lowerAddress } from "@/lib/chain/registry";
import { fromHex, toHex } from "@/lib/ledger/crypto/bytes";
import { newRecoveryCode } from "@/lib/ledger/crypto/recovery-code";
import { unlockTypedData } from "@/lib/ledger/encrypted/account-key";
import { decryptBackup, encryptBackup } from "@/lib/ledger/encrypted/account-key-backup";
import { Owner } from "@/test/accounts/owner";
import { type SharedServices, startSharedServices } from "@/test/services/shared-services";
import { createBackup, MOST_BACKUPS } from "./create-backup";
import { deleteBackup } from "./delete-backup";
import { listBackups } from "./list-backups";
import { CreateBackupInput } from "./schema";

const SECOND = privateKeyToAccount(`0x${"43".repeat(32)}`);
let services: SharedServices;
beforeAll(async () => {
  services = await startSharedServices();
});
afterAll(() => services.stop());

const byCode = (owner: Owner, label = "paper") => {
  const encrypted = encryptBackup(owner.accountKey, owner.scope, owner.address, { recoveryCode: newRecoveryCode() });
  return CreateBackupInput.parse({ kind: "recovery_code", label, encrypted: toHex(encrypted) });
};

test("what is kept for a second wallet can be decrypted with that wallet, to the owner's account key", async () => {
  const owner = await Owner.create(46630);
  const signature = await SECOND.signTypedData(unlockTypedData(owner.scope, owner.address));
  const unlock = { wallet: SECOND.address, signature };
  const encrypted = toHex(encryptBackup(owner.accountKey, owner.scope, owner.address, unlock));
  const input = CreateBackupInput.parse({ kind: "wallet", label: "Ledger", address: SECOND.address, encrypted });
  const { id } = await createBackup(owner.session, input);
  const [kept] = await listBackups(owner.session);
  expect(kept).toMatchObject({ id, kind: "wallet", label: "Ledger", address: lowerAddress(SECOND.address) });
  expect(decryptBackup(fromHex(kept?.encrypted ?? "0x"), owner.scope, owner.address, unlock)).toEqual(owner.accountKey);
});

test("another account and the other network neither see nor delete a backup", async () => {
  const [owner, stranger] = await Promise.all([Owner.create(46630), Owner.create(46630)]);
  const { id } = await createBackup(owner.session, byCode(owner));
  const live: SessionContext = { ...owner.session, network: "live", chainId: 4663 };
  for (const other of [stranger.session, live]) {
    expect(await listBackups(other)).toEqual([]);
    await expect(deleteBackup(other, id)).rejects.toMatchObject({ code: "not_found" });
  }
  expect(await listBackups(owner.session)).toHaveLength(1);
  await deleteBackup(owner.session, id);
  await expect(deleteBackup(owner.session, id)).rejects.toMatchObject({ code: "not_found" });
  const entries = await db()
    .select()
    .from(auditLog)
    .where(eq(auditLog.rootId, owner.account.id))
    .orderBy(asc(auditLog.position));
  expect(entries.map(({ action, target }) => [action, target])).toEqual([
    ["backup.created", id],
    ["backup.deleted", id],
  ]);
  expect(JSON.stringify(entries)).not.toContain(`0x${"01".repeat(8)}`);
});

test("an account has five at most, however many are sent at once", async () => {
  const owner = await Owner.create(46630);
  const sent = Array.from({ length: MOST_BACKUPS + 3 }, (_, n) => createBackup(owner.session, byCode(owner, `${n}`)));
  const refused = (await Promise.allSettled(sent)).filter(({ status }) => status === "rejected");
  expect(refused).toHaveLength(3);
  expect(await listBackups(owner.session)).toHaveLength(MOST_BACKUPS);
});

test("refused: another length, a wallet without address, an address without wallet, the account's own wallet", async () => {
  const owner = await Owner.create(46630);
  const { encrypted } = byCode(owner);
  const refused = (body: unknown) => expect(CreateBackupInput.safeParse(body).success).toBe(false);
  refused({ kind: "recovery_code", label: "x", encrypted: `${encrypted}00` });
  refused({ kind: "recovery_code", label: "x", encrypted: encrypted.slice(0, -2) });
  refused({ kind: "recovery_code", label: "x", encrypted, address: SECOND.address });
  refused({ kind: "wallet", label: "x", encrypted });
  refused({ kind: "recovery_code", label: " ", encrypted });
  refused({ kind: "passphrase", label: "x", encrypted });
  const own = CreateBackupInput.parse({ kind: "wallet", label: "x", encrypted, address: owner.address });
  await expect(createBackup(owner.session, own)).rejects.toMatchObject({ code: "invalid_request", param: "address" });
  expect(await listBackups(owner.session)).toEqual([]);
});
