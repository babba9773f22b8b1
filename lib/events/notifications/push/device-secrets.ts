import type { Hex } from "viem";
import { openSecret, sealSecret } from "@/lib/events/webhooks/secrets";

/**
 * What is stored encrypted about a device, because anyone who has it can send to the device. Keys are base64url, as
 * browsers supply them.
 */
export interface DeviceSecrets {
  endpoint: string;
  p256dh: string;
  auth: string;
}

/** Encrypts under `SECRETS_KEY`, bound to the id of the device. */
export const sealDevice = (id: string, secrets: DeviceSecrets): Hex => sealSecret(id, JSON.stringify(secrets));

/**
 * Decrypts a value that `sealDevice` encrypted.
 *
 * @throws UnsealFailed if it was encrypted under another key or for another device
 */
export const openDevice = (id: string, sealed: Hex): DeviceSecrets =>
  JSON.parse(openSecret(id, sealed)) as DeviceSecrets;
