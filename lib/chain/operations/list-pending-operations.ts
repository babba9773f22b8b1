import { sql } from "@/db/client";
import type { SessionContext } from "@/lib/base/context/context";
import type { OperationRecord } from "./operation-resource";

/** An operation that is not final yet. */
interface PendingOperation extends OperationRecord {
  createdAt: Date;
  /** The agent's handle without `@` if the operation is an agent's; null if it is the account's own. */
  agent: string | null;
}

interface Row {
  id: string;
  kind: string;
  hash: Buffer;
  created_at: string;
  agent: string | null;
}

const MOST = 20;

/** Returns the pending operations of the account and its agents, oldest first, at most 20. */
export async function listPendingOperations({ chainId, account }: SessionContext): Promise<PendingOperation[]> {
  const address = Buffer.from(account.address.slice(2), "hex");
  const rows = await sql()<Row[]>`
    select o.id, o.kind, t.hash, o.created_at, a.handle as agent from operations o
    join lateral (select hash from outgoing_transactions where operation_id = o.id order by id desc limit 1) t on true
    left join accounts a on a.address = o.account and a.owner_id = ${account.id}
    where o.chain_id = ${chainId} and o.status = 'pending'
      and o.account in (select ${address}::bytea union all select address from accounts where owner_id = ${account.id})
    order by o.created_at, o.id limit ${MOST}`;
  return rows.map(({ id, kind, hash, created_at, agent }) => ({
    id,
    kind,
    status: "pending",
    txHash: `0x${hash.toString("hex")}`,
    createdAt: new Date(created_at),
    agent,
  }));
}
