import { expect } from "@playwright/test";
import { Receiver } from "../receiver";

const EVENTS = [
  "transfer.initiated",
  "transfer.confirmed",
  "transfer.failed",
  "agent.transaction.pending_approval",
  "agent.transaction.approved",
  "agent.transaction.rejected",
  "agent.policy.updated",
];

/** Webhooks of some accounts, all leading to one receiver that keeps what it gets. */
export class Webhooks {
  /** Shown to their owners once: they must be nowhere else. */
  readonly secrets: string[] = [];
  /** Paths of the API that show what was delivered, each with the key that may see it. */
  readonly routes: { apiKey: string; route: string }[] = [];

  private constructor(private readonly receiver: Receiver) {}

  static async open(url: string, apiKeys: readonly string[]): Promise<Webhooks> {
    const webhooks = new Webhooks(await Receiver.open());
    // The first response of all is a failure: what is tried again is delivered and recorded, too.
    webhooks.receiver.respond = () => (webhooks.receiver.received.length === 1 ? 500 : 200);
    for (const apiKey of apiKeys) {
      const response = await fetch(`${url}/v1/webhooks`, {
        method: "POST",
        headers: { authorization: `Bearer ${apiKey}` },
        body: JSON.stringify({ url: webhooks.receiver.url(), events: EVENTS }),
      });
      expect(response.status).toBe(201);
      const { webhook_id, secret } = (await response.json()) as { webhook_id: string; secret: string };
      webhooks.secrets.push(secret);
      for (const route of ["/v1/events?limit=100", `/v1/webhooks/${webhook_id}/deliveries?limit=100`, "/v1/webhooks"]) {
        webhooks.routes.push({ apiKey, route });
      }
    }
    return webhooks;
  }

  /** Waits until so many events have arrived; returns every request as it came. */
  async delivered(events: number): Promise<string> {
    const { received } = this.receiver;
    const ids = () => new Set(received.map(({ event }) => event.event_id)).size;
    await expect.poll(ids, { timeout: 60_000 }).toBe(events);
    expect(received.length).toBeGreaterThan(events);
    await this.receiver.close();
    return received.map(({ headers, body }) => `${JSON.stringify(headers)}\n${body}\n`).join("");
  }
}
