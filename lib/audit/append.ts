import { sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { auditHeads, auditLog } from "@/db/schema/audit";
import type { Context } from "@/lib/context/context";
import { notifyStreams, streamIdOf } from "@/lib/events/notify-streams";
import { newId } from "@/lib/ids";
import type { ChainId } from "@/lib/network";
import { type AuditEntry, FIRST_HASH, hashEntry } from "./hash-entry";

/** Who acts: an account's key, an owner's session, an agent's key, or the service itself. */
export type AuditActor = Pick<AuditEntry, "actorType" | "actorId" | "clientAddress">;

/** The service acting on its own: a closing job, a disabled endpoint. */
export const SYSTEM: AuditActor = { actorType: "system", actorId: null, clientAddress: null };

/** Who acts in a request. */
export function actorOf(ctx: Context): AuditActor {
  const { clientAddress } = ctx;
  if (ctx.actor === "session") return { actorType: "session", actorId: ctx.sessionId, clientAddress };
  return { actorType: ctx.account.type === "agent" ? "agent" : "key", actorId: ctx.keyId, clientAddress };
}

/** What happened, to be written. `target` is the id of what was acted on; no amounts but a policy's limits. */
interface NewAuditEntry {
  /** The owner's account. */
  rootId: string;
  chainId: ChainId;
  actor: AuditActor;
  /** `noun.verb` in the past tense: `agent.created`. */
  action: string;
  target: string;
  before?: Record<string, unknown>;
  after?: Record<string, unknown>;
}

/**
 * Writes one entry inside the transaction of the change itself. It locks the end of the owner's chain of hashes until
 * that commits: call it after every other lock is taken.
 */
export async function appendAudit(tx: Tx, entry: NewAuditEntry, now: Date): Promise<void> {
  const { rootId, chainId, actor, action, target } = entry;
  const [head] = await tx
    .insert(auditHeads)
    .values({ rootId, chainId, position: 1, hash: FIRST_HASH })
    .onConflictDoUpdate({
      target: [auditHeads.rootId, auditHeads.chainId],
      set: { position: sql`${auditHeads.position} + 1` },
    })
    .returning({ position: auditHeads.position, previousHash: auditHeads.hash });
  if (!head) throw new Error("the end of an audit chain was not locked");
  const row: AuditEntry = {
    id: newId("audit"),
    rootId,
    chainId,
    position: head.position,
    ...actor,
    action,
    target,
    before: asStored(entry.before),
    after: asStored(entry.after),
    createdAt: now,
    previousHash: head.previousHash,
  };
  const hash = hashEntry(row);
  // Sent together: the end of the chain is locked meanwhile.
  await Promise.all([
    tx.insert(auditLog).values({ ...row, hash }),
    tx
      .update(auditHeads)
      .set({ hash })
      .where(sql`${auditHeads.rootId} = ${rootId} and ${auditHeads.chainId} = ${chainId}`),
    notifyStreams(tx, "change", [streamIdOf(chainId, rootId)]),
  ]);
}

/** What `jsonb` gives back of a value: a time or a missing field would else be hashed as something it is not. */
function asStored(value: Record<string, unknown> | undefined): Record<string, unknown> | null {
  return value === undefined ? null : (JSON.parse(JSON.stringify(value)) as Record<string, unknown>);
}
