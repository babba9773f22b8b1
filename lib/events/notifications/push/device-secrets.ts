import type { Hex } from "viem";
import { decryptSecret, encryptSecret } from "@/lib/events/webhooks/secrets";

/**
 * What is stored encrypted about a device, because anyone who has it can send to the device. Keys are base64url, as
 * browsers supply them.
 */
interface DeviceSecrets {
  endpoint: string;
  p256dh: string;
  auth: string;
}

/** Encrypts under `SECRETS_KEY`, bound to the id of the device. */
export const encryptDevice = (id: string, secrets: DeviceSecrets): Hex => encryptSecret(id, JSON.stringify(secrets));

/**
 * Decrypts a value that `encryptDevice` encrypted.
 *
 * @throws DecryptionFailed if it was encrypted under another key or for another device
 */
export const decryptDevice = (id: string, encrypted: Hex): DeviceSecrets =>
  JSON.parse(decryptSecret(id, encrypted)) as DeviceSecrets;
