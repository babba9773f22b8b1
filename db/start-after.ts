import { eq, type Placeholder, type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { ApiError } from "@/lib/errors";
import { db } from "./client";

/** A list in the order of its columns; the last one orders entries that are equal in the others. */
interface OrderedList {
  order: readonly [PgColumn, ...PgColumn[]];
  id: PgColumn;
  first: "newest" | "oldest";
}

/**
 * The condition of a page that starts after an entry of the list; undefined without one. The database compares: times
 * have more digits there than in a Date.
 *
 * @param mine what the caller may see: others' entries and unknown ones are refused alike
 * @throws ApiError `invalid_request` naming `starting_after`
 */
export async function startAfter(
  list: OrderedList,
  mine: SQL | undefined,
  startingAfter: string | undefined,
): Promise<SQL | undefined> {
  if (startingAfter === undefined) return undefined;
  const { id } = list;
  // Looked up by its id alone: beside it, PostgreSQL may take an index of all that is the caller's.
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

/** As {@link startAfter}, of an entry that the caller is known to see; a placeholder in a statement made beforehand. */
export function isAfter({ order, id, first }: OrderedList, entry: string | Placeholder): SQL {
  const columns = sql.join([...order], sql`, `);
  const there = sql.join(
    order.map(({ name }) => sql`c.${sql.identifier(name)}`),
    sql`, `,
  );
  const place = sql`(select ${there} from ${id.table} c where c.${sql.identifier(id.name)} = ${entry})`;
  return first === "newest" ? sql`(${columns}) < ${place}` : sql`(${columns}) > ${place}`;
}
