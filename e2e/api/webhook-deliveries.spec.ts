import { InvalidWebhook, verifyWebhook } from "@/sdk/api/webhooks/verify-webhook";
import type { Received } from "../receiver";
import { settled } from "./fixtures";
import { type Delivery, deliveriesOf, expect, pay, subscribe, test } from "./webhook-fixtures";

/** Longer than the pause before the first retry, in milliseconds. */
const PAST_A_RETRY = 7_000;
const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const verify = ({ body, headers, at }: Received, secret: string) => verifyWebhook(body, headers, secret, { now: at });

test("a payment's events reach sender and recipient, each with its direction, signed with its own secret", async ({
  alice,
  bob,
  receiver,
}) => {
  const [sent, received] = [await subscribe(alice, receiver.url("/a")), await subscribe(bob, receiver.url("/b"))];
  const transfer = await pay(alice, bob);
  const { tx_hash } = await settled(alice, transfer);
  await expect.poll(() => receiver.received.length).toBe(4);
  for (const [path, webhook, party, other, direction] of [
    ["/a", sent, alice, bob, "sent"],
    ["/b", received, bob, alice, "received"],
  ] as const) {
    expect(receiver.types(path).sort()).toEqual(["transfer.confirmed", "transfer.initiated"]);
    for (const one of receiver.received.filter((request) => request.path === path)) {
      expect(verify(one, webhook.secret)).toEqual({
        event: one.event.event,
        event_id: expect.stringMatching(/^evt_/),
        account: party.handle,
        transfer_id: transfer,
        direction,
        counterparty: other.handle,
        asset: "USDG",
        confidential: true,
        tx_hash,
        timestamp: expect.stringMatching(/Z$/),
      });
      expect(() => verify(one, webhook === sent ? received.secret : sent.secret)).toThrow(InvalidWebhook);
      expect(one.headers).toMatchObject({
        "content-type": "application/json",
        "webhook-id": one.event.event_id,
        "x-service-signature": expect.stringMatching(/^[0-9a-f]{64}$/),
      });
      const listed = await party.call("GET", `/v1/events/${one.event.event_id}`);
      expect(listed.json).toEqual(one.event);
    }
  }
});

test("only subscribed types are delivered; deliveries show the response, in pages and by status", async ({
  alice,
  bob,
  receiver,
}) => {
  const webhook = await subscribe(alice, receiver.url(), ["transfer.confirmed"]);
  for (let i = 0; i < 3; i++) await settled(alice, await pay(alice, bob));
  await expect.poll(() => receiver.types()).toEqual(Array(3).fill("transfer.confirmed"));
  await expect.poll(async () => (await deliveriesOf(alice, webhook.webhook_id, "&status=succeeded")).length).toBe(3);
  const all = await deliveriesOf(alice, webhook.webhook_id);
  const newest = {
    attempt: 1,
    response_code: 204,
    response_body: "",
    error: null,
    duration_ms: expect.any(Number),
    attempted_at: expect.stringMatching(/Z$/),
  };
  expect(all[0]).toEqual({
    ...newest,
    attempts: [{ ...newest, url: receiver.url() }],
    webhook_id: webhook.webhook_id,
    delivery_id: expect.stringMatching(/^dlv_/),
    event_id: receiver.received[2]?.event.event_id,
    event: "transfer.confirmed",
    url: receiver.url(),
    trigger: "automatic",
    status: "succeeded",
    retry_count: 0,
    next_attempt_at: null,
    created_at: expect.stringMatching(/Z$/),
  });
  const path = `/v1/webhooks/${webhook.webhook_id}/deliveries`;
  const pages = await Promise.all(
    ["limit=2", "limit=2&offset=2"].map(async (query) => (await alice.call("GET", `${path}?${query}`)).json),
  );
  expect(pages.map(({ limit, offset, has_more }) => [limit, offset, has_more])).toEqual([
    [2, 0, true],
    [2, 2, false],
  ]);
  expect(pages.flatMap(({ deliveries }) => deliveries)).toEqual(all);
  expect(await deliveriesOf(alice, webhook.webhook_id, "&status=exhausted")).toEqual([]);
  for (const [query, param] of [
    ["status=lost", "status"],
    ["limit=101", "limit"],
    ["offset=-1", "offset"],
    ["event=x", "event"],
  ]) {
    const refused = await alice.call("GET", `${path}?${query}`);
    expect(refused.json.error).toMatchObject({ code: "invalid_request", param });
  }
});

