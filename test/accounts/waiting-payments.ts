import { db } from "@/db/client";
import { accounts } from "@/db/schema/accounts";
import { agents, heldPayments } from "@/db/schema/agents";
import { newId } from "@/lib/base/ids";
import { randomBytes, toHex } from "@/lib/ledger/crypto/bytes";
import type { Owner } from "./owner";

/**
 * Inserts rows of an agent's waiting payments with this many milliseconds left. They can't be paid. Returns their ids.
 */
export async function holdPayments(owner: Owner, leftMs: readonly number[], name = "bot"): Promise<string[]> {
  const { chainId } = owner;
  const { id, handle } = owner.account;
  const agent = { id: newId("account"), handle: `${handle}/${name}`, address: toHex(randomBytes(20)) };
  const createdAt = new Date();
  await db()
    .insert(accounts)
    .values({ ...agent, type: "agent", ownerId: id, chainId, createdAt });
  await db()
    .insert(agents)
    .values({ accountId: agent.id, chainId, status: "active", wallet: "0x00", secretVersion: 1 });
  const rows = leftMs.map((ms) => ({
    id: newId("transaction"),
    chainId,
    agentId: agent.id,
    rootId: id,
    status: "pending_approval" as const,
    to: "@bob",
    recipientAddress: owner.address,
    asset: owner.address,
    kind: "transfer" as const,
    sealed: "0x00" as const,
    secretVersion: 1,
    keyId: "key_1",
    requestedAt: createdAt,
    expiresAt: new Date(createdAt.getTime() + ms),
  }));
  await db().insert(heldPayments).values(rows);
  return rows.map((row) => row.id);
}
