import { type SQLWrapper, sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { db } from "@/db/client";
import { accounts } from "@/db/schema/accounts";
import { agents, heldPayments } from "@/db/schema/agents";
import type { SessionContext } from "@/lib/base/context/context";
import { newId } from "@/lib/base/ids";
import { appendAudit, SYSTEM } from "@/lib/events/audit/append";
import { randomBytes, toHex } from "@/lib/ledger/crypto/bytes";
import { Owner } from "@/test/accounts/owner";
import { asOwner } from "@/test/services/as-owner";
import { type SharedServices, startSharedServices } from "@/test/services/shared-services";
import { countPending, countPendingByAgent } from "./count-pending";
import { listDecided, pageOfDecided } from "./list-decided";
import { listPending } from "./list-pending";
import { reject } from "./reject";
import { ListDecidedQuery } from "./schema";

const CHAIN = 46630;
const FIRST_PAGE = { limit: 20, offset: 0 };
let services: SharedServices;
beforeAll(async () => {
  services = await startSharedServices();
});
afterAll(() => services.stop());

type Status = (typeof heldPayments.$inferInsert)["status"];

async function agentOf(owner: Owner, name: string) {
  const { id, handle } = owner.account;
  const agent = { id: newId("account"), handle: `${handle}/${name}`, address: toHex(randomBytes(20)) };
  await db()
    .insert(accounts)
    .values({ ...agent, type: "agent", ownerId: id, chainId: CHAIN, createdAt: new Date() });
  await db()
    .insert(agents)
    .values({ accountId: agent.id, chainId: CHAIN, status: "active", wallet: "0x00", secretVersion: 1 });
  return agent;
}

async function held(owner: Owner, agentId: string, status: Status, expiresInMs = 3_600_000): Promise<string> {
  const id = newId("transaction");
  await db()
    .insert(heldPayments)
    .values({
      id,
      chainId: CHAIN,
      agentId,
      rootId: owner.account.id,
      status,
      to: "@bob",
      recipientAddress: owner.address,
      asset: owner.address,
      kind: "transfer",
      encrypted: "0x00",
      secretVersion: 1,
      keyId: "key_1",
      requestedAt: new Date(),
      expiresAt: new Date(Date.now() + expiresInMs),
    });
  return id;
}

const decided = async (ctx: SessionContext, query: Record<string, string> = {}) =>
  (await listDecided(ctx, ListDecidedQuery.parse(query))).list;
const idsOf = (list: Awaited<ReturnType<typeof decided>>) => list.map((one) => one.held.row.id);

test("what no longer waits is listed with who decided, in pages, by status and agent", async () => {
  const owner = await Owner.create(CHAIN);
  const [bot, other] = [await agentOf(owner, "bot"), await agentOf(owner, "other")];
  const rejected = await held(owner, bot.id, "pending_approval");
  await reject(owner.session, rejected);
  const expired = await held(owner, bot.id, "expired");
  const entry = { rootId: owner.account.id, chainId: CHAIN, actor: SYSTEM } as const;
  await db().transaction((tx) =>
    appendAudit(tx, { ...entry, action: "agent.transaction.expired", target: expired }, new Date()),
  );
  const approved = await held(owner, other.id, "approved");
  const { keyId } = await owner.key();
  const byKey = { actorType: "key", actorId: keyId, clientAddress: null } as const;
  await db().transaction((tx) =>
    appendAudit(tx, { ...entry, actor: byKey, action: "agent.transaction.approved", target: approved }, new Date()),
  );
  const waiting = await held(owner, bot.id, "pending_approval");
  const ctx = owner.session;
  const all = await decided(ctx);
  expect(idsOf(all)).toEqual([approved, expired, rejected]);
  expect(all.map(({ decidedBy }) => decidedBy)).toEqual([
    { type: "key", id: keyId, label: "test" },
    { type: "system", id: null },
    { type: "session", id: ctx.sessionId },
  ]);
  expect(idsOf(await decided(ctx, { status: "rejected" }))).toEqual([rejected]);
  expect(idsOf(await decided(ctx, { agent: `@${bot.handle}` }))).toEqual([expired, rejected]);
  expect(idsOf(await decided(ctx, { agent: other.id, status: "expired" }))).toEqual([]);
  const page = await listDecided(ctx, ListDecidedQuery.parse({ limit: "1", offset: "1" }));
  expect([idsOf(page.list), page.hasMore]).toEqual([[expired], true]);
  expect((await listPending(ctx, FIRST_PAGE)).list.map(({ row }) => row.id)).toEqual([waiting]);
});

test("as many wait as are listed; one past its window does not", async () => {
  const [owner, stranger] = await Promise.all([Owner.create(CHAIN), Owner.create(CHAIN)]);
  const bot = await agentOf(owner, "bot");
  await held(owner, bot.id, "pending_approval");
  await held(owner, bot.id, "pending_approval");
  await held(owner, bot.id, "pending_approval", -1);
  await held(owner, bot.id, "approved");
  expect(await countPending(owner.session)).toBe(2);
  expect((await listPending(owner.session, FIRST_PAGE)).list).toHaveLength(2);
  const second = await listPending(owner.session, { limit: 1, offset: 1 });
  expect([second.list.length, second.hasMore]).toEqual([1, false]);
  expect((await listPending(owner.session, { limit: 1, offset: 0 })).hasMore).toBe(true);
  const live: SessionContext = { ...owner.session, network: "live", chainId: 4663 };
  for (const other of [stranger.session, live]) {
    expect(await countPending(other)).toBe(0);
    expect(await decided(other)).toEqual([]);
  }
  await expect(decided(stranger.session, { agent: bot.id })).rejects.toMatchObject({ code: "not_agent_owner" });
});

test("10,000 that wait are counted and listed in pages, oldest first; what others' agents ask is not among them", async () => {
  const [owner, stranger] = await Promise.all([Owner.create(CHAIN), Owner.create(CHAIN)]);
  const bot = await agentOf(owner, "bot");
  await held(stranger, (await agentOf(stranger, "bot")).id, "pending_approval");
  // One agent stands for 200 agents with 50 payments each; the lists don't know the limit.
  await asOwner(
    (admin) => admin`
    insert into held_payments (id, chain_id, agent_id, root_id, status, to_given, recipient_address, asset, kind, encrypted,
      secret_version, key_id, requested_at, expires_at)
    select 'txn_Y' || lpad(n::text, 25, '0'), ${CHAIN}::int, ${bot.id}, ${owner.account.id}, 'pending_approval', '@bob', '',
      '', 'transfer', '', 1, 'key_1', now() - make_interval(secs => 20000 - n), now() + interval '1 hour'
    from generate_series(1, 10000) n`,
  );
  expect(await countPending(owner.session)).toBe(10_000);
  const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at + 1);
  for (const [offset, more] of [
    [0, true],
    [20, true],
    [5_000, true],
    [9_980, false],
  ] as const) {
    const { list, hasMore } = await listPending(owner.session, { limit: 20, offset });
    expect(list.map(({ row }) => Number(row.id.slice(5)))).toEqual(numbers(offset, offset + 20));
    expect(hasMore).toBe(more);
  }
  // Another agent's payment is the newest, and counted and found by its agent although 10,000 are before it.
  const other = await agentOf(owner, "other");
  const newest = await held(owner, other.id, "pending_approval");
  const counted = await countPendingByAgent(owner.session);
  expect([counted.size, counted.get(bot.id), counted.get(other.id)]).toEqual([2, 10_000, 1]);
  const { list } = await listPending(owner.session, { ...FIRST_PAGE, agent: other.id });
  expect(list.map(({ row }) => row.id)).toEqual([newest]);
});

