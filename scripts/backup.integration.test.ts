import { appendFileSync, existsSync, mkdtempSync, readFileSync } from "node:fs";
import path from "node:path";
import postgres from "postgres";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { readArchiveAge } from "@/db/read-archive-age";
import { removeFolder } from "@/scripts/stack/files";
import { freePort } from "@/test/services/free-port";
import { baseBackup } from "./backup/base-backup";
import { restoreBackup } from "./backup/restore-backup";
import { LocalPostgres } from "./stack/postgres";
import { sleep } from "./stack/processes";

let data: string;
let wal: string;
let backup: string;
let options: { data: string; port: number; password: string; appPassword: string; say: () => void };
/** When the log was switched for the second time: rows 1 and 2 are older, row 3 is newer. */
let moment: Date;
let runs = 0;

beforeAll(async () => {
  data = mkdtempSync("/tmp/halcyon-backup-");
  [wal, backup] = [path.join(data, "wal"), path.join(data, "backup")];
  options = { data, port: await freePort(), password: "test", appPassword: "app", say: () => {} };
  await running(async (sql, ownerUrl) => {
    await sql`create table rows (n integer primary key, filler text)`;
    await sql`insert into rows values (1, 'before')`;
    // Write continuously, also while files are copied.
    let writing = true;
    const writer = (async () => {
      for (let n = 1_000; writing; n++) await sql`insert into rows values (${n}, ${"x".repeat(2_000)})`;
    })();
    const { archived } = await baseBackup(ownerUrl, backup);
    expect(archived).toBe(true);
    writing = false;
    await writer;
    await sql`insert into rows values (2, 'after the backup')`;
    const [now] = await sql<{ at: Date }[]>`select clock_timestamp() as at`;
    moment = new Date((now?.at.getTime() ?? 0) + 5);
    await sql`select pg_sleep(0.05)`;
    await sql`insert into rows values (3, 'later')`;
    const [cut] = await sql<{ segment: string }[]>`select pg_walfile_name(pg_switch_wal()) as segment`;
    while (!existsSync(path.join(wal, cut?.segment ?? "?"))) await sleep(50);
    await sql`insert into rows values (4, 'last')`;
  });
});
afterAll(() => removeFolder(data));

/** Runs PostgreSQL on the data folder. Each run archives into its own folder, so that `wal` does not change. */
async function running(use: (sql: postgres.Sql, ownerUrl: string, appUrl: string) => Promise<void>): Promise<void> {
  const walArchive = existsSync(wal) ? path.join(data, `wal-${runs++}`) : wal;
  const server = new LocalPostgres({ ...options, walArchive });
  await server.start();
  const sql = postgres(server.ownerUrl, { max: 3 });
  try {
    await use(sql, server.ownerUrl, server.appUrl);
  } finally {
    await sql.end();
    await server.stop();
  }
}

async function rows(): Promise<number[]> {
  let found: number[] = [];
  await running(async (sql) => {
    found = (await sql<{ n: number }[]>`select n from rows where n < 1000 order by n`).map(({ n }) => n);
  });
  return found;
}

test("a damaged backup is refused, and what is there stays as it is", async () => {
  const copy = path.join(data, "damaged");
  await running(async (_sql, ownerUrl) => void (await baseBackup(ownerUrl, copy)));
  appendFileSync(path.join(copy, "base", "PG_VERSION"), "x");
  await expect(restoreBackup({ ...options, from: copy })).rejects.toThrow(/damaged: PG_VERSION/);
  await expect(restoreBackup({ ...options, from: path.join(data, "none") })).rejects.toThrow(/not a complete backup/);
  expect(await rows()).toEqual([1, 2, 3, 4]);
});

