import { sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { auditHeads, auditLog } from "@/db/schema/audit";
import type { Context } from "@/lib/base/context/context";
import { newId } from "@/lib/base/ids";
import type { ChainId } from "@/lib/base/network";
import { notifyStreams, streamIdOf } from "@/lib/events/notify-streams";
import { type AuditEntry, FIRST_HASH, hashEntry } from "./hash-entry";

/** Who acted: an account's key, an owner's session, an agent's key, or the service itself. */
export type AuditActor = Pick<AuditEntry, "actorType" | "actorId" | "clientAddress">;

/** The service acting on its own, for example when a job closes something or disables an endpoint. */
export const SYSTEM: AuditActor = { actorType: "system", actorId: null, clientAddress: null };

/** Returns who acts in a request. */
export function actorOf(ctx: Context): AuditActor {
  const { clientAddress } = ctx;
  if (ctx.actor === "session") return { actorType: "session", actorId: ctx.sessionId, clientAddress };
  return { actorType: ctx.account.type === "agent" ? "agent" : "key", actorId: ctx.keyId, clientAddress };
}

/** An entry to write. `target` is the id of what was acted on. It contains no amounts except a policy's limits. */
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
 * Writes one entry in the transaction of the change itself. It locks the head of the owner's chain until the
 * transaction commits, so call it after every other lock is taken.
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
  // Sent together, because the head of the chain stays locked meanwhile.
  await Promise.all([
    tx.insert(auditLog).values({ ...row, hash }),
    tx
      .update(auditHeads)
      .set({ hash })
      .where(sql`${auditHeads.rootId} = ${rootId} and ${auditHeads.chainId} = ${chainId}`),
    notifyStreams(tx, "change", [streamIdOf(chainId, rootId)]),
  ]);
}

/**
 * Returns the value as `jsonb` will return it. Otherwise dates and missing fields would be hashed differently than
 * read.
 */
function asStored(value: Record<string, unknown> | undefined): Record<string, unknown> | null {
  return value === undefined ? null : (JSON.parse(JSON.stringify(value)) as Record<string, unknown>);
}
