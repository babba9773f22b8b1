import postgres from "postgres";
import { encodeTime } from "ulid";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { startMaintenance } from "@/scripts/stack/maintenance";
import { asOwner } from "@/test/services/as-owner";
import { type LocalDatabase, startLocalDatabase } from "@/test/services/local-database";
import { againWhenLocked } from "./again-when-locked";
import { sql } from "./client";
import { maintain } from "./maintain";
import {
  monthsAhead,
  PARTITIONED_TABLES,
  type PartitionedTable,
  readPartitions,
  startOfMonth,
  timeOfId,
} from "./partitions";

const DAY = 86_400_000;
const KEEP = { eventDays: null, auditDays: null };
let database: LocalDatabase;
/** A time in the month in which the database was migrated. */
let now: Date;

const urls = () => [process.env.MIGRATION_DATABASE_URL ?? "", process.env.DATABASE_URL ?? ""] as const;
const month = (later: number) => startOfMonth(now, later);
const nameOf = (table: PartitionedTable, later: number) =>
  `${table}_${month(later).toISOString().slice(0, 7).replace("-", "_")}`;

let n = 0;
const iso = (at: Date) => at.toISOString();
const id = (prefix: string, at: Date) => `${prefix}${encodeTime(at.getTime(), 10)}${String(n++).padStart(16, "0")}`;

const event = (at: Date, source: string | null = null, eventId = id("evt_", at)) => sql()`
  insert into events (id, account_id, root_id, chain_id, type, payload, source, created_at)
  values (${eventId}, 'acct_1', 'acct_1', 46630, 'transfer.initiated', '{}', ${source}, ${iso(at)})`;

async function delivery(at: Date): Promise<void> {
  const deliveryId = id("dlv_", at);
  await sql()`
    insert into webhook_deliveries (id, webhook_id, event_id, event, url, trigger, status, due_at, created_at)
    values (${deliveryId}, 'wh_1', 'evt_1', 'transfer.initiated', '', 'automatic', 'pending', ${iso(at)}, ${iso(at)})`;
  await sql()`
    insert into webhook_queue (delivery_id, webhook_id, event_id, trigger, due_at, created_at)
    values (${deliveryId}, 'wh_1', 'evt_1', 'automatic', ${iso(at)}, ${iso(at)})`;
}

/** Counts the rows in each partition of a table. */
const rowsOf = (table: PartitionedTable) =>
  asOwner(async (owner) => {
    const rows = await owner`select tableoid::regclass::text as name, count(*)::int as rows
      from ${owner(table)} group by 1 order by 1`;
    return Object.fromEntries(rows.map(({ name, rows }) => [name, rows]));
  });

beforeAll(async () => {
  database = await startLocalDatabase();
  const [first] = await readPartitions(sql(), "events");
  now = new Date(startOfMonth(timeOfId("events", first?.end ?? ""), -1).getTime() + 10 * DAY);
});
afterAll(() => database?.stop());

