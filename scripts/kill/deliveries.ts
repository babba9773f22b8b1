import { verifyWebhook } from "@/sdk/api/webhooks/verify-webhook";
import type { Received, Receiver } from "@/test/services/receiver";

/** The events to which the payers' endpoints subscribe. */
export const DELIVERED = ["transfer.initiated", "transfer.confirmed", "transfer.failed"] as const;

/** Reports whether the payers' endpoints get events of a type. */
export const isDelivered = (type: string) => (DELIVERED as readonly string[]).includes(type);

/** What endpoints got: what they accepted, and the first attempts that they refused. */
export interface Taken {
  accepted: Received[];
  refused: Received[];
}

/** The first attempt to deliver one event in eight is refused, by the last letter of the event's id. */
const isRefusedFirst = (eventId: string) => /[0-3]$/.test(eventId);

export const eventIn = ({ body }: Pick<Received, "body">) => JSON.parse(body) as { event_id: string };

/**
 * Lets a receiver refuse the first attempts of some deliveries.
 *
 * @param failing paths that refuse everything now
 */
export function refuseSome(receiver: Receiver, failing: ReadonlySet<string> = new Set()): Taken {
  const taken: Taken = { accepted: [], refused: [] };
  const refusedOnce = new Set<string>();
  receiver.respond = (response, delivery) => {
    if (failing.has(delivery.path)) return response.writeHead(503).end();
    const { event_id: id } = eventIn(delivery);
    const name = `${id} at ${delivery.path}`;
    if (isRefusedFirst(id) && !refusedOnce.has(name)) {
      refusedOnce.add(name);
      taken.refused.push(delivery);
      return response.writeHead(500).end();
    }
    taken.accepted.push(delivery);
    return response.writeHead(204).end();
  };
  return taken;
}

/** Reports whether both kinds of signature of a delivery are by one of these secrets. */
export function isSigned({ headers, body }: Pick<Received, "headers" | "body">, secrets: readonly string[]): boolean {
  const now = new Date(Number(headers["webhook-timestamp"]) * 1_000);
  return ["webhook-", "x-service-"].every((family) => {
    const own = Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith(family)));
    return secrets.some((secret) => {
      try {
        return verifyWebhook(body, own, secret, { now }) !== undefined;
      } catch {
        return false;
      }
    });
  });
}
