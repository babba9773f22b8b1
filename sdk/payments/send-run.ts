import type { Context } from "../context/context";
import { type RunToPay, type SendOptions, sendAndSettle } from "./send";
import { type SendManyInput, sendMany } from "./send-many";

/** Makes the payments of a schedule's run, several with one proof, and waits for the chain. */
export async function sendRun(
  context: Context,
  { payments, asset, ...options }: SendManyInput & SendOptions,
  run: RunToPay,
): Promise<void> {
  const [one, ...others] = payments;
  if (!one) throw new RangeError("a run has a payment");
  if (others.length > 0) await sendMany(context, { payments, asset, ...options }, run);
  else await sendAndSettle(context, { ...one, asset, prepared: true, ...options }, run);
}
