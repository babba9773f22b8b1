import { newParty, settled } from "./fixtures";
import { expect, pay, test } from "./webhook-fixtures";

interface Event {
  event: string;
  event_id: string;
  transfer_id?: string;
  direction?: string;
  timestamp: string;
}

const START = "evt_00000000000000000000000000";

test("200: what happened, newest first, in pages, by type and time; never an amount", async ({ playwright, bob }) => {
  // An account with no other activity.
  const alice = await newParty(playwright, "alice", "10");
  for (const amount of ["1.234567", "2.345678"]) await settled(alice, await pay(alice, bob, amount));
  const page = async (query: string) => {
    const response = await alice.call("GET", `/v1/events?${query}`);
    expect(response.status, query).toBe(200);
    expect(response.text).not.toMatch(/1\.?234567|2\.?345678/);
    return response.json as unknown as { events: Event[]; limit: number; offset: number; has_more: boolean };
  };
  const { events, ...rest } = await page("limit=100");
  expect(rest).toEqual({ limit: 100, offset: 0, has_more: false });
  const paid = ["transfer.confirmed", "transfer.initiated"];
  const opened = ["key.created", "balance.made_available", "deposit.confirmed"];
  expect(events.map(({ event }) => event)).toEqual([...paid, ...paid, ...opened]);
  const times = events.map(({ timestamp }) => timestamp);
  expect(times).toEqual([...times].sort().reverse());
  expect(await page("limit=1&offset=1")).toMatchObject({ events: [events[1]], limit: 1, offset: 1, has_more: true });
  expect((await page("type=transfer.confirmed&limit=100")).events).toEqual(
    events.filter(({ event }) => event === "transfer.confirmed"),
  );
  expect((await page(`type=${paid}&limit=100`)).events).toEqual(events.slice(0, 4));
  expect((await page("type=agent.policy.updated")).events).toEqual([]);
  const at = encodeURIComponent(String(events[1]?.timestamp));
  expect((await page(`from=${at}&limit=100`)).events).not.toContainEqual(events[1]);
  expect((await page(`to=${at}&limit=100`)).events).not.toContainEqual(events[1]);
});

test("200: with `after` a stream, oldest first, that shows each event once", async ({ alice, bob }) => {
  const first = await pay(alice, bob);
  await settled(alice, first);
  const stream = async (after: string, limit = 3) =>
    (await alice.call("GET", `/v1/events?after=${after}&limit=${limit}`)).json as unknown as {
      events: Event[];
      has_more: boolean;
    };
  const seen: Event[] = [];
  const follow = async () => {
    for (let more = true; more; ) {
      const page = await stream(seen.at(-1)?.event_id ?? START);
      seen.push(...page.events);
      more = page.has_more;
    }
    return seen.filter(({ transfer_id }) => transfer_id === first).map(({ event }) => event);
  };
  await expect.poll(follow).toEqual(["transfer.initiated", "transfer.confirmed"]);
  const second = await pay(alice, bob);
  await settled(alice, second);
  await expect
    .poll(async () => {
      await follow();
      return seen.filter(({ transfer_id }) => transfer_id === second).map(({ event }) => event);
    })
    .toEqual(["transfer.initiated", "transfer.confirmed"]);
  expect(new Set(seen.map(({ event_id }) => event_id)).size).toBe(seen.length);
});
