import { InvalidWebhook, verifyWebhook } from "@/sdk/api/webhooks/verify-webhook";
import type { Received } from "../receiver";
import { settled } from "./fixtures";
import { expect, pay, subscribe, test } from "./webhook-fixtures";

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

test("a new address gets what the old one did not take", async ({ alice, bob, receiver }) => {
  receiver.respond = ({ path }) => (path === "/old" ? 500 : 200);
  const webhook = await subscribe(alice, receiver.url("/old"), ["transfer.initiated"]);
  const transfer = await pay(alice, bob);
  await expect.poll(() => receiver.types("/old").length).toBeGreaterThan(0);
  await alice.call("PATCH", `/v1/webhooks/${webhook.webhook_id}`, { url: receiver.url("/new") });
  await expect.poll(() => receiver.types("/new")).toEqual(["transfer.initiated"]);
  expect(receiver.received.at(-1)?.event.transfer_id).toBe(transfer);
});
