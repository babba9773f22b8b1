import { account } from "./account";
import { callAsOwner, findAgent } from "./agents";
import type { Context } from "./context";

/** The fields of a spend policy that its owner sets (docs/developer-rest-api.md, Spend policy). */
export interface PolicyFields {
  daily_limit_usdg?: number;
  per_transaction_limit_usdg?: number;
  /** Payments over this are held for approval. */
  hitl_threshold_usdg?: number;
  /** Handles, addresses, `*` or `*.<domain>`. */
  allowed_recipients?: string[];
  assets?: string[];
  /** `HH:MM-HH:MM`. */
  active_hours?: string;
  /** IANA name; UTC when left out. */
  time_zone?: string;
  /** Of assets other than USDG: decimal strings. */
  limits?: Record<string, { daily: string; per_transaction: string; hitl_threshold: string }>;
}

/** A spend policy as it is stored. */
export interface SpendPolicy extends Required<PolicyFields> {
  policy_id: string;
  updated_at: string;
}

/**
 * An agent's spend policy.
 *
 * @param name `bot` or `@alice/bot`; an agent's own key may leave it out
 */
export async function getPolicy(context: Context, name?: string): Promise<SpendPolicy> {
  const { account_id } = name === undefined ? await account(context) : await findAgent(context, name);
  if (name === undefined) {
    const path = `/v1/agents/${account_id}/spend-policy`;
    return (await context.http.send("GET", path, { headers: context.bearer })).body as SpendPolicy;
  }
  return callAsOwner<SpendPolicy>(context, "GET", `/${account_id}/spend-policy`);
}

/**
 * Changes the given fields of an agent's policy; the others keep their values. Holds for every payment after it.
 *
 * @example
 * await halcyon.setPolicy("bot", { daily_limit_usdg: 50 });
 * @throws HalcyonError `invalid_policy` naming the field
 */
export async function setPolicy(context: Context, name: string, fields: PolicyFields): Promise<SpendPolicy> {
  const { account_id } = await findAgent(context, name);
  return callAsOwner<SpendPolicy>(context, "PATCH", `/${account_id}/spend-policy`, fields);
}