test("after the 204 of a deletion nothing is delivered, nor what was waiting for its next attempt", async ({
  alice,
  bob,
  receiver,
}) => {
  receiver.respond = () => 500;
  const webhook = await subscribe(alice, receiver.url());
  await settled(alice, await pay(alice, bob));
  await expect.poll(() => receiver.received.length).toBeGreaterThanOrEqual(2);
  const deleted = await alice.call("DELETE", `/v1/webhooks/${webhook.webhook_id}`);
  expect(deleted).toMatchObject({ status: 204, text: "" });
  const count = receiver.received.length;
  await pay(alice, bob);
  await wait(PAST_A_RETRY);
  expect(receiver.received).toHaveLength(count);
  expect((await alice.call("GET", `/v1/webhooks/${webhook.webhook_id}/deliveries`)).status).toBe(404);
});

test("what failed is tried again by itself, and a replay ends that: the same event, a delivery of its own", async ({
  alice,
  bob,
  receiver,
}) => {
  receiver.respond = () => 503;
  const webhook = await subscribe(alice, receiver.url(), ["transfer.initiated"]);
  await pay(alice, bob);
  const one = async (status: string): Promise<Delivery | undefined> =>
    (await deliveriesOf(alice, webhook.webhook_id)).find((delivery) => delivery.status === status);
  const refusal = { response_code: 503, error: "status: 503" };
  // A later attempt may have been made by the time of the look. What the first one got stays.
  await expect
    .poll(() => one("failed"))
    .toMatchObject({
      ...refusal,
      trigger: "automatic",
      attempts: expect.arrayContaining([expect.objectContaining({ ...refusal, attempt: 1 })]),
      next_attempt_at: expect.stringMatching(/Z$/),
    });
  await expect.poll(() => receiver.received.length).toBeGreaterThanOrEqual(2);
  receiver.respond = () => 200;
  const eventId = String(receiver.received[0]?.event.event_id);
  const replayed = await alice.call("POST", `/v1/webhooks/${webhook.webhook_id}/replay/${eventId}`);
  expect(replayed.status).toBe(202);
  expect(replayed.json).toMatchObject({ trigger: "replay", status: "pending", attempt: 0, event_id: eventId });
  await expect.poll(async () => (await one("succeeded"))?.delivery_id).toBe(replayed.json.delivery_id);
  const [automatic] = (await deliveriesOf(alice, webhook.webhook_id)).filter(({ trigger }) => trigger === "automatic");
  expect(automatic?.delivery_id).not.toBe(replayed.json.delivery_id);
  expect(automatic?.next_attempt_at).toBeNull();
  for (const request of receiver.received) expect(verify(request, webhook.secret).event_id).toBe(eventId);

  const foreign = (await bob.call("GET", "/v1/events")).json.events as { event_id: string }[];
  for (const id of [foreign[0]?.event_id, "evt_01ARZ3NDEKTSV4RRFFQ69G5FAV", "nothing"]) {
    const refused = await alice.call("POST", `/v1/webhooks/${webhook.webhook_id}/replay/${id}`);
    expect(refused).toMatchObject({ status: 404, json: { error: { code: "not_found" } } });
  }
});

test("a test sends one signed sample of any type, marked as such and in no list of events", async ({
  alice,
  receiver,
}) => {
  const webhook = await subscribe(alice, receiver.url(), ["transfer.failed"]);
  const path = `/v1/webhooks/${webhook.webhook_id}/test`;
  const types = ["transfer.confirmed", "agent.transaction.pending_approval", "agent.policy.updated"];
  expect((await alice.call("POST", path, "")).status).toBe(202);
  for (const event of types.slice(1)) {
    const response = await alice.call("POST", path, { event });
    expect(response).toMatchObject({ status: 202, json: { trigger: "test", event } });
  }
  await expect.poll(() => receiver.types().sort()).toEqual([...types].sort());
  for (const request of receiver.received) {
    expect(verify(request, webhook.secret)).toMatchObject({ test: true, account: alice.handle });
    expect((await alice.call("GET", `/v1/events/${request.event.event_id}`)).status).toBe(404);
  }
  for (const [body, param] of [
    [{ event: "nothing" }, "event"],
    [{ type: "transfer.failed" }, "type"],
  ] as const) {
    expect((await alice.call("POST", path, body)).json.error).toMatchObject({ code: "invalid_request", param });
  }
});

