import type postgres from "postgres";

/**
 * Returns for how many seconds PostgreSQL has archived nothing of its log, which is what a restore would lose. It grows
 * while the archive's command fails, hangs or is missing. Before the first piece, it counts from when PostgreSQL began
 * to count. Any role may ask.
 *
 * @returns undefined if `archive_mode` is off
 */
export async function readArchiveAge(sql: postgres.ISql): Promise<number | undefined> {
  const [row] = await sql<{ age: number }[]>`
    select greatest(0, extract(epoch from
      clock_timestamp() - coalesce(last_archived_time, stats_reset, pg_postmaster_start_time())))::float8 as age
    from pg_stat_archiver where current_setting('archive_mode') <> 'off'`;
  return row?.age;
}
