import { chainEnv } from "@/lib/chain/clients";
import type { DueDelivery, PumpedEndpoint } from "./advance";
import { type Answer, attempt } from "./attempt";
import { urlRefusal } from "./check-url";
import { openSecret } from "./secrets";
import type { Sender } from "./sender";
import { signatureHeaders } from "./sign";

/** A delivery with what it takes to send it. */
export interface ReadyDelivery extends DueDelivery {
  endpoint: PumpedEndpoint;
  /** Newest first; the one before while it still counts. */
  secrets: readonly [string, string?];
}

/** The secrets that sign for an endpoint at a time. */
export function openSecrets(
  webhookId: string,
  { secret, previousSecret, previousUntil }: PumpedEndpoint,
  at: Date,
): readonly [string, string?] {
  if (secret === null) throw new Error(`webhook ${webhookId} has no secret`);
  const current = openSecret(webhookId, secret);
  if (previousSecret === null || previousUntil === null || previousUntil <= at) return [current];
  return [current, openSecret(webhookId, previousSecret)];
}

const failed = (error: string): Answer => {
  return { ok: false, code: null, body: null, error, durationMs: 0, retryAfter: 0 };
};

/** Signs a delivery and posts it once; null when interrupted. The URL is checked anew every time. */
export async function post(
  sender: Sender,
  { payload, eventId, endpoint, secrets }: ReadyDelivery,
  controller: AbortController,
  at: Date,
): Promise<Answer | null> {
  if (payload === null) return failed("event: no longer kept");
  const { local } = chainEnv(endpoint.chainId);
  const refusal = urlRefusal(endpoint.url, local);
  if (refusal !== null) return failed(`address: the URL ${refusal}`);
  const body = JSON.stringify(payload);
  const headers = {
    "content-type": "application/json",
    "user-agent": "Halcyon-Webhooks/1",
    ...signatureHeaders(body, eventId, at, secrets),
  };
  return attempt(sender.agent(local), endpoint.url, headers, body, controller, at);
}
