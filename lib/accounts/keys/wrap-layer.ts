import { addPepperLayer, type Layered, removePepperLayer } from "@/lib/accounts/pepper-layer";
import { acceptedPeppers, env } from "@/lib/base/env";
import { fromHex, toHex } from "@/lib/ledger/crypto/bytes";
import { type KeyWrapRef, keyWrapAad } from "@/lib/ledger/encrypted/api-key";
import { type BlindKeyRef, blindKeyAad } from "@/lib/ledger/encrypted/blind-key";

/** Which of the two things that a plain key wraps: the account secret, or the key of the flags. */
export type WrapLabel = "wrap" | "flag wrap";

type Hex = `0x${string}`;

/** Returns the place of what a key wraps, which both of its layers are bound to. */
export const wrapPlace = (label: WrapLabel, keyHash: Uint8Array, ref: KeyWrapRef): Layered => ({
  label,
  scope: ref.scope,
  aad: keyWrapAad(keyHash, ref),
});

/** Returns the place of the authority that a blind key wraps. */
export const accessPlace = (keyHash: Uint8Array, ref: BlindKeyRef): Layered => ({
  label: "access wrap",
  scope: ref.scope,
  aad: blindKeyAad(keyHash, ref),
});

/**
 * Encrypts what a client wrapped once more, under the server's pepper. So a revoked key and a copy of the database from
 * before its revocation decrypt nothing.
 */
export function addWrapLayer(place: Layered, inner: Hex): Hex {
  return toHex(addPepperLayer(env().serverPepper, place, fromHex(inner)));
}

/**
 * Removes the server's layer of encryption. `unwrapSecret`, `unwrapFlagKey` or `decryptAccess` decrypts the result.
 *
 * @throws DecryptionFailed if no accepted pepper decrypts it
 */
export function removeWrapLayer(place: Layered, encrypted: Hex): Uint8Array {
  return removePepperLayer(acceptedPeppers(), place, fromHex(encrypted));
}