test("after a rotation receivers with the new and with the old secret both accept; a second one ends the first", async ({
  alice,
  receiver,
}) => {
  const webhook = await subscribe(alice, receiver.url());
  const path = `/v1/webhooks/${webhook.webhook_id}`;
  const rotated = await alice.call("POST", `${path}/rotate-secret`);
  expect(rotated.status).toBe(200);
  const secret = String(rotated.json.secret);
  expect(secret).toMatch(/^whsec_/);
  expect(secret).not.toBe(webhook.secret);
  const hours = (Date.parse(String(rotated.json.previous_secret_expires_at)) - Date.now()) / 3_600_000;
  expect(hours).toBeGreaterThan(23.9);
  expect(hours).toBeLessThanOrEqual(24);
  await alice.call("POST", `${path}/test`, {});
  await expect.poll(() => receiver.received.length).toBe(1);
  const first = receiver.received[0] as Received;
  for (const accepted of [secret, webhook.secret]) {
    expect(verify(first, accepted).event).toBe("transfer.confirmed");
    const own = Object.fromEntries(Object.entries(first.headers).filter(([name]) => name.startsWith("x-service")));
    expect(verify({ ...first, headers: own }, accepted).event).toBe("transfer.confirmed");
  }
  expect(first.headers["x-service-signature-previous"]).toMatch(/^[0-9a-f]{64}$/);

  const second = String((await alice.call("POST", `${path}/rotate-secret`)).json.secret);
  await alice.call("POST", `${path}/test`, {});
  await expect.poll(() => receiver.received.length).toBe(2);
  const last = receiver.received[1] as Received;
  for (const accepted of [second, secret]) expect(verify(last, accepted).event).toBe("transfer.confirmed");
  expect(() => verify(last, webhook.secret)).toThrow(InvalidWebhook);
});

test("redeliver sends again what failed since a time, each event once", async ({ alice, bob, receiver }) => {
  const webhook = await subscribe(alice, receiver.url());
  const path = `/v1/webhooks/${webhook.webhook_id}/redeliver`;
  receiver.respond = () => 500;
  const since = new Date().toISOString();
  await settled(alice, await pay(alice, bob));
  await expect.poll(async () => (await deliveriesOf(alice, webhook.webhook_id, "&status=failed")).length).toBe(2);
  receiver.respond = () => 200;
  const early = receiver.received.length;
  const later = await alice.call("POST", path, { since: new Date(Date.now() + 60_000).toISOString() });
  expect(later).toMatchObject({ status: 202, json: { queued: 0, has_more: false } });
  const response = await alice.call("POST", path, { since });
  expect(response.status).toBe(202);
  await expect
    .poll(async () => (await deliveriesOf(alice, webhook.webhook_id, "&status=succeeded")).length)
    .toBeGreaterThanOrEqual(2);
  const ids = (list: { event_id: string }[]) => [...new Set(list.map(({ event_id }) => event_id))].sort();
  const arrived = receiver.received.slice(early).map(({ event }) => event);
  expect(ids(arrived)).toEqual(ids(receiver.received.map(({ event }) => event)));
  expect((await alice.call("POST", path, { since })).json).toEqual({ queued: 0, has_more: false });
  for (const body of [{}, { since: "yesterday" }, { since: 1 }, ""]) {
    const refused = await alice.call("POST", path, body);
    expect(refused.json.error).toMatchObject({ code: "invalid_request", param: body === "" ? "body" : "since" });
  }
});

test("a disabled webhook gets nothing of what happens meanwhile; enabled again it gets what happens then", async ({
  alice,
  bob,
  receiver,
}) => {
  const webhook = await subscribe(alice, receiver.url(), ["transfer.initiated"]);
  const path = `/v1/webhooks/${webhook.webhook_id}`;
  await alice.call("PATCH", path, { enabled: false });
  const missed = await pay(alice, bob);
  await settled(alice, missed);
  for (const verb of ["test", "redeliver"]) {
    const body = verb === "test" ? {} : { since: "2026-01-01T00:00:00Z" };
    expect((await alice.call("POST", `${path}/${verb}`, body)).json.error?.code).toBe("invalid_request");
  }
  await alice.call("PATCH", path, { enabled: true });
  const transfer = await pay(alice, bob);
  await expect.poll(() => receiver.received.map(({ event }) => event.transfer_id)).toEqual([transfer]);
  await wait(1_000);
  expect(receiver.received).toHaveLength(1);
});

test("a new address gets what the old one did not take", async ({ alice, bob, receiver }) => {
  receiver.respond = ({ path }) => (path === "/old" ? 500 : 200);
  const webhook = await subscribe(alice, receiver.url("/old"), ["transfer.initiated"]);
  const transfer = await pay(alice, bob);
  await expect.poll(() => receiver.types("/old").length).toBeGreaterThan(0);
  await alice.call("PATCH", `/v1/webhooks/${webhook.webhook_id}`, { url: receiver.url("/new") });
  await expect.poll(() => receiver.types("/new")).toEqual(["transfer.initiated"]);
  expect(receiver.received.at(-1)?.event.transfer_id).toBe(transfer);
});
