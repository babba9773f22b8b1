import { type SQL, sql } from "drizzle-orm";

/**
 * Returns a value that the planner does not see, so that a prepared statement is planned once for every account.
 * Otherwise PostgreSQL expects other numbers of rows for some accounts than for an average one, and plans their pages
 * again at each request, which takes longer than to read them.
 *
 * @param type the SQL type; `text` by default
 */
export const hidden = (value: unknown, type = "text"): SQL => sql`(select ${value}::${sql.raw(type)})`;
