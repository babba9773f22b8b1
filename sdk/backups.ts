import { type Address, type Hex, isAddressEqual, recoverTypedDataAddress } from "viem";
import { equalBytes, fromHex, toHex } from "@/lib/ledger/bytes";
import { UnsealFailed } from "@/lib/ledger/errors";
import { parseRecoveryCode } from "@/lib/ledger/recovery-code";
import { type BackupUnlock, openBackup, sealBackup } from "@/lib/ledger/root-backup";
import type { Scope } from "@/lib/ledger/scope";
import { unlocksAlike, unlockTypedData } from "@/lib/ledger/seal-root";
import type { Context } from "./context";
import { HalcyonError } from "./errors";
import { openOwnRoot, vaultOf } from "./vault";
import type { Wallet } from "./wallet";

/** A wallet that may open a backup: it only signs, and its address is read off the signature. */
export type SecondWallet = Pick<Wallet, "signTypedData">;

/** What is to open a backup: a generated recovery code, or another wallet than the account's. */
export type BackupOpener = { recoveryCode: string } | { wallet: SecondWallet };

/** A sealed copy of the root, as `GET /api/backups` lists it. */
export interface Backup {
  backup_id: string;
  kind: "recovery_code" | "wallet";
  label: string;
  /** Of the wallet that opens it; null for a recovery code. */
  address: string | null;
  /** 75 bytes. */
  sealed: Hex;
  created_at: string;
}

/** The unlock of an opener. A wallet that shall seal signs twice, to see that it always signs the same. */
async function unlockOf(context: Context, scope: Scope, opener: BackupOpener, seals: boolean): Promise<BackupUnlock> {
  if ("recoveryCode" in opener) return opener;
  const owner = context.wallet.address;
  const data = unlockTypedData(scope, owner);
  const signature = await opener.wallet.signTypedData(data);
  const wallet = await recoverTypedDataAddress({ ...data, signature });
  if (isAddressEqual(wallet, owner)) {
    throw new HalcyonError("invalid_request", "This is the account's own wallet. Use another one.");
  }
  if (seals && !unlocksAlike(signature, await opener.wallet.signTypedData(data))) {
    const message =
      "This wallet signs the same message differently each time, so it could not open the backup again. Use another.";
    throw new HalcyonError("invalid_request", message);
  }
  return { wallet, signature };
}

/**
 * Seals a further copy of the account's root (docs/protocol.md section 3) and hands it to the service, which cannot open
 * it. The root is opened for it with one signature of the account's wallet and is dropped again.
 *
 * @param wallet the account's wallet, where it is to say what the signature is for
 * @throws HalcyonError `invalid_request` for the account's own wallet as its second, for one that signs differently each
 *   time, and for more backups than an account may have
 */
export async function createBackup(
  context: Context,
  input: { label: string; opener: BackupOpener },
  wallet: Wallet = context.wallet,
): Promise<Backup> {
  const [{ sealed_root }, scope, session] = await Promise.all([context.account(), context.scope(), context.session()]);
  if (!sealed_root) throw new HalcyonError("not_found", "This wallet is not enrolled on this network yet.");
  const root = await openOwnRoot(wallet, scope, sealed_root);
  try {
    const unlock = await unlockOf(context, scope, input.opener, true);
    const sealed = sealBackup(root, scope, wallet.address, unlock);
    // What cannot be opened again is not kept as a backup.
    if (!equalBytes(openBackup(sealed, scope, wallet.address, unlock), root)) throw new UnsealFailed("backup");
    const kind = "wallet" in unlock ? { kind: "wallet", address: unlock.wallet } : { kind: "recovery_code" };
    return await session.post<Backup>("/api/backups", { ...kind, label: input.label, sealed: toHex(sealed) });
  } finally {
    root.fill(0);
  }
}

/**
 * Opens a sealed copy, or what the ledger keeps under a recovery code, and compares the keys that follow from it with the
 * account's. It resolves when they are the same.
 *
 * @throws HalcyonError `invalid_request` when it does not open, or to another account's keys
 */
export async function testBackup(context: Context, input: { sealed: Hex; opener: BackupOpener }): Promise<void> {
  const [scope, vault] = await Promise.all([context.scope(), context.vault()]);
  const unlock = await unlockOf(context, scope, input.opener, false);
  let root: Uint8Array;
  try {
    root = openBackup(fromHex(input.sealed), scope, context.wallet.address, unlock);
  } catch (error) {
    if (!(error instanceof UnsealFailed)) throw error;
    const what = "recoveryCode" in input.opener ? "This recovery code" : "This wallet";
    const message = `${what} does not open this backup. Check that it belongs to it, or delete the backup and make another.`;
    throw new HalcyonError("invalid_request", message, { cause: error });
  }
  const opened = vaultOf(root, scope, vault.secretVersion);
  root.fill(0);
  if (equalBytes(opened.viewingKey.publicKey, vault.viewingKey.publicKey)) return;
  throw new HalcyonError(
    "invalid_request",
    "The backup opens, but to the key of another account. Make another backup.",
  );
}

/** What a copy opens to; null when the code is not its. */
function openedBy(recoveryCode: string, sealed: Hex, scope: Scope, account: Address): Uint8Array | null {
  try {
    return openBackup(fromHex(sealed), scope, account, { recoveryCode });
  } catch (error) {
    if (error instanceof UnsealFailed) return null;
    throw error;
  }
}

/**
 * Opens the account's keys with a recovery code instead of the wallet's signature, for a wallet that no longer signs as
 * it did: the copy on the ledger or one of the backups. They are kept by the context as after an unlock.
 *
 * @throws InvalidRecoveryCode on a mistyped code; HalcyonError `invalid_request` when it opens no copy
 */
export async function unlockWithCode(context: Context, recoveryCode: string): Promise<void> {
  parseRecoveryCode(recoveryCode);
  const { address } = context.wallet;
  const [{ sealed_root, secret_version }, scope, chain, session] = await Promise.all([
    context.account(),
    context.scope(),
    context.chain(),
    context.session(),
  ]);
  const [registered, { backups }] = await Promise.all([
    chain.viewingKey(address),
    session.get<{ backups: Backup[] }>("/api/backups"),
  ]);
  const copies = [...(sealed_root ? [sealed_root] : []), ...backups.map(({ sealed }) => sealed)];
  for (const sealed of copies) {
    const root = openedBy(recoveryCode, sealed, scope, address);
    if (!root) continue;
    const vault = vaultOf(root, scope, secret_version);
    root.fill(0);
    if (toHex(vault.viewingKey.publicKey) === registered?.toLowerCase()) return context.keepVault(vault);
  }
  throw new HalcyonError(
    "invalid_request",
    "This recovery code opens no copy of your account's key. Check that it is of this account and network.",
  );
}
