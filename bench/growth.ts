import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import path from "node:path";
import postgres from "postgres";
import { migrate } from "@/db/migrate";
import { seedRows } from "@/scripts/seed/seed-rows";
import { ROOT } from "@/scripts/stack/config";
import { LocalPostgres } from "@/scripts/stack/postgres";
import { freePort } from "@/test/services/free-port";
import { setLocalEnv } from "@/test/services/local-env";
import { createDatabase, type DatabaseUrls } from "@/test/services/postgres-server";
import type { Wanted } from "./growth-reader";
import { median, round } from "./measure";

const FEW = 10_000;
const MANY = Number(process.env.HALCYON_BENCH_TRANSFERS ?? 1_000_000);
const ROUNDS = 7;
const CALLS = 20;
const SETTINGS = [
  "fsync=off",
  "synchronous_commit=off",
  "max_connections=100",
  "max_wal_size=4GB",
  "shared_buffers=256MB",
  "shared_preload_libraries=pg_stat_statements",
];

/** A database and a process that reads it. */
interface Side {
  reader: ChildProcess;
  /** Throws when the reader ends. */
  ended: Promise<never>;
  reads: string[];
  times: number[];
  urls: DatabaseUrls;
}

/**
 * Every list and look-up among a million transfers and among ten thousand, half of them the reader's own: in alternating
 * rounds, so that what else the machine does slows both alike. Blocks are what PostgreSQL touched for one call.
 * `HALCYON_BENCH_TRANSFERS` names another size.
 */
export async function run(): Promise<Record<string, unknown>> {
  const data = mkdtempSync("/tmp/halcyon-growth-");
  const passwords = { password: "bench", appPassword: "app" };
  const server = new LocalPostgres({ data, port: await freePort(), ...passwords, settings: SETTINGS, say: () => {} });
  const sides: Side[] = [];
  try {
    await server.start();
    await migrate(server.ownerUrl, server.appUrl);
    const main = { MIGRATION_DATABASE_URL: server.ownerUrl, DATABASE_URL: server.appUrl };
    const started = performance.now();
    for (const transfers of [FEW, MANY]) sides.push(await open(main, transfers));
    const filled = Math.round((performance.now() - started) / 1000);
    return { transfers: [FEW, MANY], seconds_to_fill: filled, ...(await compare(sides)), goals: { ratio: "<= 1.2" } };
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
    await seedRows(sql, { chainId: 46630, transfers });
  });
  setLocalEnv({
    ...urls,
    HALCYON_LOCAL_CHAINS: "46630",
    RPC_URL_46630: "http://127.0.0.1:1",
    RPC_URL_4663: "http://127.0.0.1:1",
    LEDGER_ADDRESS_46630: `0x${"1".repeat(40)}`,
    LEDGER_ADDRESS_4663: `0x${"1".repeat(40)}`,
  });
  const reader = fork(path.join(ROOT, "scripts/run.mjs"), ["bench/growth-reader.ts", String(transfers)]);
  const ended = once(reader, "exit").then(() => {
    throw new Error("a reader ended; its words are above");
  });
  // Killed at the end, when no one waits for it any more.
  ended.catch(() => {});
  const [reads] = (await Promise.race([once(reader, "message"), ended])) as [string[]];
  return { reader, ended, reads, times: [], urls };
}

async function compare([few, many]: Side[]): Promise<Record<string, unknown>> {
  if (!few || !many) throw new Error("there are two databases");
  const figures: Record<string, unknown> = {};
  const ratios: Record<"time" | "blocks", number[]> = { time: [], blocks: [] };
  for (const read of few.reads) {
    // Statements are prepared, and planned for good, before they are counted.
    for (const side of [few, many]) await ask(side, { read, times: 10 });
    for (const side of [few, many]) side.times = [];
    await asAdmin(few.urls, (sql) => sql`select pg_stat_statements_reset()`);
    for (let round = 0; round < ROUNDS; round++) {
      for (const side of round % 2 === 0 ? [few, many] : [many, few]) {
        side.times.push(...(await ask(side, { read, times: CALLS })));
      }
    }
    const [a, b] = await Promise.all([few, many].map(blocksOf));
    const ms = [median(few.times), median(many.times)] as const;
    const ratio = round(ms[1] / ms[0]);
    ratios.time.push(ratio);
    ratios.blocks.push((b ?? 0) / (a || 1));
    figures[read] = { ms: ms.map(round), blocks: [a, b], ratio };
  }
  return {
    reads: figures,
    ratios: {
      time: median(ratios.time),
      time_worst: Math.max(...ratios.time),
      blocks_worst: round(Math.max(...ratios.blocks)),
    },
  };
}

/** Blocks of all statements since the last reset, for one call. */
async function blocksOf({ urls }: Side): Promise<number> {
  return asAdmin(urls, async (sql) => {
    const [row] = await sql<{ blocks: number }[]>`
      select coalesce(sum(shared_blks_hit + shared_blks_read), 0)::float as blocks from pg_stat_statements
      where dbid = (select oid from pg_database where datname = current_database())
        and userid = (select oid from pg_roles where rolname = 'halcyon_app')`;
    return round((row?.blocks ?? 0) / (ROUNDS * CALLS));
  });
}

async function ask({ reader, ended }: Side, wanted: Wanted): Promise<number[]> {
  reader.send(wanted);
  const [took] = (await Promise.race([once(reader, "message"), ended])) as [number[]];
  return took;
}

async function asAdmin<T>({ MIGRATION_DATABASE_URL: url }: DatabaseUrls, work: (sql: postgres.Sql) => PromiseLike<T>) {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    return await work(sql);
  } finally {
    await sql.end();
  }
}
