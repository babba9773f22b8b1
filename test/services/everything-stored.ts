import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { accounts } from "@/db/schema/accounts";
import { agents, heldPayments, spendPolicies } from "@/db/schema/agents";
import { auditLog } from "@/db/schema/audit";
import { operations } from "@/db/schema/chain";
import { events } from "@/db/schema/events";
import { apiKeys } from "@/db/schema/keys";
import { transfers } from "@/db/schema/transfers";
import { webhooks } from "@/db/schema/webhooks";

/**
 * Returns what a refused request must leave as it is, in a database that nothing else changes: rows that can be changed,
 * and how many there are of those that are only added.
 */
export async function everythingStored(): Promise<unknown> {
  const [changed, added] = await Promise.all([
    Promise.all([agents, spendPolicies, heldPayments, webhooks].map((table) => db().select().from(table))),
    Promise.all([accounts, transfers, operations, events, auditLog, apiKeys].map((table) => db().$count(table))),
  ]);
  return { changed, added };
}

/** Returns every row of every table as text, to be searched for what the service must not have. Bytes are hex. */
export async function storedAsText(): Promise<string> {
  const tables = await db().execute<{ name: string }>(sql`
    select oid::regclass::text as name from pg_class
    where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace
      and has_table_privilege(oid, 'select')`);
  const texts = await Promise.all(
    tables.map(({ name }) => {
      return db().execute<{ rows: string | null }>(
        sql`select string_agg(t::text, ' ') as rows from ${sql.raw(name)} t`,
      );
    }),
  );
  return texts.flatMap((rows) => rows.map((one) => one.rows ?? "")).join("\n");
}
