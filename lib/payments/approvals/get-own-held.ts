import type { Context } from "@/lib/base/context/context";
import { decidersOf, type NamedDecider } from "./deciders-of";
import { findHeld, type StoredHeld } from "./find-held";

/** A held payment, with who decided. */
export interface OwnHeld {
  held: StoredHeld;
  /** Null while it waits. */
  decidedBy: NamedDecider | null;
}

/**
 * Returns a held payment of one of the account's agents, decided or not, with who decided.
 *
 * @throws ApiError `transaction_not_found`
 */
export async function getOwnHeld(ctx: Context, id: string): Promise<OwnHeld> {
  const held = await findHeld(ctx, id);
  return { held, decidedBy: (await decidersOf(ctx, [id])).get(id) ?? null };
}