describe("partitions by month", () => {
  test("are made for months to come, once, however many make them", async () => {
    const runs = await Promise.all([1, 2].map(() => maintain(...urls(), KEEP, now)));
    const names = PARTITIONED_TABLES.flatMap((table) => [2, 3, 4].map((later) => nameOf(table, later)));
    expect(runs.flatMap((one) => one.created).sort()).toEqual(names.sort());
    for (const table of PARTITIONED_TABLES) {
      const partitions = await readPartitions(sql(), table);
      const later = [1, 2, 3, 4].map((one) => nameOf(table, one));
      expect(partitions.map(({ name }) => name)).toEqual([`${table}_start`, ...later]);
      expect(monthsAhead(table, partitions, now)).toBe(3);
    }
  });

  test("are not made or dropped by a wrong clock", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 11 * 60_000 });
    try {
      await expect(maintain(...urls(), KEEP)).rejects.toThrow("this machine's clock says");
      // `npm start` reports the failure and continues.
      const said: string[] = [];
      (await startMaintenance(...urls(), (line) => said.push(line)))();
      expect(said).toEqual([expect.stringContaining("not maintained: nothing was made or dropped")]);
    } finally {
      vi.useRealTimers();
    }
  });

  test("refuse no row for a run that was killed, or failed, in between", async () => {
    const checks = () =>
      asOwner((owner) => owner`select conname from pg_constraint where contype = 'c' and conname like '%_bound'`);
    const last = nameOf("events", 4);
    await asOwner((owner) =>
      owner.unsafe(`alter table ${last} add constraint ${last}_bound check (id < '') not valid`),
    );
    expect((await maintain(...urls(), KEEP, now)).created).toEqual([]);
    expect(await checks()).toEqual([]);
    const next = nameOf("events", 5);
    await asOwner((owner) => owner.unsafe(`create table ${next} ()`));
    await expect(maintain(...urls(), KEEP, month(1))).rejects.toThrow("already exists");
    expect(await checks()).toEqual([]);
    await asOwner((owner) => owner.unsafe(`drop table ${next}`));
  });

  test("have the indexes, the room and the triggers of the one before, and no rights of their own", async () => {
    const shapes = await asOwner(
      (owner) => owner<{ parent: string; shapes: number }[]>`
        select i.inhparent::regclass::text as parent, count(distinct (
          c.reloptions::text, c.relacl::text like '%halcyon_app%',
          (select array_agg(d.def order by d.def) from pg_index x, lateral (
            select regexp_replace(pg_get_indexdef(x.indexrelid), '^.*USING', x.indisunique::text) as def
          ) d where x.indrelid = c.oid),
          (select array_agg(t.tgname order by t.tgname) from pg_trigger t where t.tgrelid = c.oid)
        ))::int as shapes
        from pg_inherits i join pg_class c on c.oid = i.inhrelid where c.relkind = 'r' group by 1 order by 1`,
    );
    expect(shapes).toEqual([...PARTITIONED_TABLES].sort().map((parent) => ({ parent, shapes: 1 })));
  });

  test("hold the rows of their time, under ids that are unique over all", async () => {
    for (const later of [0, 1, 3, 9]) await event(month(later));
    expect(await rowsOf("events")).toEqual({
      events_start: 1,
      [nameOf("events", 1)]: 1,
      [nameOf("events", 3)]: 1,
      [nameOf("events", 4)]: 1,
    });
    const twice = id("evt_", month(3));
    await event(month(3), null, twice);
    await expect(event(month(0), null, twice)).rejects.toMatchObject({ code: "23505" });
    await event(month(0), "46630/0x01/0");
    await expect(event(month(3), "46630/0x01/0")).rejects.toMatchObject({ code: "23505" });
  });

  test("lose nothing where maintenance did not run for most of a year", async () => {
    const late = new Date(month(8).getTime() + 10 * DAY);
    await event(late);
    const before = await sql()`select id from events order by id`;
    await maintain(...urls(), KEEP, late);
    expect(await sql()`select id from events order by id`).toEqual(before);
    const partitions = await readPartitions(sql(), "events");
    // One row is from the following month, written under a clock that was ahead.
    expect(partitions.map(({ name }) => name).slice(-4)).toEqual([4, 10, 11, 12].map((one) => nameOf("events", one)));
    expect(monthsAhead("events", partitions, late)).toBe(3);
  });
});

describe("retention", () => {
  const daysOn = (days: number) => new Date(month(1).getTime() + days * DAY);

  test("drops months in which everything is old, and what waited to be sent of them", async () => {
    await delivery(month(0));
    await delivery(month(1));
    expect((await maintain(...urls(), KEEP, daysOn(100))).dropped).toEqual([]);
    expect((await maintain(...urls(), { eventDays: 90, auditDays: null }, daysOn(89))).dropped).toEqual([]);
    const { dropped } = await maintain(...urls(), { eventDays: 90, auditDays: null }, daysOn(90));
    expect(dropped).toEqual(["events_start", "webhook_deliveries_start"]);
    expect(await rowsOf("webhook_deliveries")).toEqual({ [nameOf("webhook_deliveries", 1)]: 1 });
    expect(await sql()`select from webhook_queue`).toHaveLength(1);
    expect(await sql()`select source from event_sources`).toHaveLength(1);
  });

  test("goes by the rows, not by their ids alone", async () => {
    const young = daysOn(40);
    const old = id("evt_", month(1));
    await event(young, null, old);
    const days = { eventDays: 2, auditDays: null };
    const { dropped, kept } = await maintain(...urls(), days, new Date(month(2).getTime() + 3 * DAY));
    expect(dropped).toEqual([nameOf("webhook_deliveries", 1)]);
    expect(kept).toEqual([`${nameOf("events", 1)}: ${old} is not old enough`]);
  });
});

