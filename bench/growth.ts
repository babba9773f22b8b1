import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { platform } from "node:os";
import path from "node:path";
import postgres from "postgres";
import { migrate } from "@/db/migrate";
import { seedRows } from "@/scripts/seed/seed-rows";
import { ROOT } from "@/scripts/stack/config";
import { LocalPostgres } from "@/scripts/stack/postgres";
import { freePort } from "@/test/services/free-port";
import { setLocalEnv } from "@/test/services/local-env";
import { createDatabase, type DatabaseUrls, databaseName } from "@/test/services/postgres-server";
import { exactCpuMs } from "./cpu";
import {
  FLOOR_BLOCKS,
  FLOOR_MS,
  faultOf,
  GOAL,
  type Measurement,
  type Pair,
  ratioOf,
  takesLonger,
} from "./growth/judge";
import { PlanLog, scannedWhole, shapeOf } from "./growth/plans";
import type { Took, Wanted } from "./growth/reader";
import { CHAIN, LEDGER, place } from "./growth/seeded";
import { median, quantile, round } from "./measure";

const FEW = 10_000;
const MANY = Number(process.env.HALCYON_BENCH_TRANSFERS ?? 1_000_000);
/** Parts of the names of the reads to measure, separated by `|`; empty: all of them. */
const NAMED = (process.env.HALCYON_BENCH_READS ?? "").split("|");
const FLOORS = { ms: FLOOR_MS, blocks_an_entry: FLOOR_BLOCKS };
const ROUNDS = 10;
const MOST_ROUNDS = 60;
const CALLS = 20;
/** A table of fewer rows is read from end to end at no cost: relayers, chains, days. */
const MANY_ROWS = 1_000;
const SETTINGS = [
  "fsync=off",
  "synchronous_commit=off",
  "max_connections=100",
  "wal_level=minimal",
  "max_wal_senders=0",
  "full_page_writes=off",
  "autovacuum=off",
  "max_wal_size=8GB",
  "shared_buffers=1GB",
  "maintenance_work_mem=512MB",
  "shared_preload_libraries=pg_stat_statements,auto_explain",
  "auto_explain.log_format=json",
  "log_line_prefix=%u@%d ",
];

/** A database, and the process that reads it. */
interface Side {
  reader: ChildProcess;
  /** Rejects when the reader ends. */
  ended: Promise<never>;
  reads: string[];
  times: number[];
  /** CPU of PostgreSQL for one call, in milliseconds, a number for each round. */
  cpu: number[];
  urls: DatabaseUrls;
}

/**
 * Runs every list and look-up of the product in two databases, with ten thousand and with a million transfers, half of
 * which belong to the reading account. Rounds alternate. Other load on the machine adds to times and never takes away,
 * so the fastest tenth of the calls counts, and the cheapest round of CPU. `noise` compares the small database with
 * itself, in every second round. `faults` names the reads that grow (bench/growth/judge.ts); with one of them the
 * command fails. `HALCYON_BENCH_TRANSFERS` sets another size, and `HALCYON_BENCH_READS` measures only reads whose names
 * contain one of some texts.
 */
export async function run(): Promise<Record<string, unknown>> {
  const data = mkdtempSync("/tmp/halcyon-growth-");
  const passwords = { password: "bench", appPassword: "app" };
  const plans = new PlanLog();
  const own = { data, port: await freePort(), settings: SETTINGS, logged: plans.receive, say: () => {} };
  const server = new LocalPostgres({ ...own, ...passwords });
  const sides: Side[] = [];
  const work = async () => {
    await server.start();
    await migrate(server.ownerUrl, server.appUrl);
    const main = { MIGRATION_DATABASE_URL: server.ownerUrl, DATABASE_URL: server.appUrl };
    const started = performance.now();
    for (const transfers of [FEW, MANY]) sides.push(await open(main, transfers));
    const filled = Math.round((performance.now() - started) / 1000);
    const gigabytes = await Promise.all(sides.map(gigabytesOf));
    const [few, many] = sides;
    if (!few || !many) throw new Error("there are two databases");
    const figures = { transfers: [FEW, MANY], gigabytes, seconds_to_fill: filled };
    return { ...figures, ...(await compareAll([few, many], plans)), goals: { ratio: `<= ${GOAL}`, floor: FLOORS } };
  };
  try {
    // Ctrl-C deletes the databases too.
    return await Promise.race([work(), once(process, "SIGINT").then(() => Promise.reject(new Error("stopped")))]);
  } finally {
    for (const { reader } of sides) reader.kill();
    await server.stop();
    rmSync(data, { recursive: true, force: true });
  }
}

