import { type SQL, sql } from "drizzle-orm";

/**
 * Returns a text that the planner does not see, so that a prepared statement is planned once for every account. A page
 * of one that has most of a table's rows seems so much cheaper with its own plan that PostgreSQL would plan it at each
 * request, which takes longer than to read it.
 */
export const hidden = (text: string): SQL => sql`(select ${text}::text)`;
