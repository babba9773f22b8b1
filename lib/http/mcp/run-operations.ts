import type { KeyContext } from "@/lib/base/context/context";
import { withRequest } from "@/lib/base/telemetry/current-request";
import type { AuthenticatedKey } from "@/lib/http/auth/authenticate-key";
import { claimRequest } from "@/lib/http/connections/claim-request";
import type { RouteHandler } from "@/lib/http/declared-route";
import { operationOf } from "@/lib/http/operation";
import { readJsonBytes } from "@/lib/http/read-json-body";
import { NoResponse } from "@/sdk/api/errors";
import { errorOfResponse } from "@/sdk/api/http";

/** The operations that the tools run, by the names of the API reference. */
const TOOL_OPERATIONS = {
  proveBalances: ["POST", "/v1/accounts/me/balances"],
  getSpendPolicy: ["GET", "/v1/agents/{account_id}/spend-policy"],
  listPendingPayments: ["GET", "/v1/agents/transactions/pending"],
  getHeldPayment: ["GET", "/v1/agents/transactions/{transaction_id}"],
  listTransfers: ["GET", "/v1/transfers"],
  createTransfer: ["POST", "/v1/transfers"],
  getTransfer: ["GET", "/v1/transfers/{transfer_id}"],
} as const;
type ToolOperation = keyof typeof TOOL_OPERATIONS;

/** Their handlers. Nothing else can be run. */
export type ToolOperations = Readonly<Record<ToolOperation, RouteHandler>>;

/** What an operation gets. */
interface ToolCall {
  /** The id in its path. */
  id?: string;
  query?: Readonly<Record<string, string | number | undefined>>;
  json?: unknown;
  idempotencyKey?: string;
}

/** Runs an operation, and returns the body of its response. */
export type RunOperation = <T>(operation: ToolOperation, call?: ToolCall) => Promise<T>;

/**
 * Returns how operations run for a connection: in this process, with what the connection authenticated, and with every
 * other guard that they have at /v1.
 *
 * @param authorization the header by which the connection's calls count
 */
export function toolOperations(
  operations: ToolOperations,
  key: AuthenticatedKey,
  authorization: string | null,
): RunOperation {
  return async <T>(operation: ToolOperation, { id = "", query = {}, json = {}, idempotencyKey }: ToolCall = {}) => {
    if (idempotencyKey !== undefined) await requireOwn(key.context, idempotencyKey);
    const [method, pattern] = TOOL_OPERATIONS[operation];
    const name = /\{(\w+)\}/.exec(pattern)?.[1];
    const search = new URLSearchParams();
    for (const [field, value] of Object.entries(query)) if (value !== undefined) search.set(field, String(value));
    const bytes = method === "GET" ? new Uint8Array() : new TextEncoder().encode(JSON.stringify(json));
    const sent = { headers: new Headers(), body: null, readBody: async () => bytes };
    const call = {
      ...{ method, search, authorization, cookies: null, idempotencyKey: idempotencyKey ?? null },
      path: pattern.replace(/\{\w+\}/, encodeURIComponent(id)),
      readBody: (limit: Parameters<typeof readJsonBytes>[1], line?: string) => readJsonBytes(sent, limit, line),
    };
    const run = operationOf(operations[operation]);
    // What the operation records does not mix with what the tool's request does.
    const { status, headers, text } = await withRequest({}, () =>
      run(key, call, name === undefined ? {} : { [name]: id }),
    );
    const body: unknown = text === null ? undefined : JSON.parse(String(text));
    if (status >= 400) throw errorOfResponse({ status, headers: new Headers(headers), body });
    return body as T;
  };
}

/**
 * Refuses an `Idempotency-Key` that another token of the agent has used, because that token may have made the request
 * already.
 */
async function requireOwn(ctx: KeyContext, idempotencyKey: string): Promise<void> {
  if (await claimRequest(ctx, idempotencyKey)) return;
  throw new NoResponse(
    "outcome_unknown",
    "An earlier connection of this agent used this idempotency_key. What it asked for may have been paid: look at " +
      "list_transfers and list_held_payments before you pay again, with a new one.",
  );
}
