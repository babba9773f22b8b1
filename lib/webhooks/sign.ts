import { createHmac } from "node:crypto";

const PREFIX = "whsec_";

/**
 * The headers that prove where a delivery comes from: `X-Service-Signature` (docs/developer-rest-api.md, Webhook
 * signature) and those of Standard Webhooks (https://www.standardwebhooks.com). While a secret is being replaced the
 * one before signs too: in `X-Service-Signature-Previous`, and as a second entry of `webhook-signature`.
 *
 * @param body the raw request body
 * @param eventId stable over attempts and replays: receivers drop what they have seen
 * @param secrets the endpoint's, newest first; whole, with `whsec_`
 */
export function signatureHeaders(
  body: string,
  eventId: string,
  at: Date,
  [secret, previous]: readonly [string, string?],
): Record<string, string> {
  const timestamp = Math.floor(at.getTime() / 1000).toString();
  const standard = (key: string) => {
    const bytes = Buffer.from(key.slice(PREFIX.length), "base64");
    return `v1,${createHmac("sha256", bytes).update(`${eventId}.${timestamp}.${body}`).digest("base64")}`;
  };
  const own = (key: string) => createHmac("sha256", key).update(body).digest("hex");
  return {
    "x-service-signature": own(secret),
    ...(previous === undefined ? {} : { "x-service-signature-previous": own(previous) }),
    "webhook-id": eventId,
    "webhook-timestamp": timestamp,
    "webhook-signature": [secret, previous].flatMap((key) => (key === undefined ? [] : [standard(key)])).join(" "),
  };
}
