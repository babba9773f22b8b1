import { shortRead } from "@/db/client";
import type { Context } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import { isId } from "@/lib/base/ids";
import { SUMMARY_COLUMNS, type SummaryRow, toSummary } from "./summary-row";
import type { TransferSummary } from "./transfer-view";

/**
 * Returns a transfer that the account (or one of its agents) sent or received. Unknown and malformed ids and those of
 * other accounts and networks all give the same error. Clients poll this, so it uses one prepared statement.
 *
 * @throws ApiError `not_found`
 */
export async function getTransfer(ctx: Context, id: string): Promise<TransferSummary> {
  const row = isId("transfer", id) ? await findTransfer(ctx, id) : undefined;
  if (!row) throw new ApiError("not_found", "No transfer has this id. List your transfers to find it.");
  return toSummary(ctx.chainId, row);
}

const find = (payer: string, recipient: string) =>
  `select ${SUMMARY_COLUMNS}, ${payer} = $3 as sent from transfers t join accounts p on p.id = t.payer_id
  where t.id = $1 and t.chain_id = $2 and (${payer} = $3 or ${recipient} = $3)`;
// An account also sees its agents' transfers; an agent sees only its own.
const FIND = {
  agent: find("t.payer_id", "t.recipient_id"),
  account: find("t.payer_root_id", "t.recipient_root_id"),
};

async function findTransfer({ account, chainId }: Context, id: string): Promise<SummaryRow | undefined> {
  const text = account.type === "agent" ? FIND.agent : FIND.account;
  const values = [id, chainId, account.id];
  const [row] = await shortRead("rows", (sql) => sql.unsafe<SummaryRow[]>(text, values, { prepare: true }));
  return row;
}
