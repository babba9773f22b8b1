import { sql } from "@/db/client";
import type { SessionContext } from "@/lib/context/context";

/** Someone the account or one of its agents has paid, or was paid by. */
export interface Counterparty {
  /** Lower case. */
  address: string;
  /** With `@`; null for an address without an account. */
  handle: string | null;
  /** When a transfer was last made between them. */
  lastAt: Date;
}

/** So many of the newest transfers of each direction are looked at: the response takes the same time for everyone. */
const TRANSFERS = 1_000;
const MOST = 200;

interface Row {
  address: Buffer;
  handle: string | null;
  last_at: string;
}

/**
 * With whom the newest transfers were made, the newest first; at most two hundred. One's own agents are not among them.
 * A page finds people among these by itself, so that what is typed to find one is not sent.
 */
export async function listCounterparties({ account, chainId }: SessionContext): Promise<Counterparty[]> {
  const { rootId } = account;
  const rows = await sql()<Row[]>`
    with newest as (
      (select recipient_address as address, recipient_id as id, created_at from transfers
        where payer_root_id = ${rootId} and chain_id = ${chainId}
        order by created_at desc, id desc limit ${TRANSFERS})
      union all
      (select null, payer_id, created_at from transfers
        where recipient_root_id = ${rootId} and chain_id = ${chainId}
        order by created_at desc, id desc limit ${TRANSFERS})
    ), known as (
      select address, id, max(created_at) as last_at from newest group by address, id
    )
    select coalesce(a.address, k.address) as address, a.handle, max(k.last_at) as last_at
    from known k left join accounts a on a.id = k.id
    where a.id is null or (a.id <> ${rootId} and a.owner_id is distinct from ${rootId})
    group by 1, 2 order by 3 desc, 1 limit ${MOST}`;
  return rows.map(({ address, handle, last_at }) => ({
    address: `0x${address.toString("hex")}`,
    handle: handle && `@${handle}`,
    lastAt: new Date(last_at),
  }));
}

/** The response of `GET /api/counterparties`. */
export function toCounterpartyList(list: readonly Counterparty[]) {
  return {
    counterparties: list.map(({ address, handle, lastAt }) => ({ address, handle, last_at: lastAt.toISOString() })),
  };
}

export type CounterpartyResource = ReturnType<typeof toCounterpartyList>["counterparties"][number];
