import { relaxedSql } from "@/db/client";

// Commits in this file don't wait for the disk. If the machine crashes, a run that was lost is made again.

/** A job that a worker has taken. */
export interface TakenJob {
  name: string;
  key: string;
  input: unknown;
  /** 1 for the first run since the last success. */
  attempt: number;
  revision: number;
}

interface Taking {
  /** The id of the worker that takes the jobs. */
  worker: string;
  /** Names of the jobs it knows. A worker of another release may know others. */
  names: string[];
  now: Date;
  until: Date;
  limit: number;
}

/** Returns the time by the database's clock, which all workers share. */
export async function databaseTime(): Promise<Date> {
  const [row] = await relaxedSql()<{ now: Date }[]>`select clock_timestamp() as now`;
  if (!row) throw new Error("the database has no clock");
  return row.now;
}

/**
 * Takes due jobs for this worker alone until `until`, those due longest first. Includes jobs whose worker's lease has
 * ended.
 */
export function takeJobs({ worker, names, now, until, limit }: Taking): Promise<TakenJob[]> {
  return relaxedSql()<TakenJob[]>`
    update jobs set lease = ${worker}, lease_until = ${until}::timestamptz, attempt = attempt + 1
    where (name, key) in (
      select name, key from jobs
      where next_run <= ${now}::timestamptz and name = any(${names})
        and (lease is null or lease_until <= ${now}::timestamptz)
      order by next_run limit ${limit}::int for update skip locked)
    returning name, key, input, attempt, revision`;
}

/** Returns when the next free job of these names is due; null if there is none. */
export async function nextJobAt(names: string[], now: Date): Promise<Date | null> {
  const [row] = await relaxedSql()<{ at: Date | null }[]>`
    select min(next_run) as at from jobs
    where name = any(${names}) and (lease is null or lease_until <= ${now}::timestamptz)`;
  return row?.at ?? null;
}

/** Identifies a job. */
type JobId = Pick<TakenJob, "name" | "key">;

/** Extends a worker's leases until `until`. Returns the jobs that still belong to it, as {@link idOf} names them. */
export async function keepJobs(worker: string, list: readonly JobId[], until: Date): Promise<Set<string>> {
  const rows = await relaxedSql()<JobId[]>`
    update jobs j set lease_until = ${until}::timestamptz
    from unnest(${list.map(({ name }) => name)}::text[], ${list.map(({ key }) => key)}::text[]) mine(name, key)
    where j.name = mine.name and j.key = mine.key and j.lease = ${worker}
    returning j.name, j.key`;
  return new Set(rows.map(idOf));
}

/** Returns a job's identity as a single text. */
export const idOf = ({ name, key }: JobId): string => `${name}/${key}`;

/** How a job's row changes after a run. */
export interface JobEnd {
  /** When to run next; null: never. */
  nextRun: Date | null;
  /** 0 after a success. */
  attempt: number;
  /** Whether the job is finished. Its row is then deleted, unless the job was scheduled again in the meantime. */
  done: boolean;
}

/**
 * Releases a job after a run. If it was scheduled again during the run, it keeps that time. Does nothing if another
 * worker has taken it in the meantime.
 */
export async function endJob(worker: string, { name, key, revision }: TakenJob, end: JobEnd): Promise<void> {
  const sql = relaxedSql();
  if (end.done) {
    const { count } = await sql`
      delete from jobs where name = ${name} and key = ${key} and lease = ${worker} and revision = ${revision}`;
    if (count > 0) return;
  }
  await sql`
    update jobs set lease = null, lease_until = null,
      next_run = case when revision = ${revision} then ${end.nextRun}::timestamptz else next_run end,
      attempt = case when revision = ${revision} then ${end.attempt}::int else 0 end
    where name = ${name} and key = ${key} and lease = ${worker}`;
}

/** Inserts standing jobs that are missing; each runs first at `at`. */
export async function addMissingJobs(list: { name: string; key: string; input: object; at: Date }[]): Promise<void> {
  await relaxedSql()`
    insert into jobs (name, key, input, next_run)
    select j.name, j.key, j.input, j.at
    from json_to_recordset(${JSON.stringify(list)}::text::json) j(name text, key text, input json, at timestamptz)
    on conflict do nothing`;
}
