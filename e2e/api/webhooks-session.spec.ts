import type { APIResponse } from "@playwright/test";
import { settled } from "./fixtures";
import { type Delivery, expect, pay, test, type Webhook } from "./webhook-fixtures";

const json = async <T>(response: Promise<APIResponse>, status = 200): Promise<T> => {
  const got = await response;
  expect(got.status(), await got.text()).toBe(status);
  return status === 204 ? (undefined as T) : ((await got.json()) as T);
};

test("a session does with webhooks what a key does: create, list, change, test, rotate, replay, redeliver, delete", async ({
  alice,
  bob,
  receiver,
}) => {
  const { session } = alice;
  const since = new Date(Date.now() - 1_000).toISOString();
  const input = { url: receiver.url(), events: ["transfer.confirmed"] };
  const { secret, ...shown } = await json<Webhook>(session.send("POST", "/v1/webhooks", input), 201);
  expect(secret).toMatch(/^whsec_/);
  const at = `/v1/webhooks/${shown.webhook_id}`;
  expect(await json(session.get("/v1/webhooks"))).toEqual({ webhooks: [shown], has_more: false });
  expect((await alice.call("GET", "/v1/webhooks")).json).toEqual({ webhooks: [shown], has_more: false });
  const tested = await json<Delivery>(session.send("POST", `${at}/test`, { event: "transfer.failed" }), 202);
  expect(tested).toMatchObject({ trigger: "test", event: "transfer.failed", webhook_id: shown.webhook_id });
  await settled(alice, await pay(alice, bob));
  await expect.poll(() => receiver.types()).toEqual(["transfer.failed", "transfer.confirmed"]);
  const event = receiver.received[1]?.event;
  expect(await json(session.get(`/v1/events/${event?.event_id}`))).toEqual(event);
  const events = await json<{ events: unknown[] }>(session.get("/v1/events?type=transfer.confirmed&limit=1"));
  expect(events.events).toEqual([event]);
  const replayed = await json<Delivery>(session.send("POST", `${at}/replay/${event?.event_id}`), 202);
  await expect.poll(() => receiver.received.length).toBe(3);
  const rotated = await json<{ secret: string }>(session.send("POST", `${at}/rotate-secret`));
  expect(rotated.secret).not.toBe(secret);
  expect(await json(session.send("POST", `${at}/redeliver`, { since }), 202)).toEqual({ queued: 0, has_more: false });
  const log = (query: string) =>
    json<{ deliveries: Delivery[] }>(session.get(`/api/deliveries?${query}`)).then(({ deliveries }) =>
      deliveries.map(({ delivery_id }) => delivery_id),
    );
  await expect.poll(() => log("status=succeeded")).toHaveLength(3);
  expect(await log(`event_id=${event?.event_id}`)).toHaveLength(2);
  expect(await log("event=transfer.failed")).toEqual([tested.delivery_id]);
  expect(await log(`webhook_id=${shown.webhook_id}&limit=1`)).toEqual([replayed.delivery_id]);
  expect(await log(`to=${since}`)).toEqual([]);
  const disabled = await json<Webhook>(session.send("PATCH", at, { enabled: false }));
  expect(disabled).toMatchObject({ enabled: false, disabled_reason: "owner" });
  await json(session.send("DELETE", at), 204);
  expect(await json(session.get("/v1/webhooks"))).toEqual({ webhooks: [], has_more: false });
  expect(await log("limit=1")).toEqual([]);
});

test("a delivery shows the request byte by byte as the receiver got it, but for signatures, and its response", async ({
  alice,
  receiver,
}) => {
  receiver.respond = () => 500;
  const input = { url: receiver.url(), events: ["transfer.confirmed"] };
  const { webhook_id } = await json<Webhook>(alice.session.send("POST", "/v1/webhooks", input), 201);
  const test = await json<Delivery>(alice.session.send("POST", `/v1/webhooks/${webhook_id}/test`), 202);
  const details = () =>
    json<Delivery & { request: { url: string; body: string; headers: Record<string, string | null> } }>(
      alice.session.get(`/api/deliveries/${test.delivery_id}`),
    );
  await expect.poll(async () => (await details()).status).toBe("exhausted");
  const { request, ...delivery } = await details();
  expect(delivery).toMatchObject({ response_code: 500, webhook_id });
  const [got] = receiver.received;
  expect(request).toMatchObject({ method: "POST", url: receiver.url(), body: got?.body });
  for (const [name, value] of Object.entries(request.headers)) {
    if (value === null) expect(got?.headers[name], name).toMatch(/./);
    else expect(got?.headers[name], name).toBe(value);
  }
  expect(Object.keys(request.headers).filter((name) => /signature/.test(name))).toHaveLength(2);
});
