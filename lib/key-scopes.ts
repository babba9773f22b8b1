/**
 * What an API key may be narrowed to. `read` serves every GET, dry decisions and balances; `pay` moves money from the
 * account's and its agents' budgets; `agents` registers agents, changes their policies, pauses and resumes them;
 * `approvals` decides held payments; `webhooks` changes subscriptions and sends deliveries again; `requests` creates, cancels and
 * reports payment requests.
 */
export const KEY_SCOPES = ["read", "pay", "agents", "approvals", "webhooks", "requests"] as const;

export type KeyScope = (typeof KEY_SCOPES)[number];

/** Sets of scopes that people pick by name. `full` narrows nothing: the key does everything the API offers. */
export const SCOPE_PRESETS = {
  payments: ["read", "pay"],
  "read-only": ["read"],
  operations: ["read", "agents", "approvals", "webhooks"],
  full: null,
} as const satisfies Record<string, readonly KeyScope[] | null>;

export type ScopePreset = keyof typeof SCOPE_PRESETS;

/**
 * Whether a key opens the budget secret for something. A key that never does wraps none, so that stealing it, the
 * database and the server together opens nothing.
 *
 * @param scopes null: not narrowed
 */
export function needsSecret(scopes: readonly KeyScope[] | null): boolean {
  return scopes === null || scopes.some((scope) => scope === "pay" || scope === "agents" || scope === "approvals");
}
