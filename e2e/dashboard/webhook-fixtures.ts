import { Receiver } from "../receiver";
import { test as base, expect } from "./fixtures";
import { type Owner, productURL } from "./owner";

export const WEBHOOKS = "/test/developers/webhooks";
export const EVENTS = "/test/developers/events";

/** A receiver on this machine; the sender's webhooks go with each test. */
export const test = base.extend<{ receiver: Receiver }>({
  receiver: async ({ sender }, use) => {
    const receiver = await Receiver.open();
    await use(receiver);
    const { webhooks } = await call<{ webhooks: { webhook_id: string }[] }>(sender, "GET", "/v1/webhooks");
    for (const { webhook_id } of webhooks) await call(sender, "DELETE", `/v1/webhooks/${webhook_id}`);
    await receiver.close();
  },
});

/** A call as a program of the owner's makes it. */
export async function call<T>({ apiKey }: Owner, method: string, path: string, body?: unknown): Promise<T> {
  const headers = { authorization: `Bearer ${apiKey}` };
  const answer = await fetch(productURL + path, { method, headers, body: body ? JSON.stringify(body) : undefined });
  expect(answer.ok, `${method} ${path}: ${answer.status}`).toBe(true);
  return (answer.status === 204 ? undefined : await answer.json()) as T;
}

/** A webhook made by a program; answers its id. */
export async function webhookOf(owner: Owner, url: string, events: string[]): Promise<string> {
  return (await call<{ webhook_id: string }>(owner, "POST", "/v1/webhooks", { url, events })).webhook_id;
}

/** A payment made by a program; answers once it is final. */
export async function pay(owner: Owner, amount: string): Promise<void> {
  const { transfer_id } = await call<{ transfer_id: string }>(owner, "POST", "/v1/transfers", { to: "@demo", amount });
  await expect
    .poll(async () => (await call<{ status: string }>(owner, "GET", `/v1/transfers/${transfer_id}`)).status, {
      timeout: 60_000,
    })
    .toBe("confirmed");
}
