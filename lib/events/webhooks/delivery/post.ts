import { chainEnv } from "@/lib/chain/clients";
import { urlRefusal } from "@/lib/events/webhooks/check-url";
import { decryptSecret } from "@/lib/events/webhooks/secrets";
import type { DueDelivery, DueEndpoint } from "./advance";
import type { DeliveryAttempt, DeliveryTarget, EndpointResponse } from "./attempt";
import type { DeliverySender } from "./sender";
import { signer, type WebhookSigner } from "./sign";
import type { Sending } from "./slots";

/** An endpoint that is ready for requests: its URL is checked and its secrets are decrypted. */
export interface Destination {
  /** The account and the host between which attempts take turns. */
  sending: Sending;
  url: string;
  /** Whether the network is a local chain. */
  local: boolean;
  /** Why nothing may be sent there; null if it may. */
  refusal: string | null;
  target: DeliveryTarget;
  /** Signs with the endpoint's secret, and with the previous one while that is valid. */
  sign: WebhookSigner;
}

/**
 * Checks an endpoint's URL, which happens before every attempt, and decrypts the secrets that are valid at a given
 * time.
 */
export function deliveryDestination(webhookId: string, endpoint: DueEndpoint, at: Date): Destination {
  const { rootId, url, chainId, secret, previousSecret, previousUntil } = endpoint;
  if (secret === null) throw new Error(`webhook ${webhookId} has no secret`);
  const { local } = chainEnv(chainId);
  const refusal = urlRefusal(url, local);
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const target = { origin: parsed?.origin ?? "", path: parsed ? parsed.pathname + parsed.search : "" };
  const current = decryptSecret(webhookId, secret);
  const rotating = previousSecret !== null && previousUntil !== null && previousUntil > at;
  const secrets = rotating ? ([current, decryptSecret(webhookId, previousSecret)] as const) : ([current] as const);
  const sending = { account: rootId, host: parsed?.host ?? "" };
  return { sending, url, local, refusal, target, sign: signer(secrets) };
}

const failed = (error: string): EndpointResponse => {
  return { ok: false, code: null, body: null, error, durationMs: 0, retryAfter: 0 };
};

/** Signs a delivery and posts it once. Returns null if the attempt was interrupted. */
export function post(
  sender: DeliverySender,
  { local, refusal, target, sign }: Destination,
  { payload, eventId }: DueDelivery,
  attempt: DeliveryAttempt,
  at: Date,
): Promise<EndpointResponse | null> | EndpointResponse | null {
  if (payload === null) return failed("event: no longer kept");
  if (refusal !== null) return failed(`address: the URL ${refusal}`);
  const headers = sign(payload, eventId, at);
  headers.push("content-type", "application/json", "user-agent", "Halcyon-Webhooks/1");
  const { origin, path } = target;
  return attempt.post(sender.agent(local), { origin, path, method: "POST", headers, body: payload }, at);
}
