import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { concat, equalBytes, toHex, utf8 } from "@/lib/ledger/crypto/bytes";
import type { HalcyonEvent } from "./webhook-events";

/** Headers as a web framework hands them over: `Headers`, or Node's record. Names in either case. */
export type WebhookHeaders = Headers | Record<string, string | readonly string[] | undefined>;

/** How old a delivery may be. */
export interface VerifyWebhookOptions {
  /** How far `webhook-timestamp` may be from now, either way; 300 when left out. */
  toleranceSeconds?: number;
  /** The time to compare with; the machine's when left out. */
  now?: Date;
}

/** Why a delivery is not to be believed. */
export type InvalidWebhookReason =
  | "signature_missing"
  | "signature_mismatch"
  | "timestamp_outside_tolerance"
  | "payload_invalid";

/** A request that is no delivery of ours, or an old one: answer it 400 and do nothing. */
export class InvalidWebhook extends Error {
  override readonly name = "InvalidWebhook";
  constructor(
    readonly reason: InvalidWebhookReason,
    message: string,
  ) {
    super(message);
  }
}

const PREFIX = "whsec_";

/**
 * Checks where a delivery comes from, in constant time, and answers its event. Either family of headers will do:
 * Standard Webhooks (`webhook-id`, `webhook-timestamp`, `webhook-signature`), which goes first because it says when it
 * was sent, or `X-Service-Signature`. After a rotation the secret before is as good for 24 hours.
 *
 * @param body the raw request body, before any parsing: one changed space and the signature no longer matches
 * @param secret the subscription's, whole, with `whsec_`
 * @throws InvalidWebhook; RangeError for a `secret` that is none
 * @example
 * app.post("/hook", express.raw({ type: "*\/*" }), (req, res) => {
 *   const event = verifyWebhook(req.body, req.headers, process.env.HALCYON_WEBHOOK_SECRET);
 *   if (event.event === "transfer.confirmed") settle(event.transfer_id);
 *   res.sendStatus(204);
 * });
 */
export function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string,
  { toleranceSeconds = 300, now = new Date() }: VerifyWebhookOptions = {},
): HalcyonEvent {
  const key = keyOf(secret);
  const raw = typeof body === "string" ? utf8(body) : body;
  const header = readerOf(headers);
  if (header("webhook-signature") !== undefined) {
    verifyStandard(raw, header, key);
    const sentAt = Number(header("webhook-timestamp"));
    if (!(Math.abs(now.getTime() / 1000 - sentAt) <= toleranceSeconds)) {
      throw new InvalidWebhook("timestamp_outside_tolerance", "The delivery was not sent just now.");
    }
  } else {
    verifyOwn(raw, header, secret);
  }
  return parse(raw);
}

type Reader = (name: string) => string | undefined;

function readerOf(headers: WebhookHeaders): Reader {
  if (headers instanceof Headers) return (name) => headers.get(name) ?? undefined;
  const byName = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  return (name) => {
    const value = byName.get(name);
    return typeof value === "object" ? value[0] : value;
  };
}

function keyOf(secret: string): Uint8Array {
  const base64 = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : "";
  if (!/^[A-Za-z0-9+/]{4,}={0,2}$/.test(base64)) throw new RangeError("A webhook's secret is whsec_ and base64.");
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

/** https://www.standardwebhooks.com: base64 of HMAC-SHA256 over id, timestamp and body, keyed with the decoded secret. */
function verifyStandard(raw: Uint8Array, header: Reader, key: Uint8Array): void {
  const [id, timestamp] = [header("webhook-id"), header("webhook-timestamp")];
  if (id === undefined || timestamp === undefined) {
    throw new InvalidWebhook("signature_missing", "webhook-signature needs webhook-id and webhook-timestamp.");
  }
  const mac = hmac(sha256, key, concat(utf8(`${id}.${timestamp}.`), raw));
  const expected = utf8(`v1,${btoa(String.fromCharCode(...mac))}`);
  const given = header("webhook-signature")?.split(" ") ?? [];
  if (!given.some((signature) => equalBytes(utf8(signature), expected))) throw mismatch();
}

/** docs/developer-rest-api.md, Webhook signature: lower-case hex of HMAC-SHA256 over the body, keyed with the secret as text. */
function verifyOwn(raw: Uint8Array, header: Reader, secret: string): void {
  const given = [header("x-service-signature"), header("x-service-signature-previous")];
  if (given[0] === undefined) throw new InvalidWebhook("signature_missing", "The request carries no signature.");
  const expected = utf8(toHex(hmac(sha256, utf8(secret), raw)).slice(2));
  if (!given.some((signature) => signature !== undefined && equalBytes(utf8(signature), expected))) throw mismatch();
}

const mismatch = () => new InvalidWebhook("signature_mismatch", "No signature of the request matches the secret.");

function parse(raw: Uint8Array): HalcyonEvent {
  try {
    const event = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(raw));
    if (typeof event?.event === "string" && typeof event.event_id === "string") return event;
  } catch {
    // Signed, and still no JSON: told below.
  }
  throw new InvalidWebhook("payload_invalid", "The body is signed but is no event.");
}
