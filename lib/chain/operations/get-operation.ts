import { sql } from "@/db/client";
import type { WalletContext } from "@/lib/base/context/wallet-context";
import { ApiError } from "@/lib/base/errors";
import type { OperationRecord } from "@/lib/chain/operations/operation-resource";

/**
 * Returns an operation of the wallet's account or of one of its agents, on the session's network. Its transaction hash
 * is the mined transaction's, or the newest one's if none is mined.
 *
 * @throws ApiError `not_found` for an unknown id, and for one of another account or of the other network
 */
export async function getOperation(
  ctx: Pick<WalletContext, "chainId" | "address" | "account">,
  id: string,
): Promise<OperationRecord> {
  const [row] = await sql()<{ kind: string; status: OperationRecord["status"]; hash: Buffer }[]>`
    select o.kind, o.status, t.hash from operations o
    join lateral (
      select hash from outgoing_transactions where operation_id = o.id order by status = 'mined' desc, id desc limit 1
    ) t on true
    where o.id = ${id} and o.chain_id = ${ctx.chainId} and (o.account = ${Buffer.from(ctx.address.slice(2), "hex")}
      or o.account in (select address from accounts where owner_id = ${ctx.account?.id ?? null}))`;
  if (!row) throw new ApiError("not_found", "You have no operation with this id on this network.");
  return { id, kind: row.kind, status: row.status, txHash: `0x${row.hash.toString("hex")}` };
}
