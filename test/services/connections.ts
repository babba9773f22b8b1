import postgres from "postgres";
import { sleep } from "@/scripts/stack/processes";

/**
 * Waits until only this process is connected. The job queue's pool counts a connection as closed once it has sent its
 * goodbye. If the database stops before it receives that, it ends the connection with an error that nothing handles.
 *
 * @param close closes this process's pools, before each look: late work of a test may have opened them again
 */
export async function connectionsClosed(url: string, close = async () => {}): Promise<void> {
  const sql = postgres(url, { max: 1 });
  try {
    // Not the date, which some tests set.
    for (const end = performance.now() + 120_000; ; await sleep(20)) {
      await close();
      const others = await sql`select application_name, state, query from pg_stat_activity
        where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`;
      if (others.length === 0) return;
      if (performance.now() > end) throw new Error(`still connected: ${JSON.stringify(others)}`);
    }
  } finally {
    await sql.end();
  }
}
