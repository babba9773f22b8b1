import type { DeliveryDetails } from "./get-delivery";

/** Headers of every delivery besides its signatures. */
const COMMON_HEADERS = { "content-type": "application/json", "user-agent": "Halcyon-Webhooks/1" };

/**
 * A request as its receiver got it. A header of null is a signature: it is not stored, and the secret may have changed
 * since.
 */
export interface SentRequest {
  method: "POST";
  url: string;
  headers: Record<string, string | null>;
  /** JSON; null if the event has been deleted. */
  body: string | null;
}

/** Returns the request of a delivery's newest attempt, rebuilt from stored data; null before the first attempt. */
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
