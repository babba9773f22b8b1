import { sql } from "drizzle-orm";
import { db, type Tx } from "@/db/client";
import { requireOwner } from "@/lib/agents/require-owner";
import type { BeforeCommit, Context } from "@/lib/base/context/context";
import { actorOf, appendAudit } from "@/lib/events/audit/append";
import { notifyDue } from "@/lib/events/fan-out";
import { requireLocal } from "./require-local";
import type { AdvanceClockInput } from "./schema";

/** How much time has passed, and for how many of what waits. */
export interface Advanced {
  seconds: number;
  approvals: number;
  deliveries: number;
  keys: number;
}

/**
 * Lets time pass for the account: everything of it that waits for a time is moved that much closer, in one transaction,
 * so that web and workers see the same. The clocks of the machine and of the chain stay as they are: payments'
 * deadlines and daily limits are the ledger's. Local chains only.
 *
 * @throws ApiError `not_found` elsewhere, `not_agent_owner` to an agent's key
 */
export async function advanceClock(
  ctx: Context,
  { seconds }: AdvanceClockInput,
  beforeCommit: BeforeCommit<Advanced> = async () => {},
): Promise<Advanced> {
  requireLocal(ctx.chainId);
  requireOwner(ctx);
  return db().transaction(async (tx) => {
    const advanced = {
      seconds,
      approvals: await moveApprovals(tx, ctx, seconds),
      deliveries: await moveDeliveries(tx, ctx, seconds),
      keys: await moveKeys(tx, ctx, seconds),
    };
    const { account, chainId } = ctx;
    const entry = {
      rootId: account.id,
      chainId,
      actor: actorOf(ctx),
      action: "test.clock_advanced",
      target: account.id,
    };
    await appendAudit(tx, { ...entry, after: { seconds } }, new Date());
    await beforeCommit(tx, advanced);
    return advanced;
  });
}

async function moveApprovals(tx: Tx, { account, chainId }: Context, seconds: number): Promise<number> {
  const moved = await tx.execute(sql`
    update held_payments
    set requested_at = requested_at - make_interval(secs => ${seconds}),
      expires_at = expires_at - make_interval(secs => ${seconds})
    where root_id = ${account.id} and chain_id = ${chainId} and status = 'pending_approval'
    returning id`);
  return moved.length;
}

/**
 * Also for how long an endpoint has failed, and its pause. A delivery whose attempt is being written is left out: to
 * wait for it under the locks of the endpoints would be to wait for a worker that waits for these.
 */
async function moveDeliveries(tx: Tx, { account, chainId }: Context, seconds: number): Promise<number> {
  const endpoints = await tx.execute<{ id: string }>(sql`
    update webhooks
    set failing_since = failing_since - make_interval(secs => ${seconds}),
      gone_since = gone_since - make_interval(secs => ${seconds}),
      paused_until = paused_until - make_interval(secs => ${seconds})
    where root_id = ${account.id} and chain_id = ${chainId} and deleted_at is null
    returning id`);
  const moved = await tx.execute(sql`
    with open as materialized (
      select d.id from webhook_queue q join webhook_deliveries d on d.id = q.delivery_id
      join webhooks w on w.id = q.webhook_id
      where w.root_id = ${account.id} and w.chain_id = ${chainId} and w.deleted_at is null
      for update of d skip locked
    ), moved as (
      update webhook_deliveries d
      set due_at = d.due_at - make_interval(secs => ${seconds}),
        created_at = d.created_at - make_interval(secs => ${seconds})
      from open where d.id = open.id
    )
    update webhook_queue q
    set due_at = q.due_at - make_interval(secs => ${seconds}),
      created_at = q.created_at - make_interval(secs => ${seconds})
    from open where q.delivery_id = open.id
    returning q.delivery_id`);
  await notifyDue(
    tx,
    endpoints.map(({ id }) => id),
  );
  return moved.length;
}

async function moveKeys(tx: Tx, { account, chainId }: Context, seconds: number): Promise<number> {
  const moved = await tx.execute(sql`
    update api_keys set expires_at = expires_at - make_interval(secs => ${seconds})
    where account_id = ${account.id} and chain_id = ${chainId} and revoked_at is null and expires_at is not null
    returning id`);
  return moved.length;
}
