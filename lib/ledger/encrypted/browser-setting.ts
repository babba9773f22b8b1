import type { Address } from "viem";
import { decrypt, encrypt } from "../crypto/aead";
import { bigintToBytes, concat, fromHex, utf8 } from "../crypto/bytes";
import { DecryptionFailed, LedgerError } from "../crypto/errors";
import { hkdf } from "../crypto/hkdf";
import type { Scope } from "../crypto/scope";

/** All plaintexts have this length in bytes, so that the length reveals nothing about amounts in a setting. */
const LENGTH = 512;

/** Identifies a setting and its account. */
export interface SettingRef {
  scope: Scope;
  account: Address;
  /** Contains no slash. */
  name: string;
}

/** Returns the aad: a role, then chain (32) || ledger (20) || account (20). */
function aadOf({ scope, account }: SettingRef): Uint8Array {
  const place = concat(bigintToBytes(BigInt(scope.chainId), 32), fromHex(scope.ledger), fromHex(account));
  return concat(utf8("halcyon/1/browser-setting"), place);
}

/**
 * Encrypts a setting that a browser stores for an account, under HKDF(x, "browser setting", its name). Only the viewing
 * key decrypts it, so someone who reads the browser's storage learns nothing.
 *
 * @param viewingKey the private half of the account's viewing key, x
 * @throws LedgerError if the text is longer than 510 bytes
 */
export function encryptSetting(viewingKey: Uint8Array, ref: SettingRef, text: string): Uint8Array {
  const bytes = utf8(text);
  if (bytes.length > LENGTH - 2) throw new LedgerError("This setting is too long.");
  const length = Uint8Array.of(bytes.length >> 8, bytes.length & 0xff);
  const plain = concat(length, bytes, new Uint8Array(LENGTH - 2 - bytes.length));
  return encrypt(hkdf(viewingKey, "browser setting", ref.scope, { extra: ref.name }), aadOf(ref), plain);
}

/**
 * Decrypts the output of {@link encryptSetting}.
 *
 * @throws DecryptionFailed, also for another account or another setting
 */
export function decryptSetting(viewingKey: Uint8Array, ref: SettingRef, encrypted: Uint8Array): string {
  const key = hkdf(viewingKey, "browser setting", ref.scope, { extra: ref.name });
  const plain = decrypt(key, aadOf(ref), encrypted, "setting");
  const length = ((plain[0] ?? 0) << 8) | (plain[1] ?? 0);
  if (plain.length !== LENGTH || length > LENGTH - 2) throw new DecryptionFailed("setting");
  return new TextDecoder().decode(plain.subarray(2, 2 + length));
}