describe("lists", () => {
  /** Half of the rows belong to one owner; the others have one row each. On average an owner has few. */
  const whose = "case n % 2 when 0 then 1 else n end";

  beforeAll(async () => {
    await asOwner(async (owner) => {
      const at = (prefix: string) => `'${prefix}${encodeTime(month(10).getTime(), 10)}' || lpad(n::text, 16, '0')`;
      await owner.unsafe(`
        insert into events (id, account_id, root_id, chain_id, type, payload, created_at)
        select ${at("evt_")}, 'acct_' || ${whose}, 'acct_' || ${whose}, 46630, 'transfer.confirmed', '{}', now()
        from generate_series(1, 5000) n;
        insert into webhook_deliveries (id, webhook_id, event_id, event, url, trigger, status, exhausted_at, due_at, created_at)
        select ${at("dlv_")}, 'wh_' || ${whose}, 'evt_1', 'transfer.confirmed', '', 'automatic', 'exhausted', now(),
          now(), now() from generate_series(1, 5000) n;
        insert into audit_log (id, root_id, chain_id, position, actor_type, action, target, created_at, previous_hash, hash)
        select ${at("aud_")}, 'acct_' || ${whose}, 46630, n, 'system', 'a.b', 'c', now(), '', ''
        from generate_series(1, 5000) n`);
      // Maintenance does the same. PostgreSQL then knows that the partitions of future months are empty.
      for (const table of PARTITIONED_TABLES) await owner`vacuum analyze ${owner(table)}`;
    });
  });

  /** Returns the generic plan, which serves every account, on a connection of the service. */
  const plan = (query: string, parameters: string) =>
    sql().begin(async (tx) => {
      await tx`select set_config('plan_cache_mode', 'force_generic_plan', true)`;
      await tx.unsafe(`prepare list as ${query}`);
      const rows = await tx.unsafe(`explain execute list(${parameters})`);
      await tx.unsafe("deallocate list");
      return rows.map((row) => String(row["QUERY PLAN"])).join("\n");
    });
  const scans = (text: string) => text.match(/(Seq|Index|Index Only|Bitmap Heap) Scan/g) ?? [];
  const events = "select payload from events where root_id = $1 and chain_id = 46630";
  const order = "order by created_at desc, id desc limit $2";

  test.each([
    [`${events} ${order}`, "'acct_1', 21"],
    [`${events} and (created_at, id) < ($3, $4) and id < $5 ${order}`, "'acct_1', 21, now(), 'evt_1', 'evt_1'"],
    [`${events} and type = $3 ${order}`, "'acct_1', 21, 'transfer.confirmed'"],
    ["select * from webhook_deliveries where webhook_id = $1 order by id desc limit $2", "'wh_1', 21"],
    [
      "select * from webhook_deliveries where webhook_id = $1 and exhausted_at is not null order by id desc limit $2",
      "'wh_1', 21",
    ],
    [
      "select * from audit_log where root_id = $1 and chain_id = 46630 and position < $3 order by position desc limit $2",
      "'acct_1', 21, 9",
    ],
  ])("are read in their order from the index of each partition: %s", async (query, parameters) => {
    const text = await plan(query, parameters);
    expect(text).not.toMatch(/Seq Scan|-> {2}(Incremental )?Sort/);
  });

  test("read only partitions of their time, and look-ups one", async () => {
    const bound = `'evt_${encodeTime(month(10).getTime(), 10)}'`;
    const all = scans(await plan(`${events} ${order}`, "'acct_1', 21")).length;
    const some = await plan(`${events} and id >= $3 ${order}`, `'acct_1', 21, ${bound}`);
    expect([all > 3, scans(some).length]).toEqual([true, 3]);
    expect(
      scans(await plan("select payload from events where id = $1", `${bound} || '0000000000000001'`)),
    ).toHaveLength(1);
  });
});

test("what locks a table that others use gives up soon, changes nothing, and tries again until it can", async () => {
  const [owner, other] = [1, 2].map(() => postgres(urls()[0], { max: 1, onnotice: () => {} })) as [
    postgres.Sql,
    postgres.Sql,
  ];
  try {
    const busy = await other.reserve();
    await busy`begin`;
    await busy`select from webhook_deliveries`;
    let attempts = 0;
    const lock = () =>
      owner.begin(async (tx) => {
        attempts += 1;
        await tx`insert into event_sources (source) values (${`attempt ${attempts}`})`;
        if (attempts === 3) await busy`commit`;
        await tx`set local lock_timeout = '20ms'`;
        await tx`lock table webhook_deliveries`;
      });
    await expect(againWhenLocked([], lock)).rejects.toMatchObject({ code: "55P03" });
    await againWhenLocked([1, 1, 1], lock);
    expect(attempts).toBe(3);
    expect(await owner`select source from event_sources where source like 'attempt%'`).toEqual([
      { source: "attempt 3" },
    ]);
    busy.release();
  } finally {
    await Promise.all([owner.end(), other.end({ timeout: 1 })]);
  }
});