test("the role that the guide creates can back up, and one without its rights reads where they are named", async () => {
  const [sqlOfGuide = ""] =
    /create role halcyon_backup [^`]+/.exec(readFileSync("docs/guides/backups.md", "utf8")) ?? [];
  await running(async (sql, ownerUrl, appUrl) => {
    const [before, copy] = [path.join(data, "by-app"), path.join(data, "by-role")];
    await expect(baseBackup(appUrl, before)).rejects.toThrow(/lacks rights .* docs\/guides\/backups\.md/);
    // It sees where the files are, and may do no more.
    await sql`grant pg_read_all_settings to halcyon_app`;
    await expect(baseBackup(appUrl, before)).rejects.toThrow(/lacks rights/);
    await sql`revoke pg_read_all_settings from halcyon_app`;
    expect(existsSync(before) || existsSync(`${before}.partial`)).toBe(false);
    await sql.unsafe(sqlOfGuide.replace("'…'", "'backup'"));
    const url = new URL(ownerUrl);
    [url.username, url.password] = ["halcyon_backup", "backup"];
    await baseBackup(url.href, copy);
    expect(existsSync(path.join(copy, "backup.json"))).toBe(true);
    // Nothing but copying.
    const role = postgres(url.href, { max: 1 });
    await expect(role`select 1 from rows`).rejects.toThrow(/permission denied/);
    await role.end();
  });
});

test("a backup made while rows are written restores to one moment, without the archived log", async () => {
  const before = await restoreBackup({ ...options, from: backup });
  expect(existsSync(path.join(before ?? "", "PG_VERSION"))).toBe(true);
  expect(await rows()).toEqual([1]);
});

test("with the archived log it restores to a moment, or to all that was archived", async () => {
  await restoreBackup({ ...options, from: backup, wal, until: moment });
  expect(await rows()).toEqual([1, 2]);
  await restoreBackup({ ...options, from: backup, wal });
  // A stop also archives the last segment of the log.
  expect(await rows()).toEqual([1, 2, 3, 4]);
});

test("a moment that the backup or its log does not reach is refused, and what is there stays", async () => {
  const there = await rows();
  const early = new Date(0);
  await expect(restoreBackup({ ...options, from: backup, wal, until: early })).rejects.toThrow(/earlier one/);
  const never = new Date(Date.now() + 86_400_000);
  await expect(restoreBackup({ ...options, from: backup, wal, until: never })).rejects.toThrow(
    /recovery ended before configured recovery target/,
  );
  expect(await rows()).toEqual(there);
});

test("how long nothing was archived is known to web and worker's role, and grows while the archive fails", async () => {
  await running(async (sql, _ownerUrl, appUrl) => {
    const app = postgres(appUrl, { max: 1 });
    const counts = async () => {
      const [row] = await app<{ archived: number; failed: number }[]>`
        select archived_count::int as archived, failed_count::int as failed from pg_stat_archiver`;
      return row ?? { archived: 0, failed: 0 };
    };
    let row = 2_000_000;
    const cut = async () => {
      await sql`insert into rows values (${row++}, 'something to archive')`;
      await sql`select pg_switch_wal()`;
      return counts();
    };
    try {
      const { archived } = await counts();
      const [began] = await sql<{ at: Date }[]>`select clock_timestamp() as at`;
      // The second was archived after the clock was read.
      await vi.waitUntil(async () => (await cut()).archived > archived + 1, { timeout: 60_000 });
      const age = (await readArchiveAge(app)) ?? Number.NaN;
      const [since] = await sql<{ seconds: number }[]>`
        select extract(epoch from clock_timestamp() - ${began?.at ?? ""}::timestamptz)::float8 as seconds`;
      expect(age).toBeGreaterThanOrEqual(0);
      expect(age).toBeLessThanOrEqual(since?.seconds ?? 0);

      // The archive may just be writing there.
      removeFolder(path.join(data, `wal-${runs - 1}`));
      await vi.waitUntil(async () => (await cut()).failed > 0, { timeout: 60_000 });
      const failing = (await readArchiveAge(app)) ?? Number.NaN;
      await cut();
      expect(await readArchiveAge(app)).toBeGreaterThan(failing);
    } finally {
      await app.end();
    }
  });
});
