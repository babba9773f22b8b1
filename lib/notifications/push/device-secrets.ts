import type { Hex } from "viem";
import { openSecret, sealSecret } from "@/lib/webhooks/secrets";

/** What is sealed of a device: anyone who has it can send to it. Keys are base64url, as browsers give them. */
export interface DeviceSecrets {
  endpoint: string;
  p256dh: string;
  auth: string;
}

/** Encrypts under `SECRETS_KEY`, bound to the id of the device. */
export const sealDevice = (id: string, secrets: DeviceSecrets): Hex => sealSecret(id, JSON.stringify(secrets));

/**
 * Decrypts what `sealDevice` made.
 *
 * @throws UnsealFailed under another key, or of another device
 */
export const openDevice = (id: string, sealed: Hex): DeviceSecrets =>
  JSON.parse(openSecret(id, sealed)) as DeviceSecrets;
