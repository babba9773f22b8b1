import type { Context } from "@/sdk/context";
import { withdraw as release, type WithdrawInput } from "@/sdk/withdraw";
import type { Tools } from "./method";
import type { Accepted } from "./send";

/** Pays out of the budget to an address, in public. Returns once the service has accepted it. */
export function withdraw(
  context: Context,
  input: Omit<WithdrawInput, "wait" | "onPending">,
  { onPending }: Tools,
): Promise<Accepted> {
  return release(context, { ...input, onPending, wait: false });
}
