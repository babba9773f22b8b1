import { sql } from "@/db/client";
import type { SessionContext } from "@/lib/base/context/context";

/** Someone whom the account or one of its agents has paid, or who has paid them. */
interface Counterparty {
  /** In lower case. */
  address: string;
  /** With `@`; null for an address without an account. */
  handle: string | null;
  /** When the last transfer between them was made. */
  lastAt: Date;
}

/**
 * How many of the newest transfers of each direction are searched, so that the response takes the same time for
 * everyone.
 */
const TRANSFERS = 1_000;
const MOST = 200;

interface Row {
  address: Buffer;
  handle: string | null;
  last_at: string;
}

/**
 * Returns the counterparties of the newest transfers, newest first, at most 200. The account's own agents are left out.
 * Pages filter this list themselves, so that what a user types is not sent.
 */
export async function listCounterparties({ account, chainId }: SessionContext): Promise<Counterparty[]> {
  const { rootId } = account;
  // Not prepared: a plan for all accounts takes each for one of few transfers, and sorts a busy one's.
  const rows = await sql().unsafe<Row[]>(NEWEST, [rootId, chainId]);
  return rows.map(({ address, handle, last_at }) => ({
    address: `0x${address.toString("hex")}`,
    handle: handle && `@${handle}`,
    lastAt: new Date(last_at),
  }));
}

const NEWEST = `
    with newest as (
      (select recipient_address as address, recipient_id as id, created_at from transfers
        where payer_root_id = $1::text and chain_id = $2::int
        order by created_at desc, id desc limit ${TRANSFERS})
      union all
      (select null, payer_id, created_at from transfers
        where recipient_root_id = $1::text and chain_id = $2::int
        order by created_at desc, id desc limit ${TRANSFERS})
    ), known as (
      select id, case when id is null then address end as address, max(created_at) as last_at from newest
      where id is null or (id <> $1::text and id not in (select a.id from accounts a where a.owner_id = $1::text))
      group by 1, 2 order by 3 desc, 1, 2 limit ${MOST}
    )
    select coalesce(a.address, k.address) as address, a.handle, max(k.last_at) as last_at
    from known k
      -- Each by its id: PostgreSQL would rather read all accounts for so many.
      left join lateral (select address, handle from accounts where id = k.id offset 0) a on true
    group by 1, 2 order by 3 desc, 1 limit ${MOST}`;

/** The response of `GET /api/counterparties`. */
export function toCounterpartyList(list: readonly Counterparty[]) {
  return {
    counterparties: list.map(({ address, handle, lastAt }) => ({ address, handle, last_at: lastAt.toISOString() })),
  };
}

export type CounterpartyResource = ReturnType<typeof toCounterpartyList>["counterparties"][number];
