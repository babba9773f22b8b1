import postgres from "postgres";
import { sleep } from "@/scripts/stack/processes";

/**
 * Waits until no one but us is connected. The job queue's pool counts a connection as closed once it has said so; a
 * database that stops before it has heard ends the connection, and nothing is left to handle that error.
 */
export async function connectionsClosed(url: string): Promise<void> {
  const sql = postgres(url, { max: 1 });
  try {
    for (const end = Date.now() + 5_000; Date.now() < end; await sleep(20)) {
      const others = await sql`select pid from pg_stat_activity
        where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`;
      if (others.length === 0) return;
    }
  } finally {
    await sql.end();
  }
}