async function blocksOf(statement: SQLWrapper): Promise<number> {
  type Plan = { "Shared Hit Blocks": number; "Shared Read Blocks": number };
  const [explained] = await db().execute<{ "QUERY PLAN": [{ Plan: Plan }] }>(
    sql`explain (analyze, buffers, format json) ${statement.getSQL()}`,
  );
  const plan = explained?.["QUERY PLAN"][0].Plan;
  return (plan?.["Shared Hit Blocks"] ?? 1e9) + (plan?.["Shared Read Blocks"] ?? 1e9);
}

test("a page of the history reads few blocks, however long it is", async () => {
  const owner = await Owner.create(CHAIN);
  const [bot, rare] = [await agentOf(owner, "bot"), await agentOf(owner, "rare")];
  await held(owner, rare.id, "rejected");
  await asOwner(async (admin) => {
    await admin`
      insert into held_payments (id, chain_id, agent_id, root_id, status, to_given, recipient_address, asset, kind,
        encrypted, secret_version, key_id, requested_at, expires_at)
      select 'txn_Z' || lpad(n::text, 25, '0'), ${CHAIN}::int, ${bot.id}, ${owner.account.id}, 'approved', '@bob', '',
        '', 'transfer', '', 1, 'key_1', now(), now()
      from generate_series(1, 100000) n`;
    await admin`vacuum analyze held_payments`;
  });
  for (const [agentId, query, expected] of [
    [undefined, {}, 21],
    [undefined, { status: "approved" }, 21],
    [undefined, { status: "rejected" }, 1],
    [undefined, { status: "expired" }, 0],
    [bot.id, {}, 21],
    [rare.id, {}, 1],
  ] as const) {
    const page = pageOfDecided(owner.session, agentId, ListDecidedQuery.parse(query));
    expect(await page).toHaveLength(expected);
    expect(await blocksOf(page), JSON.stringify(query)).toBeLessThan(250);
  }
});
