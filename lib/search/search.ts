import type { z } from "zod";
import type { SessionContext } from "@/lib/context/context";
import { findById } from "./find-by-id";
import { findByReference } from "./find-by-reference";
import type { Found } from "./found-resource";
import type { SearchQuery } from "./schema";

/** What of the account and its agents has an id, or carries a reference. Others' and unknown ones are found alike: not. */
export async function search(ctx: SessionContext, query: z.infer<typeof SearchQuery>): Promise<Found[]> {
  const { id, reference } = query;
  if (reference !== undefined) return findByReference(ctx, reference);
  const found = id === undefined ? null : await findById(ctx, id);
  return found ? [found] : [];
}
