import { sql } from "drizzle-orm";
import type { Hex } from "viem";
import { db, type Tx } from "@/db/client";
import { paymentKeyWarnings } from "@/db/schema/accounts";
import { isoTime } from "@/lib/base/clock";
import type { ChainId } from "@/lib/base/network";
import { appendEvents, type NewEvent } from "@/lib/events/append-events";

const DAY = 86_400;
/** An end that is longer past is no news. */
const PAST_DAYS = 30;
const BATCH = 100;
const PAUSE_MS = 60_000;

/** An account whose payment key has reached a step towards its end. */
type Due = {
  chain_id: number;
  address: Hex;
  payment_key_until: string;
  days: number;
  account_id: string;
  handle: string;
};

/**
 * Writes an event for every account whose payment key on chain (the indexed record) ends soon: from 30 days before,
 * from 7, from 1, and once it has ended. Each step is announced once, whatever else runs or ran; of steps missed in
 * time only the last one alone. A renewal begins again. Agents have no payment key. Any number of workers may do so at
 * once.
 *
 * @returns after how many milliseconds to look again
 */
export async function warnOfExpiry(now = new Date()): Promise<number> {
  const found = await db().transaction(async (tx) => {
    const due = await findDue(tx, now);
    if (due.length === 0) return 0;
    // A worker that found the same waits here for this one's commit, and then has nothing to announce.
    const written = await tx
      .insert(paymentKeyWarnings)
      .values(due.map((one) => ({ ...keyOf(one), createdAt: now })))
      .onConflictDoNothing()
      .returning({ chainId: paymentKeyWarnings.chainId, address: paymentKeyWarnings.address });
    const mine = new Set(written.map(({ chainId, address }) => `${chainId} ${address}`));
    const events = due.filter((one) => mine.has(`${one.chain_id} ${one.address}`)).map((one) => eventOf(one, now));
    await appendEvents(tx, events, now);
    return due.length;
  });
  return found === BATCH ? 0 : PAUSE_MS;
}

/** In one order, so that workers side by side wait for each other and never in a circle. */
async function findDue(tx: Tx, now: Date): Promise<Due[]> {
  const seconds = Math.floor(now.getTime() / 1000);
  const rows = await tx.execute<Omit<Due, "address"> & { address: string }>(sql`
    select l.chain_id, encode(l.address, 'hex') as address, l.until::text as payment_key_until, step.days, a.id as account_id, a.handle
    from ledger_accounts l
    join accounts a on a.address = l.address and a.type <> 'agent'
    cross join lateral (select case
      when l.until <= ${seconds}::bigint then 0
      when l.until <= ${seconds + DAY}::bigint then 1
      when l.until <= ${seconds + 7 * DAY}::bigint then 7
      else 30 end as days) step
    where l.owner is null and l.enrolled_block is not null and l.signer <> decode(repeat('00', 20), 'hex')
      and l.until > ${seconds - PAST_DAYS * DAY}::bigint
      and l.until <= ${seconds + 30 * DAY}::bigint
      and not exists (
        select from payment_key_warnings w
        where w.chain_id = l.chain_id and w.address = l.address and w.payment_key_until = l.until
          and w.days <= step.days)
    order by l.chain_id, l.address
    limit ${BATCH}`);
  return rows.map((row) => ({ ...row, address: `0x${row.address}` as Hex }));
}

const keyOf = ({ chain_id, address, payment_key_until, days }: Due) => ({
  chainId: chain_id,
  address,
  paymentKeyUntil: BigInt(payment_key_until),
  days,
});

function eventOf({ chain_id, payment_key_until, days, account_id, handle }: Due, now: Date): NewEvent {
  const about = { chainId: chain_id as ChainId, subject: { id: account_id, rootId: account_id, handle } };
  const end = new Date(Number(payment_key_until) * 1000);
  if (days === 0) return { ...about, type: "account.payment_key.expired", payload: { expired_at: isoTime(end) } };
  const daysLeft = Math.ceil((end.getTime() - now.getTime()) / (DAY * 1000));
  return { ...about, type: "account.payment_key.expiring", payload: { expires_at: isoTime(end), days_left: daysLeft } };
}
