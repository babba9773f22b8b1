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

/** Webhooks of several accounts, all with the same receiver, which stores what it gets. */
export class Webhooks {
  /** Shown to their owners once. They must not be found anywhere else. */
  readonly secrets: string[] = [];
  /** Paths of the API that show deliveries, each with a key that may see it. */
  readonly routes: { apiKey: string; route: string }[] = [];

  private constructor(private readonly receiver: Receiver) {}

  static async open(url: string, apiKeys: readonly string[]): Promise<Webhooks> {
    const webhooks = new Webhooks(await Receiver.open());
    // The very first response is a failure, so that a retry is delivered and recorded too.
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

  /** Waits until this many events have arrived. Returns every request verbatim. */
  async delivered(events: number): Promise<string> {
    const { received } = this.receiver;
    const ids = () => new Set(received.map(({ event }) => event.event_id)).size;
    await expect.poll(ids).toBe(events);
    expect(received.length).toBeGreaterThan(events);
    await this.receiver.close();
    return received.map(({ headers, body }) => `${JSON.stringify(headers)}\n${body}\n`).join("");
  }
}
