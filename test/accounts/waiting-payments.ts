import { db } from "@/db/client";
import { heldPayments } from "@/db/schema/agents";
import { newId } from "@/lib/base/ids";
import { insertAgent } from "./agent-row";
import type { Owner } from "./owner";

/**
 * Inserts rows of an agent's waiting payments with this many milliseconds left. They can't be paid. Returns their ids.
 *
 * @param agent an agent, or the name of a new one
 */
export async function holdPayments(
  owner: Owner,
  leftMs: readonly number[],
  agent: { id: string } | string = "bot",
): Promise<string[]> {
  const { id: agentId } = typeof agent === "string" ? await insertAgent(owner, agent) : agent;
  const requestedAt = new Date();
  const rows = leftMs.map((ms) => ({
    id: newId("transaction"),
    chainId: owner.chainId,
    agentId,
    rootId: owner.account.id,
    status: "pending_approval" as const,
    to: "@bob",
    recipientAddress: owner.address,
    asset: owner.address,
    kind: "transfer" as const,
    encrypted: "0x00" as const,
    secretVersion: 1,
    keyId: "key_1",
    requestedAt,
    expiresAt: new Date(requestedAt.getTime() + ms),
  }));
  await db().insert(heldPayments).values(rows);
  return rows.map((row) => row.id);
}
