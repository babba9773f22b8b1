import { chainEnv } from "@/lib/chain/clients";
import { urlRefusal } from "../check-url";
import { openSecret } from "../secrets";
import type { DueDelivery, DueEndpoint } from "./advance";
import type { Attempt, EndpointResponse, Target } from "./attempt";
import type { Sender } from "./sender";
import { type Signer, signer } from "./sign";
import type { Sending } from "./slots";

/** An endpoint ready to be sent to: its URL checked, its secrets decrypted. */
export interface Destination {
  /** Whose attempts to which host take turns. */
  sending: Sending;
  url: string;
  /** The network's chain is the local stack's. */
  local: boolean;
  /** Why nothing may be sent there. */
  refusal: string | null;
  target: Target;
  /** With its secret, and the one before while that still counts. */
  sign: Signer;
}

/** Checks an endpoint's URL, as before every attempt, and decrypts the secrets that sign for it at a time. */
export function destinationOf(webhookId: string, endpoint: DueEndpoint, at: Date): Destination {
  const { rootId, url, chainId, secret, previousSecret, previousUntil } = endpoint;
  if (secret === null) throw new Error(`webhook ${webhookId} has no secret`);
  const { local } = chainEnv(chainId);
  const refusal = urlRefusal(url, local);
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const target = { origin: parsed?.origin ?? "", path: parsed ? parsed.pathname + parsed.search : "" };
  const current = openSecret(webhookId, secret);
  const rotating = previousSecret !== null && previousUntil !== null && previousUntil > at;
  const secrets = rotating ? ([current, openSecret(webhookId, previousSecret)] as const) : ([current] as const);
  const sending = { account: rootId, host: parsed?.host ?? "" };
  return { sending, url, local, refusal, target, sign: signer(secrets) };
}

const failed = (error: string): EndpointResponse => {
  return { ok: false, code: null, body: null, error, durationMs: 0, retryAfter: 0 };
};

/** Signs a delivery and posts it once; null when interrupted. */
export function post(
  sender: Sender,
  { local, refusal, target, sign }: Destination,
  { payload, eventId }: DueDelivery,
  attempt: Attempt,
  at: Date,
): Promise<EndpointResponse | null> | EndpointResponse | null {
  if (payload === null) return failed("event: no longer kept");
  if (refusal !== null) return failed(`address: the URL ${refusal}`);
  const headers = sign(payload, eventId, at);
  headers.push("content-type", "application/json", "user-agent", "Halcyon-Webhooks/1");
  const { origin, path } = target;
  return attempt.post(sender.agent(local), { origin, path, method: "POST", headers, body: payload }, at);
}
