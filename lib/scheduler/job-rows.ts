import { relaxedSql } from "@/db/client";

// Commits here do not wait for the disk: what a dying machine forgets is a run that is then made again.

/** A job as a worker took it. */
export interface TakenJob {
  name: string;
  key: string;
  input: unknown;
  /** 1 for the first run since one that succeeded. */
  attempt: number;
  revision: number;
}

interface Taking {
  /** The worker that takes them. */
  worker: string;
  /** The jobs it knows; a newer or older process beside it may know others. */
  names: string[];
  now: Date;
  until: Date;
  limit: number;
}

/**
 * Takes jobs that are due, longest due first, for this worker alone until `until`: what a dead worker held is due too.
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

/** When the next of these jobs runs that no one has taken; null without one. */
export async function nextJobAt(names: string[], now: Date): Promise<Date | null> {
  const [row] = await relaxedSql()<{ at: Date | null }[]>`
    select min(next_run) as at from jobs
    where name = any(${names}) and (lease is null or lease_until <= ${now}::timestamptz)`;
  return row?.at ?? null;
}

/** Which job it is. */
type JobId = Pick<TakenJob, "name" | "key">;

/** Keeps a worker's jobs until `until`; returns those that are still its own, as {@link idOf} names them. */
export async function keepJobs(worker: string, list: readonly JobId[], until: Date): Promise<Set<string>> {
  const rows = await relaxedSql()<JobId[]>`
    update jobs j set lease_until = ${until}::timestamptz
    from unnest(${list.map(({ name }) => name)}::text[], ${list.map(({ key }) => key)}::text[]) mine(name, key)
    where j.name = mine.name and j.key = mine.key and j.lease = ${worker}
    returning j.name, j.key`;
  return new Set(rows.map(idOf));
}

/** One text for a job. */
export const idOf = ({ name, key }: JobId): string => `${name}/${key}`;

/** How a job stands after a run. */
export interface JobEnd {
  /** The next run; null: none. */
  nextRun: Date | null;
  /** 0 after a success. */
  attempt: number;
  /** Done with: the row goes, unless it was scheduled again meanwhile. */
  done: boolean;
}

/**
 * Lets go of a job. One that was scheduled again while it ran keeps that time; one that another worker has taken
 * meanwhile is that worker's.
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

/** Writes jobs that are always there, those that are missing; each runs first at `at`. */
export async function addMissingJobs(list: { name: string; key: string; input: object; at: Date }[]): Promise<void> {
  await relaxedSql()`
    insert into jobs (name, key, input, next_run)
    select j.name, j.key, j.input, j.at
    from json_to_recordset(${JSON.stringify(list)}::text::json) j(name text, key text, input json, at timestamptz)
    on conflict do nothing`;
}
