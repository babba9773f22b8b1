import { type BinaryToTextEncoding, createHmac } from "node:crypto";

const PREFIX = "whsec_";

/** Signs a delivery. Returns the signature headers, names and values alternating. */
export type WebhookSigner = (body: string, eventId: string, at: Date) => string[];

/** Returns the keys from one secret: the whole string, and the bytes that it encodes. */
const keysOf = (secret: string) => ({
  own: Buffer.from(secret),
  standard: Buffer.from(secret.slice(PREFIX.length), "base64"),
});

const mac = (key: Uint8Array, message: string, encoding: BinaryToTextEncoding) =>
  createHmac("sha256", key).update(message).digest(encoding);

/**
 * Returns a signer for an endpoint's secrets. It sets `X-Service-Signature` (docs/developer-rest-api.md, Webhook
 * signature) and the headers of Standard Webhooks (https://www.standardwebhooks.com). While a secret is being replaced,
 * the previous one signs too, in `X-Service-Signature-Previous` and as a second entry of `webhook-signature`.
 *
 * @param secrets newest first; complete, with `whsec_`
 */
export function signer([secret, before]: readonly [string, string?]): WebhookSigner {
  const current = keysOf(secret);
  const previous = before === undefined ? undefined : keysOf(before);
  return (body, eventId, at) => {
    const timestamp = Math.floor(at.getTime() / 1000).toString();
    const content = `${eventId}.${timestamp}.${body}`;
    const signature = `v1,${mac(current.standard, content, "base64")}`;
    const headers = ["x-service-signature", mac(current.own, body, "hex")];
    if (previous) headers.push("x-service-signature-previous", mac(previous.own, body, "hex"));
    headers.push(
      "webhook-id",
      eventId,
      "webhook-timestamp",
      timestamp,
      "webhook-signature",
      previous ? `${signature} v1,${mac(previous.standard, content, "base64")}` : signature,
    );
    return headers;
  };
}

/**
 * Returns the signature headers of one delivery by name.
 *
 * @param body the raw request body
 * @param eventId the same for all attempts and replays, so that receivers can drop duplicates
 * @param secrets of the endpoint, newest first; complete, with `whsec_`
 */
export function signatureHeaders(
  body: string,
  eventId: string,
  at: Date,
  secrets: readonly [string, string?],
): Record<string, string> {
  const list = signer(secrets)(body, eventId, at);
  return Object.fromEntries(list.flatMap((name, i) => (i % 2 === 0 ? [[name, list[i + 1] ?? ""]] : [])));
}
