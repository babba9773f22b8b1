import { verifyWebhook } from "@/sdk/api/webhooks/verify-webhook";
import { holdPayment, newAgent } from "./agent-fixtures";
import { expect, subscribe, test } from "./webhook-fixtures";

const EVENTS = [
  "transfer.initiated",
  "agent.transaction.pending_approval",
  "agent.transaction.approved",
  "agent.transaction.rejected",
  "agent.policy.updated",
];

test("what an agent does and what is decided about it reaches the owner's webhooks, without amounts", async ({
  alice,
  bob,
  receiver,
}) => {
  const agent = await newAgent(alice, "40");
  const webhook = await subscribe(alice, receiver.url(), EVENTS);
  const policy = { active_hours: "08:00-08:01", daily_limit_usdg: 98.765432 };
  const open = { active_hours: "00:00-24:00" };
  await alice.call("PATCH", `/v1/agents/${agent.id}/spend-policy`, policy);
  await alice.call("PATCH", `/v1/agents/${agent.id}/spend-policy`, open);
  await agent.call("POST", "/v1/transfers", { to: bob.handle, amount: "1.234567" });
  const [first, second] = [
    await holdPayment(agent, { to: bob.handle, amount: "12.345678", memo: "canary" }),
    await holdPayment(agent, { to: bob.handle, amount: "12.345678" }),
  ];
  expect((await alice.call("POST", `/v1/agents/transactions/${first}/approve`)).status).toBe(200);
  expect((await alice.call("POST", `/v1/agents/transactions/${second}/reject`)).status).toBe(200);

  const expected = [EVENTS[4], EVENTS[4], EVENTS[0], EVENTS[1], EVENTS[1], EVENTS[2], EVENTS[0], EVENTS[3]];
  await expect.poll(() => receiver.types().sort()).toEqual([...expected].sort());
  for (const { body, headers, at, event } of receiver.received) {
    const verified = verifyWebhook(body, headers, webhook.secret, { now: at });
    expect(verified.account).toBe(agent.handle);
    expect(body).not.toMatch(/234567|345678|765432|canary/);
    expect((await alice.call("GET", `/v1/events/${event.event_id}`)).json).toEqual(event);
  }
  const of = (type?: string) => receiver.received.map(({ event }) => event).filter(({ event }) => event === type);
  const common = { event_id: expect.stringMatching(/^evt_/), account: agent.handle };
  const time = expect.stringMatching(/^\d{4}-.*Z$/);
  for (const payload of of("transfer.initiated")) {
    expect(payload).toMatchObject({ ...common, direction: "sent", counterparty: bob.handle, asset: "USDG" });
  }
  const held = { ...common, agent: agent.handle, to: bob.handle, requested_at: time, expires_at: time };
  for (const payload of of("agent.transaction.pending_approval")) {
    const { transaction_id, ...rest } = payload;
    expect([first, second]).toContain(transaction_id);
    expect(rest).toEqual({ ...held, event: "agent.transaction.pending_approval", timestamp: time });
  }
  for (const [event, transaction_id] of [
    ["agent.transaction.approved", first],
    ["agent.transaction.rejected", second],
  ] as const) {
    expect(of(event)).toEqual([{ ...held, event, transaction_id, decided_at: time, timestamp: time }]);
  }
  const changes = of("agent.policy.updated").sort((a, b) => (a.event_id < b.event_id ? -1 : 1));
  expect(changes).toEqual(
    [["daily_limit_usdg", "active_hours"], ["active_hours"]].map((changed) => ({
      ...common,
      event: "agent.policy.updated",
      agent: agent.handle,
      policy_id: agent.policyId,
      changed,
      updated_at: time,
      timestamp: time,
    })),
  );
});
