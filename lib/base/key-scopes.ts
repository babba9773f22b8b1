/**
 * The scopes to which an API key can be narrowed. `read` allows every GET, balances and simulating a policy; `pay` moves
 * money from the available balances of the account and its agents, and dry runs of such payments; `agents` registers,
 * pauses and resumes agents and changes their policies; `approvals` decides payments awaiting approval; `webhooks`
 * changes subscriptions and repeats deliveries; `requests` creates, cancels and reports payment requests.
 */
export const KEY_SCOPES = ["read", "pay", "agents", "approvals", "webhooks", "requests"] as const;

export type KeyScope = (typeof KEY_SCOPES)[number];

/** Sets of scopes that people pick by name. `full` does not narrow: the key can do everything the API offers. */
export const SCOPE_PRESETS = {
  payments: ["read", "pay"],
  "read-only": ["read"],
  operations: ["read", "agents", "approvals", "webhooks"],
  full: null,
} as const satisfies Record<string, readonly KeyScope[] | null>;

export type ScopePreset = keyof typeof SCOPE_PRESETS;

/**
 * Reports whether a key with these scopes needs the account secret. A key that doesn't need it carries no encrypted
 * copy, so stealing the key, the database and the server together still decrypts nothing.
 *
 * @param scopes null if the key is not narrowed
 */
export function needsSecret(scopes: readonly KeyScope[] | null): boolean {
  return scopes === null || scopes.some((scope) => scope === "pay" || scope === "agents" || scope === "approvals");
}
