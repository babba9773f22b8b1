import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from "vitest";
import { db, sql } from "@/db/client";
import { newId } from "@/lib/base/ids";
import { Owner } from "@/test/accounts/owner";
import { asOwner } from "@/test/services/as-owner";
import { type SharedServices, startSharedServices } from "@/test/services/shared-services";
import { appendAudit, SYSTEM } from "./append";
import { listAuditEntries } from "./list-entries";
import { ListAuditQuery } from "./schema";
import { verifyAuditChains } from "./verify-audit-chains";

const CHAIN = 46630;
let services: SharedServices;
/** An account whose chain is empty before the test. */
let rootId: string;

beforeAll(async () => {
  services = await startSharedServices();
});
afterAll(() => services?.stop());

const append = (root: string, target: string, action = "agent.paused", chainId: 46630 | 4663 = CHAIN) =>
  db().transaction((tx) => {
    const actor = { actorType: "key", actorId: "key_1", clientAddress: "192.0.2.7" } as const;
    const [before, after] = [
      { daily_limit: 0.1, assets: ["USDG"] },
      { daily_limit: 250, until: new Date(0) },
    ];
    return appendAudit(tx, { rootId: root, chainId, actor, action, target, before, after }, new Date());
  });

/** Runs statements with the trigger disabled, as the owner of the database could. */
async function tamper(...statements: string[]): Promise<void> {
  await asOwner((owner) =>
    owner.begin(async (tx) => {
      await tx`set local session_replication_role = replica`;
      for (const statement of statements) expect((await tx.unsafe(statement)).count).toBeGreaterThan(0);
    }),
  );
}

/** Returns the first broken entry of this test's chain, if any. */
async function broken() {
  const { broken: found } = await verifyAuditChains();
  const mine = found.find((chain) => chain.rootId === rootId && chain.chainId === CHAIN);
  return mine && { position: mine.position, problem: mine.problem };
}

const at = (position: number) => `where root_id = '${rootId}' and position = ${position}`;

beforeEach(async () => {
  rootId = newId("account");
  for (let n = 1; n <= 5; n++) await append(rootId, `target_${n}`);
});

describe("the verification", () => {
  it("passes over chains as they were written, of every owner and network", async () => {
    await append(rootId, "elsewhere", "key.created", 4663);
    const { entries, chains } = await verifyAuditChains();
    const [rows] = await sql()`
      select count(*)::int as entries, count(distinct (root_id, chain_id))::int as chains from audit_log`;
    expect({ entries, chains }).toEqual(rows);
    expect(await broken()).toBeUndefined();
  });

  it.each([
    ["id", "'aud_other'"],
    ["actor_type", "'session'"],
    ["actor_id", "'key_2'"],
    ["actor_id", "null"],
    ["client_address", "'192.0.2.8'"],
    ["client_address", "null"],
    ["action", "'agent.resumed'"],
    ["target", "'target_4'"],
    ["before", "null"],
    ["before", `'{"assets": ["USDG"], "daily_limit": 0.10000001}'`],
    ["after", `after || '{"more": null}'`],
    ["after", "after - 'until'"],
    ["created_at", "created_at + interval '1 millisecond'"],
    ["hash", "sha256('other')"],
  ])("finds a changed %s (%s)", async (column, value) => {
    await tamper(`update audit_log set ${column} = ${value} ${at(3)}`);
    expect(await broken()).toEqual({ position: 3, problem: "was changed" });
  });

  it("finds a changed previous_hash", async () => {
    await tamper(`update audit_log set previous_hash = sha256('other') ${at(3)}`);
    expect(await broken()).toEqual({ position: 3, problem: "does not follow the entry before it" });
  });

  it("finds an entry moved to another owner or network", async () => {
    await tamper(`update audit_log set root_id = 'acct_other' ${at(3)}`);
    expect(await broken()).toEqual({ position: 3, problem: "is missing" });
    await tamper(`update audit_log set root_id = '${rootId}' where root_id = 'acct_other'`);
    expect(await broken()).toBeUndefined();
    await tamper(`update audit_log set chain_id = 4663 ${at(3)}`);
    expect(await broken()).toEqual({ position: 3, problem: "is missing" });
    await tamper(`update audit_log set chain_id = ${CHAIN} ${at(3)}`);
  });

  it("finds a whole chain given to another owner", async () => {
    await tamper(
      `update audit_log set root_id = 'acct_thief' where root_id = '${rootId}'`,
      `update audit_heads set root_id = 'acct_thief' where root_id = '${rootId}'`,
    );
    rootId = "acct_thief";
    expect(await broken()).toEqual({ position: 1, problem: "was changed" });
  });

  it.each([1, 3])("finds entry %i removed", async (position) => {
    await tamper(`delete from audit_log ${at(position)}`);
    expect(await broken()).toEqual({ position, problem: "is missing" });
  });

  it("finds a removed entry whose followers were moved up and chained to the one before", async () => {
    await tamper(
      `delete from audit_log ${at(3)}`,
      `update audit_log set previous_hash = (select hash from audit_log ${at(2)}) ${at(4)}`,
      `update audit_log set position = 3 ${at(4)}`,
      `update audit_log set position = 4 ${at(5)}`,
      `update audit_heads set position = 4 where root_id = '${rootId}'`,
    );
    expect(await broken()).toEqual({ position: 3, problem: "was changed" });
  });

  it("finds two entries that changed places", async () => {
    await tamper(
      `update audit_log set position = 99 ${at(2)}`,
      `update audit_log set position = 2 ${at(3)}`,
      `update audit_log set position = 3 ${at(99)}`,
    );
    expect(await broken()).toEqual({ position: 2, problem: "does not follow the entry before it" });
  });

  it("finds a chain cut short, to nothing as well", async () => {
    await tamper(`delete from audit_log ${at(5)}`);
    expect(await broken()).toEqual({ position: 5, problem: "is missing: the chain was cut short" });
    await tamper(`delete from audit_log where root_id = '${rootId}'`);
    expect(await broken()).toEqual({ position: 1, problem: "is missing: the chain was cut short" });
  });

  it("finds a recorded end that was changed, moved back or removed", async () => {
    const head = `where root_id = '${rootId}'`;
    await tamper(`update audit_heads set hash = sha256('other') ${head}`);
    expect(await broken()).toEqual({ position: 5, problem: "is not the recorded end" });
    await tamper(`update audit_heads set position = 4, hash = (select hash from audit_log ${at(4)}) ${head}`);
    expect(await broken()).toEqual({ position: 5, problem: "comes after the recorded end" });
    await tamper(`delete from audit_heads ${head}`);
    expect(await broken()).toEqual({ position: 5, problem: "has no recorded end behind it" });
  });

  it("names the first broken entry of each chain, and continues with the next chain", async () => {
    const first = rootId;
    rootId = newId("account");
    for (let n = 1; n <= 3; n++) await append(rootId, `target_${n}`);
    await tamper(`update audit_log set target = 'x' ${at(2)}`, `update audit_log set target = 'x' ${at(3)}`);
    expect(await broken()).toEqual({ position: 2, problem: "was changed" });
    rootId = first;
    await tamper(`update audit_log set target = 'x' ${at(4)}`);
    expect(await broken()).toEqual({ position: 4, problem: "was changed" });
  });
});

