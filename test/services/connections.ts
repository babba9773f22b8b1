import postgres from "postgres";
import { sleep } from "@/scripts/stack/processes";

/**
 * Waits until only this process is connected. The job queue's pool counts a connection as closed once it has sent its
 * goodbye. If the database stops before it receives that, it ends the connection with an error that nothing handles.
 */
export async function connectionsClosed(url: string): Promise<void> {
  const sql = postgres(url, { max: 1 });
  try {
    for (const end = Date.now() + 60_000; Date.now() < end; await sleep(20)) {
      const others = await sql`select pid from pg_stat_activity
        where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`;
      if (others.length === 0) return;
    }
  } finally {
    await sql.end();
  }
}
