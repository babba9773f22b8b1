import { sql } from "@/db/client";
import type { ChainId } from "@/lib/base/network";
import type { MessageKind } from "./messages";
import { FAILING_MINUTES, reminderMs } from "./notice";

/** The account a message is for, on one network. */
interface Owner {
  rootId: string;
  chainId: ChainId;
}

const held = async ({ rootId, chainId }: Owner, from: Date, until: Date | null) => {
  const rows = await sql()`
    select 1 from held_payments
    where root_id = ${rootId} and chain_id = ${chainId} and status = 'pending_approval'
      and expires_at > ${from.toISOString()}::timestamptz
      and (${until?.toISOString() ?? null}::timestamptz is null or expires_at <= ${until?.toISOString() ?? null}::timestamptz)
    limit 1`;
  return rows.length > 0;
};

/**
 * Returns whether a message is still accurate. For example, there is nothing to announce once the owner has decided on
 * the payment that was waiting for approval.
 */
export async function isStillTrue(kind: MessageKind, owner: Owner, now: Date): Promise<boolean> {
  if (kind === "approval_needed") return held(owner, now, null);
  if (kind === "approval_expiring") return held(owner, now, new Date(now.getTime() + reminderMs()));
  if (kind !== "webhook_failing") return true;
  const since = new Date(now.getTime() - FAILING_MINUTES * 60_000).toISOString();
  const rows = await sql()`
    select 1 from webhooks
    where root_id = ${owner.rootId} and chain_id = ${owner.chainId} and deleted_at is null
      and (enabled and failing_since <= ${since}::timestamptz or disabled_reason in ('failing', 'gone'))
    limit 1`;
  return rows.length > 0;
}
