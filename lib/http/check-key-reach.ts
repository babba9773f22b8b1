import { notAgentOwner } from "@/lib/agents/find-own-agent";
import type { KeyContext } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import type { KeyScope } from "@/lib/base/key-scopes";

/** The part of a route's declaration that says which keys may call it. */
interface KeyReach {
  agentKeys?: "allowed" | "not_agent_owner";
  scope?: KeyScope;
  scheduleKeys?: "allowed";
}

/**
 * Refuses a key that may not call a route.
 *
 * @throws ApiError `key_forbidden` or `not_agent_owner`
 */
export function checkKeyReach(ctx: KeyContext, { agentKeys, scope, scheduleKeys }: KeyReach): void {
  checkAgentKey(ctx, agentKeys);
  checkScheduleKey(ctx, scheduleKeys);
  checkScope(ctx, scope);
}

/** Keys of one agent may call only a few routes (docs/contract-notes.md, Keys). */
function checkAgentKey({ account }: KeyContext, agentKeys: "allowed" | "not_agent_owner" | undefined): void {
  if (account.type !== "agent" || agentKeys === "allowed") return;
  if (agentKeys === "not_agent_owner") throw notAgentOwner();
  throw new ApiError("key_forbidden", "An agent's key does not reach this. Use a key of its owner's account.");
}

/** A key created for one schedule can only read it and pay its runs. The verb checks which schedule it is. */
function checkScheduleKey({ scheduleId }: KeyContext, scheduleKeys: "allowed" | undefined): void {
  if (scheduleId === undefined || scheduleKeys === "allowed") return;
  throw new ApiError(
    "key_forbidden",
    "This key was created for one schedule: it pays that schedule's runs, nothing else.",
  );
}

/** A key without scopes may call everything; a narrowed key only what its scopes allow. */
function checkScope({ scopes }: KeyContext, scope: KeyScope | undefined): void {
  if (scopes === null || (scope !== undefined && scopes.includes(scope))) return;
  throw new ApiError("key_forbidden", `This API key lacks the scope "${scope ?? "none"}". Use one that has it.`);
}
