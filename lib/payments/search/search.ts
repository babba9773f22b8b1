import type { z } from "zod";
import type { SessionContext } from "@/lib/base/context/context";
import { findById } from "./find-by-id";
import { findByReference } from "./find-by-reference";
import type { FoundRecord } from "./found-resource";
import type { SearchQuery } from "./schema";

/**
 * Finds the objects of the account and its agents with an id or a reference. Returns nothing for unknown values and for
 * those of other accounts.
 */
export async function searchPayments(ctx: SessionContext, query: z.infer<typeof SearchQuery>): Promise<FoundRecord[]> {
  const { id, reference } = query;
  if (reference !== undefined) return findByReference(ctx, reference);
  const found = id === undefined ? null : await findById(ctx, id);
  return found ? [found] : [];
}
