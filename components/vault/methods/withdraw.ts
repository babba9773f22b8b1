import type { Context } from "@/sdk/context";
import { type WithdrawInput, withdrawPrepared } from "@/sdk/withdraw";
import type { Tools } from "./method";
import { type Accepted, accepted } from "./send";

/** Pays out of the budget to an address, in public. Returns once the service has accepted it. */
export async function withdraw(
  context: Context,
  input: Omit<WithdrawInput, "wait" | "onPending">,
  { onPending }: Tools,
): Promise<Accepted> {
  const { answer, seen, pending } = await withdrawPrepared(context, { ...input, onPending });
  return accepted(answer, seen, pending);
}
