import { sql } from "drizzle-orm";
import type { Hex } from "viem";
import { db } from "@/db/client";
import type { ChainId } from "@/lib/base/network";

/** Reports whether one of the notes is on the ledger or in a pending payment. */
export async function isAnyNoteMade(chainId: ChainId, notes: readonly Hex[]): Promise<boolean> {
  const wanted = sql.param(notes.map((note) => `\\x${note.slice(2)}`));
  const [found] = await db().execute<{ made: boolean }>(sql`
    select exists (
      select 1 from unnest(${wanted}::text[]::bytea[]) as v(note)
      where exists (
          select 1 from transfers t where t.note = v.note and t.chain_id = ${chainId} and t.status <> 'failed'
        ) or exists (select 1 from notes n where n.chain_id = ${chainId} and n.note = v.note)
    ) as made`);
  return found?.made === true;
}
