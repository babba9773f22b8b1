import type { DeliveryDetails } from "./get-delivery";

/** What every delivery says beside its signatures. */
export const COMMON_HEADERS = { "content-type": "application/json", "user-agent": "Halcyon-Webhooks/1" };

/**
 * A request as its receiver saw it. A header that is null is a signature: made with the secret of its time, not kept.
 */
export interface SentRequest {
  method: "POST";
  url: string;
  headers: Record<string, string | null>;
  /** JSON; null when the event is no longer kept. */
  body: string | null;
}

/** The request of a delivery's newest attempt, made again from what is stored; null before the first. */
export function sentRequest({ row, payload }: DeliveryDetails): SentRequest | null {
  const { url, eventId, attemptedAt } = row;
  if (!attemptedAt) return null;
  const headers = {
    ...COMMON_HEADERS,
    "webhook-id": eventId,
    "webhook-timestamp": Math.floor(attemptedAt.getTime() / 1000).toString(),
    "webhook-signature": null,
    "x-service-signature": null,
  };
  return { method: "POST", url, headers, body: payload };
}
