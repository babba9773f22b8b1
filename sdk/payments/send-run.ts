import type { Hex } from "viem";
import type { Context } from "../context/context";
import { type RunToPay, type SendOptions, sendAndSettle } from "./send";
import { type SendManyInput, sendMany } from "./send-many";

/**
 * Makes the payments of a schedule's run, several with one proof, and waits for the chain.
 *
 * @returns their transaction
 */
export async function sendRun(
  context: Context,
  { payments, asset, ...options }: SendManyInput & SendOptions,
  run: RunToPay,
): Promise<Hex> {
  const [one, ...others] = payments;
  if (!one) throw new RangeError("a run has a payment");
  const sent =
    others.length > 0
      ? sendMany(context, { payments, asset, ...options }, run)
      : sendAndSettle(context, { ...one, asset, clientSigned: true, ...options }, run);
  return (await sent).tx_hash;
}
