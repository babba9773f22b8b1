import { db } from "@/db/client";
import type { Context, SessionContext } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import { getOperation } from "@/lib/chain/operations/get-operation";
import { type OperationRecord, toOperationResource } from "@/lib/chain/operations/operation-resource";
import { optimisticRead } from "@/lib/chain/optimistic-read";
import { toHex } from "@/lib/ledger/crypto/bytes";
import { type PolicyView, toPolicyResource } from "./agent-resource";
import { findOwnAgent } from "./find-own-agent";
import type { LockedPolicy } from "./lock-agent";
import { lockPolicy } from "./lock-policy";
import type { PolicyHolder } from "./party-at-latest";
import { type PolicyStanding, policyStanding, readStanding } from "./policy-in-force";
import { requireOwner } from "./require-owner";

/** A policy with what its owner's client needs to sign the next one. */
export interface OwnersPolicyView extends PolicyView {
  inForce: PolicyStanding["inForce"];
  /** The version over which the next policy is signed: the ledger's, once everything under way has been mined. */
  policyVersion: bigint;
  setting: Pick<LockedPolicy, "salt" | "version" | "resolved">;
  paused: boolean;
  /** The operation that relays the policy to the ledger. */
  operation: OperationRecord | null;
}

/**
 * Returns the policy of one of the caller's agents as its owner's client sees it.
 *
 * @throws ApiError `not_found`; `not_agent_owner`, also if the caller is an agent
 */
export async function readOwnersPolicy(ctx: Context, agentId: string): Promise<OwnersPolicyView> {
  requireOwner(ctx);
  const agent = await findOwnAgent(ctx, agentId);
  const view = await readPolicyOf(ctx, agent, "agent");
  if (!view) throw new Error("an agent has lost its policy");
  return view;
}

/**
 * Returns the policy that the caller's account has set for its own keys.
 *
 * @throws ApiError `not_found` if there is none; `not_agent_owner` if the caller is an agent
 */
export async function readLimits(ctx: SessionContext): Promise<OwnersPolicyView> {
  requireOwner(ctx);
  const view = await readPolicyOf(ctx, ctx.account, "personal");
  if (view) return view;
  throw new ApiError("not_found", "This account's keys have no limits of their own on this network.");
}

/**
 * Returns the policy of an agent or account as its client needs it to prove a payment under it; null if it has none.
 */
export async function readPolicyOf(
  ctx: Context,
  holder: PolicyHolder,
  type: "agent" | "personal",
): Promise<OwnersPolicyView | null> {
  const { chainId } = ctx;
  const found = await optimisticRead(
    () => readStanding(chainId, holder),
    (read) =>
      db().transaction(async (tx) => {
        const locked = await lockPolicy(tx, chainId, { id: holder.id, type }, "share");
        return locked && { locked, standing: await policyStanding(tx, read, locked) };
      }),
  );
  if (!found) return null;
  const { locked, standing } = found;
  return {
    id: locked.policyId,
    policy: locked.policy,
    updatedAt: locked.policyUpdatedAt,
    inForce: standing.inForce,
    policyVersion: standing.policyVersion,
    setting: locked,
    paused: locked.status !== "active",
    operation: locked.setBy === null ? null : await operationOf(ctx, locked.setBy),
  };
}

async function operationOf({ chainId, account }: Context, id: string): Promise<OperationRecord | null> {
  try {
    return await getOperation({ chainId, account, address: account.address }, id);
  } catch (error) {
    if (error instanceof ApiError && error.code === "not_found") return null;
    throw error;
  }
}

/** Serializes a policy for its owner. This includes the salt, which hides the policy from others who read the chain. */
export function toOwnersPolicy(view: OwnersPolicyView) {
  const { inForce, policyVersion, setting, paused, operation } = view;
  const { salt, version, resolved } = setting;
  return {
    ...toPolicyResource(view),
    in_force: inForce,
    ledger: {
      policy_version: policyVersion.toString(),
      version: version.toString(),
      salt: toHex(salt),
      resolved: resolved === "anyone" ? [] : [...resolved],
      any_recipient: resolved === "anyone",
      paused,
    },
    operation: operation && toOperationResource(operation),
  };
}

/** Serializes an agent's policy, with what its owner's client needs if that was read. */
export function toPolicy(view: PolicyView | OwnersPolicyView) {
  return "inForce" in view ? toOwnersPolicy(view) : toPolicyResource(view);
}

/** Serializes the policy that an account has set for its own keys. */
export function toLimits(view: OwnersPolicyView) {
  const { policy_id: _, ...limits } = toOwnersPolicy(view);
  return limits;
}
