import type { Address } from "viem";
import { decrypt, encrypt } from "../crypto/aead";
import { bigintToBytes, concat, fromHex, utf8 } from "../crypto/bytes";
import { LedgerError } from "../crypto/errors";
import { hkdf } from "../crypto/hkdf";
import type { Scope } from "../crypto/scope";
import { padText, unpadText } from "./padded-text";

/** All settings are padded to this many bytes, so that the length reveals nothing about amounts in a setting. */
const MOST_BYTES = 510;

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
  if (utf8(text).length > MOST_BYTES) throw new LedgerError("This setting is too long.");
  const key = hkdf(viewingKey, "browser setting", ref.scope, { extra: ref.name });
  return encrypt(key, aadOf(ref), padText(text, MOST_BYTES));
}

/**
 * Decrypts the output of {@link encryptSetting}.
 *
 * @throws DecryptionFailed, also for another account or another setting
 */
export function decryptSetting(viewingKey: Uint8Array, ref: SettingRef, encrypted: Uint8Array): string {
  const key = hkdf(viewingKey, "browser setting", ref.scope, { extra: ref.name });
  return unpadText(decrypt(key, aadOf(ref), encrypted, "setting"), "setting");
}