async function open(server: DatabaseUrls, transfers: number): Promise<Side> {
  const urls = await createDatabase(server, `growth_${transfers}`);
  await asAdmin(urls, async (sql) => {
    await sql`create extension if not exists pg_stat_statements`;
    await seedRows(sql, { chainId: CHAIN, transfers, bare: true });
  });
  setLocalEnv({
    ...urls,
    HALCYON_LOCAL_CHAINS: "46630",
    RPC_URL_46630: "http://127.0.0.1:1",
    RPC_URL_4663: "http://127.0.0.1:1",
    LEDGER_ADDRESS_46630: LEDGER,
    LEDGER_ADDRESS_4663: LEDGER,
    USDG_ADDRESS_46630: place(0),
  });
  const reader = fork(path.join(ROOT, "scripts/run.mjs"), ["bench/growth/reader.ts", String(transfers)]);
  const ended = once(reader, "exit").then(() => {
    throw new Error("a reader ended; its words are above");
  });
  // Readers are killed at the end, when nothing awaits this any more.
  ended.catch(() => {});
  const [reads] = (await Promise.race([once(reader, "message"), ended])) as [string[]];
  return { reader, ended, reads, times: [], cpu: [], urls };
}

type Sides = readonly [few: Side, many: Side];

async function compareAll(sides: Sides, plans: PlanLog): Promise<Record<string, unknown>> {
  const grown = await tablesOfMany(sides[1]);
  const rows: Row[] = [];
  const noise: number[] = [];
  console.error(HEAD);
  for (const read of sides[0].reads.filter((name) => NAMED.some((part) => name.includes(part)))) {
    const { noise: own, ...row } = await compare(sides, read, { plans, grown }).catch((error: unknown) => {
      if (error instanceof ReadFailed) return failed(read, error.message);
      throw error;
    });
    rows.push(row);
    noise.push(own);
    console.error(lineOf(row));
  }
  const faults = Object.fromEntries(rows.flatMap(({ read, fault }) => (fault ? [[read, fault]] : [])));
  for (const [read, fault] of Object.entries(faults)) console.error(`GROWS: "${read}" ${fault}`);
  const ofAll = (ratios: number[]) => ({ median: round(median(ratios)), worst: round(Math.max(...ratios)) });
  const ratios = {
    time: ofAll(rows.map(({ ms }) => ratioOf(ms))),
    cpu: ofAll(rows.map(({ cpu }) => ratioOf(cpu))),
    blocks: ofAll(rows.map(({ blocks }) => ratioOf(blocks))),
    noise: ofAll(noise),
  };
  const other = rows.filter(({ plan }) => plan !== "same").length;
  return { reads: rows, ratios, other_plans: `${other} of ${rows.length}`, faults };
}

/** A read that did not find what it reads, in either database. */
class ReadFailed extends Error {}

const NOTHING = [0, 0] as const;
const failed = (read: string, fault: string): Row & { noise: number } => {
  return { read, ms: NOTHING, cpu: NOTHING, blocks: NOTHING, scanned: [], plan: "same", fault, noise: 1 };
};

/** Measures one read in both databases. */
async function compare(
  sides: Sides,
  read: string,
  { plans, grown }: { plans: PlanLog; grown: ReadonlySet<string> },
): Promise<Row & { noise: number }> {
  const [few, many] = sides;
  // Warm up, so that statements are prepared and their plans fixed before the count.
  for (const side of sides) await ask(side, { read, times: 10 });
  for (const side of sides) [side.times, side.cpu] = [[], []];
  await asAdmin(few.urls, (sql) => sql`select pg_stat_statements_reset()`);
  const processes = new Map(await Promise.all(sides.map(async (side) => [side, await backends(side)] as const)));
  const figures = () => ({
    ms: [fastest(few.times), fastest(many.times)] as const,
    cpu: [Math.min(...few.cpu), Math.min(...many.cpu)] as const,
  });
  // What is above the goal may be other load: more rounds come closer to what a call takes by itself.
  for (let at = 0; at < ROUNDS || (at < MOST_ROUNDS && takesLonger(figures())); at++) {
    for (const side of at % 2 === 0 ? sides : sides.toReversed()) {
      const before = spent(processes.get(side));
      side.times.push(...(await ask(side, { read, times: CALLS })));
      side.cpu.push((spent(processes.get(side)) - before) / CALLS);
    }
  }
  const [a, b] = await Promise.all(sides.map(blocksOf));
  const [before, after] = await plansOf(sides, read, plans);
  const halves = [0, 1].map((half) => fastest(few.times.filter((_, at) => Math.floor(at / CALLS) % 2 === half)));
  const scanned = [...new Set((after ?? []).flatMap(scannedWhole))].filter((table) => grown.has(table));
  const measured: Measurement = { ...figures(), blocks: [a ?? 0, b ?? 0], scanned };
  const shapes = [before, after].map((each = []) => [...new Set(each.map(shapeOf))].sort());
  const plan = JSON.stringify(shapes[0]) === JSON.stringify(shapes[1]) ? "same" : { few: shapes[0], many: shapes[1] };
  const noise = Math.max(...halves) / Math.min(...halves);
  return { read, ...measured, plan, fault: faultOf(read, measured), noise };
}

const fastest = (times: readonly number[]) => quantile(times, 0.1);

