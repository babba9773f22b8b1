import { eq, type Placeholder, type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { ApiError } from "@/lib/base/errors";
import { db } from "./client";

/** The order of a list by its columns. `id` orders entries that are otherwise equal. */
interface OrderedList {
  order: readonly [PgColumn, ...PgColumn[]];
  id: PgColumn;
  first: "newest" | "oldest";
}

/**
 * Returns the condition for a page that starts after an entry of the list; undefined if `startingAfter` is. The
 * database makes the comparison, because its times are more precise than a Date.
 *
 * @param mine the condition for what the caller may see. Other accounts' entries and unknown ones get the same error.
 * @throws ApiError `invalid_request` naming `starting_after`
 */
export async function startAfter(
  list: OrderedList,
  mine: SQL | undefined,
  startingAfter: string | undefined,
): Promise<SQL | undefined> {
  if (startingAfter === undefined) return undefined;
  const { id } = list;
  // Filter by id only. With `mine` in the condition, PostgreSQL might use an index over everything of the caller.
  const [entry] = await db()
    .select({ isMine: mine ? sql<boolean>`(${mine})` : sql<boolean>`true` })
    .from(id.table)
    .where(eq(id, startingAfter));
  if (!entry?.isMine) {
    const message = "starting_after is no entry of this list. Take an id from a page of it.";
    throw new ApiError("invalid_request", message, { param: "starting_after" });
  }
  return isAfter(list, startingAfter);
}

/** Like {@link startAfter}, for an entry that the caller may see; or a placeholder, in a prepared statement. */
export function isAfter({ order, id, first }: OrderedList, entry: string | Placeholder): SQL {
  const columns = sql.join([...order], sql`, `);
  const there = sql.join(
    order.map(({ name }) => sql`c.${sql.identifier(name)}`),
    sql`, `,
  );
  const place = sql`(select ${there} from ${id.table} c where c.${sql.identifier(id.name)} = ${entry})`;
  return first === "newest" ? sql`(${columns}) < ${place}` : sql`(${columns}) > ${place}`;
}
