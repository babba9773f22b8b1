import type { Tone } from "@/components/ui/badge";
import type { DeliveryResource } from "@/lib/events/webhooks/delivery-resource";
import type { HealthResource } from "@/lib/events/webhooks/list-health";
import type { WebhookResource } from "@/lib/events/webhooks/webhook-resource";

/** The names of the delivery statuses. */
export const STATUS_SHOWN: Record<DeliveryResource["status"], { name: string; tone: Tone }> = {
  pending: { name: "Pending", tone: "neutral" },
  succeeded: { name: "Delivered", tone: "success" },
  failed: { name: "Retrying", tone: "warning" },
  exhausted: { name: "Failed", tone: "danger" },
};

/** Why a delivery exists. */
export const TRIGGER_SAYS: Record<DeliveryResource["trigger"], string> = {
  automatic: "The event happened",
  replay: "Sent again",
  test: "Test event",
};

/** Why a webhook receives nothing. */
export const DISABLED_SAYS: Record<NonNullable<WebhookResource["disabled_reason"]>, string> = {
  owner: "You disabled it.",
  failing: "Nothing was delivered for 5 days.",
  gone: "It returned only 410 Gone for 24 hours.",
};

/** Sorts webhooks by how much they need their owner: failing ones, then those disabled for failing, then the others. */
export function inOrderOfNeed<T extends { webhook: WebhookResource; health?: HealthResource }>(
  list: readonly T[],
): T[] {
  const rank = ({ webhook, health }: T) => {
    if (webhook.enabled) return health?.failing_since ? 0 : 2;
    return webhook.disabled_reason === "owner" ? 3 : 1;
  };
  return [...list].sort((a, b) => rank(a) - rank(b));
}

/** Returns why an endpoint fails, from the error of its newest attempt. */
export function reasonOfFailing(health: HealthResource): string {
  const { response_code, error } = health.last ?? {};
  if (error) return response_code ? `It responded ${response_code}` : failureOf(error).title;
  return "Its newest attempt failed";
}

/**
 * Returns why deliveries wait that were not attempted yet, in a few words; undefined while the endpoint does not fail.
 */
export function waitsBecause(health: HealthResource): string | undefined {
  return health.failing_since ? reasonOfFailing(health).replace(/^It /, "endpoint ") : undefined;
}

/** Where an attempt failed, and what to check. */
interface Failure {
  title: string;
  remedy: string;
}

const STAGES: Record<string, Failure> = {
  dns: { title: "The host's name could not be resolved", remedy: "Check the address and its DNS records." },
  address: {
    title: "The host's address is not allowed",
    remedy: "Deliveries go to public addresses only. Check what the name resolves to.",
  },
  connect: {
    title: "No connection to the host",
    remedy: "Check that the receiver is running and listens on this port, and that no firewall is in the way.",
  },
  connection: {
    title: "The connection ended before a response",
    remedy: "Check the receiver's log for a crash or a restart at this time.",
  },
  tls: {
    title: "No secure connection",
    remedy: "Check the certificate: its date, its name, and that the whole chain is served.",
  },
  timeout: {
    title: "No response within 15 seconds",
    remedy: "Return 2xx first and do the work afterwards.",
  },
  redirect: {
    title: "It responded with a redirect",
    remedy: "Redirects are not followed. Set the webhook to the final address.",
  },
  status: {
    title: "It responded with an error",
    remedy: "Any status from 200 to 299 counts as received. Look at what it responded.",
  },
  response: { title: "The response was not HTTP", remedy: "Check that the address leads to your receiver." },
  endpoint: { title: "The webhook was disabled", remedy: "Enable it again, then send what failed again." },
  event: { title: "The event is no longer kept", remedy: "Events are kept for 90 days." },
};

/** Returns an attempt's error in words, by the stage that it names (`dns: …`). */
export function failureOf(error: string): Failure & { detail: string } {
  const [, stage = "", detail = ""] = /^([a-z]+): ?(.*)$/s.exec(error) ?? [];
  const failure = STAGES[stage] ?? { title: "The attempt failed", remedy: "Check the receiver's log." };
  return { ...failure, detail: detail || error };
}

/** Returns the outcome of the newest attempt, in a few words. */
export function outcomeOf({ response_code, error, attempt }: DeliveryResource): string {
  if (attempt === 0) return "not sent yet";
  if (response_code !== null) return `responded ${response_code}`;
  return error ? failureOf(error).title.toLowerCase() : "no response";
}

/** The service stops counting waiting deliveries at this number. */
const MOST_COUNTED = 1_000;

/** Returns how many deliveries wait, in words. */
export function waitingInWords(waiting: number): string {
  if (waiting === 1) return "1 delivery waits for it.";
  return `${waiting >= MOST_COUNTED ? "1,000 deliveries or more wait" : `${waiting} deliveries wait`} for it, oldest first.`;
}
