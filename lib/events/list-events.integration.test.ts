import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { db } from "@/db/client";
import type { SessionContext } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import { idAt } from "@/lib/base/ids";
import { Owner } from "@/test/accounts/owner";
import { asOwner } from "@/test/services/as-owner";
import { type SharedServices, startSharedServices } from "@/test/services/shared-services";
import { appendEvents, type NewEvent } from "./append-events";
import { EVENT_TYPES, type EventType } from "./catalogue";
import { getEvent } from "./get-event";
import { listEvents, pageOfEvents, streamOfEvents } from "./list-events";
import { FIRST_CURSOR, ListEventsQuery } from "./schema";

let services: SharedServices;
beforeAll(async () => {
  services = await startSharedServices();
});
afterAll(() => services.stop());

const payload = {
  transfer_id: "tr_1",
  direction: "sent",
  counterparty: "@x",
  asset: "USDG",
  confidential: true,
  tx_hash: `0x${"00".repeat(32)}`,
} as const;

type Happen = (tx: Parameters<typeof appendEvents>[0], at: Date, type?: EventType) => Promise<void>;

/** Creates an account, and returns a function that writes events for it. */
async function someone(): Promise<{ ctx: SessionContext; happen: Happen }> {
  const { session: ctx } = await Owner.create(46630);
  const { chainId, account } = ctx;
  // Lists don't look at the payload, so any payload will do.
  const happen: Happen = (tx, at, type = "transfer.confirmed") =>
    appendEvents(tx, [{ chainId, type, subject: account, payload } as NewEvent], at);
  return { ctx, happen };
}

const list = async (ctx: SessionContext, query: Record<string, string> = {}) => {
  const { events, hasMore } = await listEvents(ctx, ListEventsQuery.parse(query));
  return { ids: events.map((one) => String(one.payload.event_id)), hasMore, events };
};
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);

test("events are listed newest first, in pages, by type and between bounds", async () => {
  const { ctx, happen } = await someone();
  const times = [5, 4, 3, 2, 1].map(minutesAgo);
  for (const [i, at] of times.entries()) await db().transaction((tx) => happen(tx, at, EVENT_TYPES[i]));
  const all = await list(ctx);
  expect(all.events.map(({ payload: { event } }) => event)).toEqual(EVENT_TYPES.slice(0, 5).reverse());
  expect(all.hasMore).toBe(false);
  const pages = [await list(ctx, { limit: "3" }), await list(ctx, { limit: "3", offset: "3" })];
  expect(pages.flatMap(({ ids }) => ids)).toEqual(all.ids);
  expect(pages.map(({ hasMore }) => hasMore)).toEqual([true, false]);
  expect((await list(ctx, { type: "transfer.failed,transfer.initiated" })).ids).toEqual([all.ids[2], all.ids[4]]);
  const bounds = { from: times[1]?.toISOString() ?? "", to: times[3]?.toISOString() ?? "" };
  expect((await list(ctx, bounds)).ids).toEqual([all.ids[2]]);
});

test("a stream goes through every event once, oldest first, from any event and from the start", async () => {
  const { ctx, happen } = await someone();
  for (let i = 9; i > 0; i--) await db().transaction((tx) => happen(tx, minutesAgo(Math.ceil(i / 3))));
  const oldestFirst = (await list(ctx)).ids.reverse();
  const seen: string[] = [];
  for (let more = true; more; ) {
    const page = await list(ctx, { after: seen.at(-1) ?? FIRST_CURSOR, limit: "4" });
    seen.push(...page.ids);
    more = page.hasMore;
  }
  expect(seen).toEqual(oldestFirst);
  expect((await list(ctx, { after: oldestFirst[4] ?? "" })).ids).toEqual(oldestFirst.slice(5));
});

test("a stream never goes past an event whose transaction has not committed yet", async () => {
  const { ctx, happen } = await someone();
  await db().transaction((tx) => happen(tx, new Date()));
  const [start = ""] = (await list(ctx)).ids;
  let commit = () => {};
  const open = new Promise<void>((resolve) => {
    commit = resolve;
  });
  let written = () => {};
  const early = new Promise<void>((resolve) => {
    written = resolve;
  });
  const slow = db().transaction(async (tx) => {
    await happen(tx, new Date(), "transfer.initiated");
    written();
    await open;
  });
  await early;
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  await db().transaction((tx) => happen(tx, new Date(), "transfer.failed"));
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect((await list(ctx)).ids).toHaveLength(2);
  expect((await list(ctx, { after: start })).ids).toEqual([]);
  commit();
  await slow;
  const types = async () => (await list(ctx, { after: start })).events.map(({ payload: { event } }) => event);
  await expect.poll(types).toEqual(["transfer.initiated", "transfer.failed"]);
});

test("a page and a stream read few blocks, however many events an account has", async () => {
  const { ctx } = await someone();
  const { chainId, account } = ctx;
  // As the owner, whose statements have no time limit.
  await asOwner(async (owner) => {
    await owner`
      insert into events (id, account_id, root_id, chain_id, type, payload, created_at)
      select ${idAt("event", Date.now())} || lpad(n::text, 16, '0'), ${account.id}, ${account.id}, ${chainId}::int, 'transfer.confirmed', '{}',
        now() - make_interval(secs => 200000 - n)
      from generate_series(1, 100000) n`;
    await owner`vacuum analyze events`;
  });
  const query = ListEventsQuery.parse({});
  const middle = { createdAt: minutesAgo(150_000 / 60), id: "evt_0" };
  for (const statement of [pageOfEvents(ctx, query), streamOfEvents(ctx, query, middle)]) {
    expect(await statement).toHaveLength(21);
    type Plan = { "Shared Hit Blocks": number; "Shared Read Blocks": number };
    const [explained] = await db().execute<{ "QUERY PLAN": [{ Plan: Plan }] }>(
      sql`explain (analyze, buffers, format json) ${statement.getSQL()}`,
    );
    const plan = explained?.["QUERY PLAN"][0].Plan;
    expect((plan?.["Shared Hit Blocks"] ?? 1e9) + (plan?.["Shared Read Blocks"] ?? 1e9)).toBeLessThan(100);
  }
});

test("other accounts, the other network and an agent's key see none of it", async () => {
  const [{ ctx, happen }, other] = [await someone(), await someone()];
  await db().transaction((tx) => happen(tx, minutesAgo(1)));
  const [id = ""] = (await list(ctx)).ids;
  expect((await getEvent(ctx, id)).payload).toMatchObject({ event_id: id, account: `@${ctx.account.handle}` });
  const live: SessionContext = { ...ctx, network: "live", chainId: 4663 };
  for (const stranger of [other.ctx, live]) {
    expect((await list(stranger)).ids).toEqual([]);
    await expect(getEvent(stranger, id)).rejects.toMatchObject({ code: "not_found" });
    await expect(list(stranger, { after: id })).rejects.toMatchObject({ code: "invalid_request", param: "after" });
  }
  const agent: SessionContext = { ...ctx, account: { ...ctx.account, type: "agent" } };
  for (const refused of [list(agent), getEvent(agent, id)]) await expect(refused).rejects.toBeInstanceOf(ApiError);
});
