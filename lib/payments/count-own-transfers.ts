import { sql } from "@/db/client";
import type { Context } from "@/lib/base/context/context";
import { idsOfAsked } from "./list-own-transfers";
import type { TransferFilters } from "./schema";

/** Counting stops here: it would take longer than to read what the page shows. */
const MOST_COUNTED = 10_000;

/**
 * Returns how many transfers a list has with these filters, whatever its page; `more` if it has more than are counted.
 *
 * @throws ApiError as `listOwnTransfers` does
 */
export async function countOwnTransfers(
  ctx: Context,
  query: TransferFilters & { agent?: string },
): Promise<{ count: number; more: boolean }> {
  const { text, values } = await idsOfAsked(ctx, { ...query, limit: MOST_COUNTED, offset: 0 });
  const counting = `select count(*)::int as count from (${text}) counted`;
  const [row] = await sql().unsafe<{ count: number }[]>(counting, values);
  const count = row?.count ?? 0;
  return { count: Math.min(count, MOST_COUNTED), more: count > MOST_COUNTED };
}
