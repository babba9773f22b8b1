import { Receiver } from "../receiver";
import { test as base, expect } from "./fixtures";
import { type Owner, productURL } from "./owner";
import { payWithKey } from "./pay-with-key";

export const WEBHOOKS = "/test/developers/webhooks";
export const EVENTS = "/test/developers/events";

/** A receiver on this machine. The sender's webhooks are removed after each test. */
export const test = base.extend<{ receiver: Receiver }>({
  receiver: async ({ sender }, use) => {
    const receiver = await Receiver.open();
    await use(receiver);
    const { webhooks } = await call<{ webhooks: { webhook_id: string }[] }>(sender, "GET", "/v1/webhooks");
    for (const { webhook_id } of webhooks) await call(sender, "DELETE", `/v1/webhooks/${webhook_id}`);
    await receiver.close();
  },
});

/** Calls the API as the owner's program would. */
export async function call<T>({ apiKey }: Owner, method: string, path: string, body?: unknown): Promise<T> {
  const headers = { authorization: `Bearer ${apiKey}` };
  const response = await fetch(productURL + path, { method, headers, body: body ? JSON.stringify(body) : undefined });
  expect(response.ok, `${method} ${path}: ${response.status}`).toBe(true);
  return (response.status === 204 ? undefined : await response.json()) as T;
}

/** Creates a webhook as a program would. Returns its id. */
export async function webhookOf(owner: Owner, url: string, events: string[]): Promise<string> {
  return (await call<{ webhook_id: string }>(owner, "POST", "/v1/webhooks", { url, events })).webhook_id;
}

/** Pays as a program would. Resolves once the payment is final. */
export async function pay(owner: Owner, amount: string): Promise<void> {
  const { status, text, json } = await payWithKey(owner.apiKey, { amount });
  expect(status, text).toBe(201);
  await expect
    .poll(async () => (await call<{ status: string }>(owner, "GET", `/v1/transfers/${json.transfer_id}`)).status)
    .toBe("confirmed");
}
