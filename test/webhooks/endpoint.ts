import { asc, eq } from "drizzle-orm";
import { db, sql } from "@/db/client";
import { webhookDeliveries, webhooks } from "@/db/schema/webhooks";
import type { SessionContext } from "@/lib/base/context/context";
import { newId } from "@/lib/base/ids";
import { type ChainId, networkOf } from "@/lib/base/network";
import { appendEvents } from "@/lib/events/append-events";
import { EVENT_TYPES } from "@/lib/events/catalogue";
import { encryptSecret, newSecret } from "@/lib/events/webhooks/secrets";

/** The rows of an owner with an endpoint. */
export interface Endpoint {
  id: string;
  secret: string;
  ctx: SessionContext;
}

/** Inserts an endpoint of a new owner. */
export async function makeEndpoint(
  url: string,
  values: Partial<typeof webhooks.$inferInsert> = {},
  now = new Date(),
): Promise<Endpoint> {
  const [id, secret, rootId] = [newId("webhook"), newSecret(), values.rootId ?? newId("account")];
  const chainId = (values.chainId ?? 46630) as ChainId;
  const events = [...EVENT_TYPES];
  const row = {
    id,
    rootId,
    chainId,
    url,
    events,
    storeResponses: true,
    secret: encryptSecret(id, secret),
    createdAt: now,
  };
  await db()
    .insert(webhooks)
    .values({ ...row, ...values });
  const address = `0x${"1".repeat(40)}` as const;
  const account = {
    id: rootId,
    rootId,
    handle: "fixture",
    address,
    rootAddress: address,
    type: "personal" as const,
    createdAt: now,
  };
  const request = { requestId: "test", clientAddress: null, sessionId: "test" };
  return { id, secret, ctx: { actor: "session", chainId, network: networkOf(chainId), account, ...request } };
}

/** Inserts `count` events of an endpoint's owner in one transaction. `last` runs in it before it commits. */
export async function makeEvents(
  { ctx }: Endpoint,
  count = 1,
  now = new Date(),
  last = async (): Promise<void> => {},
): Promise<void> {
  const { id, rootId, handle } = ctx.account;
  const event = {
    chainId: ctx.chainId,
    type: "transfer.confirmed" as const,
    subject: { id, rootId, handle },
    payload: {
      transfer_id: newId("transfer"),
      direction: "sent" as const,
      counterparty: "@other",
      asset: "USDG",
      confidential: true,
      tx_hash: `0x${"0".repeat(64)}` as const,
    },
  };
  await db().transaction(async (tx) => {
    await appendEvents(
      tx,
      Array.from({ length: count }, () => event),
      now,
    );
    await last();
  });
}

/** Returns an endpoint's deliveries, oldest first. */
export const deliveriesOf = ({ id }: { id: string }) =>
  db().select().from(webhookDeliveries).where(eq(webhookDeliveries.webhookId, id)).orderBy(asc(webhookDeliveries.id));

/**
 * Returns deliveries that are queued although nothing is due, or not queued although something is. There must be none.
 */
export async function wronglyQueued(): Promise<string[]> {
  const rows = await sql()`
    select coalesce(d.id, q.delivery_id) as id
    from (select * from webhook_deliveries where status in ('pending', 'failed')) d
    full join webhook_queue q on q.delivery_id = d.id
    where (q.webhook_id, q.event_id, q.trigger, q.attempt, q.due_at, q.created_at)
      is distinct from (d.webhook_id, d.event_id, d.trigger, d.attempt, d.due_at, d.created_at)`;
  return rows.map(({ id }) => id);
}

/** Returns an endpoint's row. */
export async function endpointRow({ id }: { id: string }): Promise<typeof webhooks.$inferSelect> {
  const [row] = await db().select().from(webhooks).where(eq(webhooks.id, id));
  if (!row) throw new Error("no such endpoint");
  return row;
}
