import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { concat, equalBytes, toHex, utf8 } from "@/lib/ledger/crypto/bytes";
import { HalcyonError } from "../errors";
import type { HalcyonEvent } from "./webhook-events";

/** Headers as passed by a web framework: `Headers`, or Node's record. Names in any case. */
export type WebhookHeaders = Headers | Record<string, string | readonly string[] | undefined>;

/** Options for verifying a delivery. */
export interface VerifyWebhookOptions {
  /** Maximum difference in seconds between `webhook-timestamp` and now, in either direction. Default: 300. */
  toleranceSeconds?: number | undefined;
  /** The time to compare with. Default: the machine's clock. */
  now?: Date | undefined;
}

/** Why a delivery was rejected. */
export type InvalidWebhookReason =
  | "signature_missing"
  | "signature_mismatch"
  | "timestamp_outside_tolerance"
  | "payload_invalid";

/** A request that is not a delivery from Halcyon, or is too old: return 400 and do nothing. */
export class InvalidWebhook extends HalcyonError {
  override readonly name = "InvalidWebhook";
  declare readonly reason: InvalidWebhookReason;
  constructor(reason: InvalidWebhookReason, message: string) {
    super("invalid_request", message, { reason });
  }
}

/** Creates the error for invalid arguments, as opposed to an invalid delivery. */
const misused = (param: string, message: string) => new HalcyonError("invalid_request", message, { param });

const PREFIX = "whsec_";

/**
 * Verifies the signature of a delivery, in constant time, and returns its event. Accepts two sets of headers: Standard
 * Webhooks (`webhook-id`, `webhook-timestamp`, `webhook-signature`), which is preferred because it includes the time,
 * or `X-Service-Signature`. After a rotation, the old secret stays valid for 24 hours.
 *
 * @param body the raw request body, before any parsing: the signature does not match if even one space changes
 * @param secret the subscription's whole secret, including `whsec_`
 * @throws InvalidWebhook for an invalid delivery; another HalcyonError for invalid arguments, such as a missing secret
 * or a body that was already parsed
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
  secret: string | undefined,
  { toleranceSeconds = 300, now = new Date() }: VerifyWebhookOptions = {},
): HalcyonEvent {
  if (typeof secret !== "string") throw misused("secret", "Pass the webhook's secret: whsec_ and base64.");
  if (typeof body !== "string" && !(body instanceof Uint8Array)) {
    throw misused("body", "Pass the raw body of the request, a text or bytes, before any parsing.");
  }
  if (typeof headers !== "object" || headers === null) throw misused("headers", "Pass the headers of the request.");
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
  if (!/^[A-Za-z0-9+/]{4,}={0,2}$/.test(base64)) {
    throw misused("secret", "A webhook's secret is whsec_ and base64.");
  }
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

/**
 * Verifies a signature of https://www.standardwebhooks.com: base64 of HMAC-SHA256 over id, timestamp and body, keyed
 * with the decoded secret.
 */
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

/**
 * Verifies a signature as in docs/developer-rest-api.md, Webhook signature: lower-case hex of HMAC-SHA256 over the
 * body, keyed with the secret as text.
 */
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
    // Signed, but not JSON: refused below.
  }
  throw new InvalidWebhook("payload_invalid", "The body is signed but is no event.");
}