describe("the database", () => {
  it.each([
    "update audit_log set target = target",
    "update audit_log set target = target where false or position = 1",
    "delete from audit_log where position = 1",
    "truncate audit_log",
    "truncate audit_log cascade",
  ])("refuses to %s", async (statement) => {
    await expect(sql().unsafe(statement)).rejects.toThrow("permission denied");
    await expect(asOwner((owner) => owner.unsafe(statement))).rejects.toThrow("audit_log is append-only");
    expect(await broken()).toBeUndefined();
  });

  it("keeps nothing of a transaction that fails, and continues without a gap", async () => {
    const failed = db().transaction(async (tx) => {
      const entry = { rootId, chainId: CHAIN, actor: SYSTEM, action: "agent.resumed", target: "rolled back" } as const;
      await appendAudit(tx, entry, new Date());
      throw new Error("rolled back");
    });
    await expect(failed).rejects.toThrow("rolled back");
    await append(rootId, "next");
    const [last] = await sql()`select position, target from audit_log ${sql().unsafe(at(6))}`;
    expect(last).toMatchObject({ position: "6", target: "next" });
    expect(await broken()).toBeUndefined();
  });
});

test("50 entries of one owner written at once make one chain without a gap, the first ones of a chain too", async () => {
  rootId = newId("account");
  await Promise.all(Array.from({ length: 50 }, (_, n) => append(rootId, `target_${n}`)));
  const rows = await sql()<{ position: string; target: string }[]>`
    select position, target from audit_log where root_id = ${rootId} order by position`;
  expect(rows.map(({ position }) => Number(position))).toEqual(Array.from({ length: 50 }, (_, n) => n + 1));
  expect(new Set(rows.map(({ target }) => target)).size).toBe(50);
  expect(await broken()).toBeUndefined();
});

test("an owner's list shows their own entries of one network, newest first, by filter and page", async () => {
  const owner = await Owner.create(CHAIN);
  const root = owner.account.id;
  for (const [target, action] of [
    ["a", "agent.paused"],
    ["b", "agent.resumed"],
    ["a", "agent.resumed"],
  ] as const) {
    await append(root, target, action);
  }
  await append(root, "live", "agent.paused", 4663);
  const list = async (query: Record<string, string>) => {
    const page = await listAuditEntries(owner.session, ListAuditQuery.parse(query));
    return [page.entries.map(({ row }) => `${row.action} ${row.target}`), page.hasMore];
  };
  const [newest, middle, oldest] = ["agent.resumed a", "agent.resumed b", "agent.paused a"];
  expect(await list({})).toEqual([[newest, middle, oldest], false]);
  expect(await list({ action: "agent.resumed" })).toEqual([[newest, middle], false]);
  expect(await list({ target: "a" })).toEqual([[newest, oldest], false]);
  expect(await list({ actor: "system" })).toEqual([[], false]);
  expect(await list({ actor: "key", limit: "2" })).toEqual([[newest, middle], true]);
  expect(await list({ limit: "2", offset: "2" })).toEqual([[oldest], false]);
  const { entries } = await listAuditEntries(owner.session, ListAuditQuery.parse({}));
  const times = entries.map(({ row }) => row.createdAt.toISOString());
  // The bound is exclusive: an entry at exactly that time is left out.
  expect((await list({ from: times[2] ?? "" }))[0]).toEqual(
    times.filter((time) => time > (times[2] ?? "")).map((_, n) => [newest, middle][n]),
  );
  expect((await list({ to: times[2] ?? "" }))[0]).toEqual([]);
  await append(root, "c", "session.created");
  const withoutSignIns = ListAuditQuery.parse({ sign_ins: "hidden", limit: "2" });
  const quiet = await listAuditEntries(owner.session, withoutSignIns);
  expect(quiet.entries.map(({ row }) => `${row.action} ${row.target}`)).toEqual([newest, middle]);
  expect(ListAuditQuery.safeParse({ sign_ins: "shown" }).success).toBe(false);
});
