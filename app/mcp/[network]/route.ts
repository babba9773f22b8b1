import { POST as proveBalances } from "@/app/v1/accounts/me/balances/route";
import { GET as getSpendPolicy } from "@/app/v1/agents/[account_id]/spend-policy/route";
import { GET as getHeldPayment } from "@/app/v1/agents/transactions/[transaction_id]/route";
import { GET as listPendingPayments } from "@/app/v1/agents/transactions/pending/route";
import { GET as getTransfer } from "@/app/v1/transfers/[transfer_id]/route";
import { POST as createTransfer, GET as listTransfers } from "@/app/v1/transfers/route";
import { ApiError } from "@/lib/base/errors";
import { newId } from "@/lib/base/ids";
import { NETWORKS } from "@/lib/base/network";
import { failure } from "@/lib/http/failure";
import type { ToolOperations } from "@/lib/http/mcp/run-operations";
import { serveMcp } from "@/lib/http/mcp/serve-mcp";

const OPERATIONS: ToolOperations = {
  proveBalances,
  getSpendPolicy,
  listPendingPayments,
  getHeldPayment,
  listTransfers,
  createTransfer,
  getTransfer,
};

/** Serves the MCP server of a network: the tools of `halcyon mcp`, for applications that an owner has connected. */
export async function POST(request: Request, { params }: { params: Promise<{ network: string }> }): Promise<Response> {
  const { network: name } = await params;
  const network = NETWORKS.find((each) => each === name);
  if (network) return serveMcp(request, network, OPERATIONS);
  const nothing = new ApiError("not_found", "There is nothing at this address. Use /mcp/test or /mcp/live.");
  return failure(nothing, newId("request"), "POST /mcp");
}
