import { resolveRecipient } from "@/lib/accounts/resolve-recipient";
import { requireOwner } from "@/lib/agents/require-owner";
import type { Context } from "@/lib/base/context/context";
import { FAILING_HANDLE } from "@/lib/payments/fails-always";
import { requireLocal } from "./require-local";

/**
 * The handle of a recipient whose payments always fail. Local chains only.
 *
 * @throws ApiError `not_found` elsewhere, `not_agent_owner` to an agent's key, `recipient_not_found` on a stack that
 *   did not create it
 */
export async function failingRecipient(ctx: Context): Promise<{ to: string }> {
  requireLocal(ctx.chainId);
  requireOwner(ctx);
  const to = `@${FAILING_HANDLE}`;
  await resolveRecipient(ctx.chainId, to);
  return { to };
}