/** Runs a read once more in each database, and returns the plans of its statements. */
async function plansOf(sides: Sides, read: string, plans: PlanLog) {
  const [few] = sides;
  const logging = (on: boolean) =>
    asAdmin(few.urls, async (sql) => {
      await sql.unsafe(`alter system set auto_explain.log_min_duration = ${on ? 0 : -1}`);
      await sql`select pg_reload_conf()`;
    });
  const found = (side: Side) => plans.plansOf(databaseName(side.urls.DATABASE_URL));
  await logging(true);
  // Each process takes the new setting with a statement some time after the signal.
  let logged = [0, 0];
  for (let [again, tries] = [0, 0]; again < 2 && tries < MOST_ROUNDS; tries++) {
    plans.clear();
    for (const side of sides) await ask(side, { read, times: 1 });
    // What a process logs before it responds comes before what is logged after that.
    const mark = `all of ${read}`;
    await asAdmin(few.urls, (sql) => sql.unsafe(`do $$ begin raise log '${mark.replaceAll("'", "''")}'; end $$`));
    await plans.until(`  ${mark}\n`);
    const now = sides.map((side) => found(side).length);
    again = now.every((count, at) => count > 0 && count === logged[at]) ? again + 1 : 0;
    logged = now;
  }
  await logging(false);
  return sides.map(found);
}

/** Returns the tables that have many rows. */
async function tablesOfMany({ urls }: Side): Promise<ReadonlySet<string>> {
  return asAdmin(urls, async (sql) => {
    const rows = await sql<{ name: string }[]>`
      select coalesce(pg_partition_root(oid), oid)::regclass::text as name from pg_class
      where relkind = 'r' and relnamespace = 'public'::regnamespace group by 1 having sum(reltuples) > ${MANY_ROWS}`;
    return new Set(rows.map(({ name }) => name));
  });
}

/** Returns the PostgreSQL processes that serve a reader. */
async function backends({ urls }: Side): Promise<number[]> {
  return asAdmin(urls, async (sql) => {
    const rows = await sql<{ pid: number }[]>`
      select pid from pg_stat_activity where datname = current_database() and usename = 'halcyon_app'`;
    return rows.map(({ pid }) => pid);
  });
}

/** Returns the CPU milliseconds that processes have used; not a number where the system doesn't report it. */
const spent = (pids: readonly number[] = []): number =>
  platform() === "linux" ? pids.reduce((sum, pid) => sum + exactCpuMs(pid), 0) : Number.NaN;

async function gigabytesOf({ urls }: Side): Promise<number> {
  return asAdmin(urls, async (sql) => {
    const [row] = await sql<{ bytes: number }[]>`select pg_database_size(current_database())::float as bytes`;
    return round((row?.bytes ?? 0) / 1e9);
  });
}

/** Returns the blocks read by all statements since the last reset, per call. */
async function blocksOf({ urls, times }: Side): Promise<number> {
  return asAdmin(urls, async (sql) => {
    const [row] = await sql<{ blocks: number }[]>`
      select coalesce(sum(shared_blks_hit + shared_blks_read), 0)::float as blocks from pg_stat_statements
      where dbid = (select oid from pg_database where datname = current_database())
        and userid = (select oid from pg_roles where rolname = 'halcyon_app')`;
    return (row?.blocks ?? 0) / times.length;
  });
}

async function ask({ reader, ended }: Side, wanted: Wanted): Promise<number[]> {
  reader.send(wanted);
  const [result] = (await Promise.race([once(reader, "message"), ended])) as [Took];
  if ("failed" in result) throw new ReadFailed(result.failed);
  return result.took;
}

async function asAdmin<T>({ MIGRATION_DATABASE_URL: url }: DatabaseUrls, work: (sql: postgres.Sql) => PromiseLike<T>) {
  const sql = postgres(url, { max: 1, onnotice: () => {}, fetch_types: false });
  try {
    return await work(sql);
  } finally {
    await sql.end();
  }
}

/** A read, with what it takes in both databases. */
interface Row extends Measurement {
  read: string;
  /** The plans of both databases, where they differ. */
  plan: "same" | { few: string[] | undefined; many: string[] | undefined };
  /** How it grows with the number of rows; null if it does not. */
  fault: string | null;
}

/** The head of a table of reads, in Markdown. */
const HEAD =
  "| read | ms, few | many | ratio | CPU, few | many | ratio | blocks, few | many | plan |\n|---|---|---|---|---|---|---|---|---|---|";

/** Returns a read's line in the table. */
function lineOf({ read, ms, cpu, blocks, plan, fault }: Row): string {
  const both = (pair: Pair) => pair.map(round).join(" | ");
  const compared = (pair: Pair) => `${both(pair)} | ${ratioOf(pair).toFixed(2)}`;
  const how = plan === "same" ? "same" : "different";
  return `| ${read} | ${compared(ms)} | ${compared(cpu)} | ${both(blocks)} | ${fault ? `${how}; ${fault}` : how} |`;
}
