/*
 * Every path of an API with its methods. The server in front refuses all others, because Next.js would respond without
 * a body or in HTML. The OpenAPI document and the tests of each operation read these tables too, and a test compares
 * them with `app`. `{name}` is one segment; `*` at the end is the rest of the path.
 */

/** Below /v1: with an API key, many also with a session. */
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
  "/v1/request-log": ["GET"],
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
  "/v1/payouts/{payout_id}/rows": ["GET", "POST"],
  "/v1/test_helpers/clock/advance": ["POST"],
  "/v1/test_helpers/failing_recipient": ["GET"],
  "/v1/test_helpers/transactions/{transaction_id}/expire": ["POST"],
  "/v1/transfers": ["GET", "POST"],
  "/v1/transfers/batch": ["POST"],
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

/** Below /api: what a wallet app does with a signed-in wallet, and what needs no one (docs/session-api.md). */
export const SESSION_ROUTES: Readonly<Record<string, readonly string[]>> = {
  "/api/account-secret": ["POST"],
  "/api/account-secret/agents": ["GET"],
  "/api/account-secret/held": ["GET"],
  "/api/account-secret/payouts": ["GET", "POST"],
  "/api/account-secret/encrypted": ["POST"],
  "/api/account-secret/signers": ["POST"],
  "/api/account-settings": ["PATCH"],
  "/api/accounts": ["POST"],
  "/api/accounts/resolve": ["GET"],
  "/api/agents/transactions": ["GET"],
  "/api/agents/transactions/count": ["GET"],
  "/api/agents/transactions/reject": ["POST"],
  "/api/agents/{account_id}/end": ["POST"],
  "/api/agents/{account_id}/refunds": ["GET", "POST"],
  "/api/make-available": ["POST"],
  "/api/audit-log/anchor": ["GET"],
  "/api/auth/*": ["GET", "POST"],
  "/api/backups": ["GET", "POST"],
  "/api/backups/{backup_id}": ["DELETE"],
  "/api/available-balances/abandon": ["POST"],
  "/api/available-balances/lock": ["DELETE", "POST"],
  "/api/available-balances/sync": ["POST"],
  "/api/connections": ["GET", "POST"],
  "/api/connections/{id}": ["DELETE"],
  "/api/counterparties": ["GET"],
  "/api/deliveries": ["GET"],
  "/api/deliveries/{delivery_id}": ["GET"],
  "/api/deposits": ["POST"],
  "/api/enrollments": ["POST"],
  "/api/faucet": ["POST"],
  "/api/guard": ["POST"],
  "/api/keys": ["GET", "POST"],
  "/api/keys/{id}": ["DELETE"],
  "/api/keys/{id}/usage": ["GET"],
  "/api/kyc/verify": ["POST"],
  "/api/kyc/webhook": ["POST"],
  "/api/ledger": ["GET"],
  "/api/ledger/all": ["GET"],
  "/api/limits": ["DELETE", "GET", "PATCH"],
  "/api/network": ["GET"],
  "/api/notifications": ["GET", "PATCH"],
  "/api/notifications/confirm": ["POST"],
  "/api/notifications/devices": ["POST"],
  "/api/notifications/devices/{device_id}": ["DELETE"],
  "/api/notifications/email": ["DELETE", "POST"],
  "/api/notifications/unsubscribe": ["GET", "POST"],
  "/api/operations/{id}": ["GET"],
  "/api/pay/{id}": ["GET"],
  "/api/payment-key": ["POST"],
  "/api/request-tags": ["GET", "POST"],
  "/api/search": ["GET"],
  "/api/sessions": ["GET"],
  "/api/sessions/reload-share": ["GET"],
  "/api/sessions/{id}": ["DELETE"],
  "/api/shared-views": ["GET", "POST"],
  "/api/shared-views/{shared_view_id}": ["DELETE"],
  "/api/shown-funds": ["GET", "POST"],
  "/api/siwe/nonce": ["GET"],
  "/api/stream": ["GET"],
  "/api/transfers/check": ["POST"],
  "/api/views/{id}": ["GET"],
  "/api/webhooks/{webhook_id}/retry": ["POST"],
  "/api/withdrawals": ["POST"],
};

/** Every path under /x402: the facilitator, whose paths the protocol defines. */
const X402_ROUTES: Readonly<Record<string, readonly string[]>> = {
  "/x402/settle": ["POST"],
  "/x402/supported": ["GET"],
  "/x402/verify": ["POST"],
};

/** Where an application sends its user to connect it. */
const LINK_ROUTES: Readonly<Record<string, readonly string[]>> = { "/oauth/authorize": ["GET"] };

/** The MCP server of each network, and the OAuth endpoints for getting a token for it. */
const MCP_ROUTES: Readonly<Record<string, readonly string[]>> = {
  "/mcp/{network}": ["POST"],
  "/oauth/register": ["POST"],
  "/oauth/revoke": ["POST"],
  "/oauth/token": ["POST"],
};

/** All of them. */
export const ROUTES: Readonly<Record<string, readonly string[]>> = {
  ...V1_ROUTES,
  ...SESSION_ROUTES,
  ...X402_ROUTES,
  ...LINK_ROUTES,
  ...MCP_ROUTES,
};

/** The paths that the server in front serves itself, without Next.js's router: all that need no `Response` of theirs. */
export const DIRECT_PATHS: readonly string[] = Object.keys({
  ...V1_ROUTES,
  ...SESSION_ROUTES,
  ...X402_ROUTES,
  ...LINK_ROUTES,
  // next-auth's needs Next.js.
}).filter((at) => !at.endsWith("*"));

const MATCHERS = Object.entries(ROUTES)
  .filter(([pattern]) => /[{*]/.test(pattern))
  .map(([pattern, methods]) => ({
    expression: new RegExp(`^${pattern.replace(/\{\w+\}/g, "[^/]+").replace(/\*$/, ".+")}$`),
    methods,
  }));

/** Returns the methods of a path (without query); undefined if there is no such path. */
export function methodsOf(path: string): readonly string[] | undefined {
  return Object.hasOwn(ROUTES, path) && !path.endsWith("*")
    ? ROUTES[path]
    : MATCHERS.find(({ expression }) => expression.test(path))?.methods;
}
