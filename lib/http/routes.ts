/**
 * Every path under /v1 with its methods. The server in front refuses all others, because Next.js would respond without
 * a body or in HTML. A test compares this table with `app/v1`.
 */
export const V1_ROUTES: Readonly<Record<string, readonly string[]>> = {
  "/v1/accounts/me": ["GET"],
  "/v1/accounts/me/agents": ["GET", "POST"],
  "/v1/accounts/me/balances": ["GET", "POST"],
  "/v1/agents/transactions/pending": ["GET"],
  "/v1/agents/transactions/{transaction_id}": ["GET"],
  "/v1/agents/transactions/{transaction_id}/approve": ["POST"],
  "/v1/agents/transactions/{transaction_id}/reject": ["POST"],
  "/v1/agents/{account_id}/pause": ["POST"],
  "/v1/agents/{account_id}/resume": ["POST"],
  "/v1/agents/{account_id}/spend-policy": ["GET", "PATCH"],
  "/v1/agents/{account_id}/spend-policy/simulate": ["POST"],
  "/v1/audit-log": ["GET"],
  "/v1/events": ["GET"],
  "/v1/events/{event_id}": ["GET"],
  "/v1/payment-requests": ["GET", "POST"],
  "/v1/payment-requests/{payment_request_id}": ["GET"],
  "/v1/payment-requests/{payment_request_id}/cancel": ["POST"],
  "/v1/payment-requests/{payment_request_id}/report": ["POST"],
  "/v1/schedules": ["GET", "POST"],
  "/v1/schedules/{schedule_id}": ["DELETE", "GET", "PATCH"],
  "/v1/schedules/{schedule_id}/runs": ["GET", "POST"],
  "/v1/schedules/{schedule_id}/runs/{run_id}": ["GET"],
  "/v1/schedules/{schedule_id}/runs/{run_id}/pay": ["POST"],
  "/v1/schedules/{schedule_id}/skip": ["POST"],
  "/v1/payouts": ["GET", "POST"],
  "/v1/payouts/{payout_id}": ["GET"],
  "/v1/payouts/{payout_id}/cancel": ["POST"],
  "/v1/payouts/{payout_id}/resume": ["POST"],
  "/v1/payouts/{payout_id}/rows": ["GET"],
  "/v1/test_helpers/clock/advance": ["POST"],
  "/v1/test_helpers/failing_recipient": ["GET"],
  "/v1/test_helpers/transactions/{transaction_id}/expire": ["POST"],
  "/v1/transfers": ["GET", "POST"],
  "/v1/transfers/plan": ["POST"],
  "/v1/transfers/{transfer_id}": ["GET"],
  "/v1/webhooks": ["GET", "POST"],
  "/v1/webhooks/{webhook_id}": ["DELETE", "PATCH"],
  "/v1/webhooks/{webhook_id}/deliveries": ["GET"],
  "/v1/webhooks/{webhook_id}/redeliver": ["POST"],
  "/v1/webhooks/{webhook_id}/replay/{event_id}": ["POST"],
  "/v1/webhooks/{webhook_id}/rotate-secret": ["POST"],
  "/v1/webhooks/{webhook_id}/test": ["POST"],
};

/** Every path under /x402: the facilitator, whose paths the protocol defines. */
export const X402_ROUTES: Readonly<Record<string, readonly string[]>> = {
  "/x402/settle": ["POST"],
  "/x402/supported": ["GET"],
  "/x402/verify": ["POST"],
};

/** The MCP server of each network, and the OAuth endpoints for getting a token for it. */
export const MCP_ROUTES: Readonly<Record<string, readonly string[]>> = {
  "/mcp/{network}": ["POST"],
  "/oauth/authorize": ["GET"],
  "/oauth/register": ["POST"],
  "/oauth/revoke": ["POST"],
  "/oauth/token": ["POST"],
};

const MATCHERS = Object.entries({ ...V1_ROUTES, ...X402_ROUTES, ...MCP_ROUTES }).map(([pattern, methods]) => ({
  expression: new RegExp(`^${pattern.replace(/\{[a-z_]+\}/g, "[^/]+")}$`),
  methods,
}));

/** Returns the methods of a path (without query); undefined if there is no such path. */
export function methodsOf(path: string): readonly string[] | undefined {
  return MATCHERS.find(({ expression }) => expression.test(path))?.methods;
}
