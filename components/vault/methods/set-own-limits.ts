import type { SpendPolicyFields } from "@/sdk/api/resources/agents";
import type { Context } from "@/sdk/context/context";
import { caughtUp } from "@/sdk/payments/attempts/settle";
import { setLimits } from "@/sdk/payments/funding/limits";

/**
 * Sets the limits of the account's own keys. The wallet signs. Resolves once the service's index has them, since the
 * next page is rendered from it, or after a while.
 */
export async function setOwnLimits(context: Context, { fields }: { fields: SpendPolicyFields }) {
  const limits = await setLimits(context, fields);
  await caughtUp(context, async () => {
    const { limited } = await context.account();
    return { status: limited ? "indexed" : "pending" };
  });
  return limits;
}
