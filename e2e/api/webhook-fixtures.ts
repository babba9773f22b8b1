import { randomUUID } from "node:crypto";
import { Receiver } from "../receiver";
import { test as base, expect, type Party } from "./fixtures";

/** A webhook as returned at its creation. */
export interface Webhook {
  webhook_id: string;
  secret: string;
  url: string;
  events: string[];
}

export interface Delivery {
  delivery_id: string;
  event_id: string;
  event: string;
  trigger: string;
  status: string;
  attempt: number;
  retry_count: number;
  response_code: number | null;
  error: string | null;
  attempts: { attempt: number; response_code: number | null; error: string | null }[];
  next_attempt_at: string | null;
}

const TRANSFER_EVENTS = ["transfer.initiated", "transfer.confirmed", "transfer.failed"];

/** Subscribes a party to event types at an address. */
export async function subscribe(party: Party, url: string, events = TRANSFER_EVENTS): Promise<Webhook> {
  const response = await party.call("POST", "/v1/webhooks", { url, events });
  expect(response.status).toBe(201);
  return response.json as unknown as Webhook;
}

/** Pays from one party to another. Returns the transfer's id. */
export async function pay(from: Party, to: Party, amount = "0.5"): Promise<string> {
  const { status, text, json } = await from.call(
    "POST",
    "/v1/transfers",
    { to: to.handle, amount },
    { "idempotency-key": randomUUID() },
  );
  expect(status, text).toBe(201);
  return String(json.transfer_id);
}

/** With a receiver on this machine. Removes every webhook of both parties afterwards. */
export const test = base.extend<{ receiver: Receiver }>({
  receiver: async ({ alice, bob }, use) => {
    // What an earlier test has paid would be announced here.
    for (const party of [alice, bob]) {
      const pending = async () => (await party.call("GET", "/v1/transfers?status=pending&limit=1")).json.transfers;
      await expect.poll(pending).toEqual([]);
    }
    const receiver = await Receiver.open();
    await use(receiver);
    for (const party of [alice, bob]) {
      const { webhooks } = (await party.call("GET", "/v1/webhooks")).json as unknown as { webhooks: Webhook[] };
      for (const { webhook_id } of webhooks) await party.call("DELETE", `/v1/webhooks/${webhook_id}`);
    }
    await receiver.close();
  },
});

export { expect };
