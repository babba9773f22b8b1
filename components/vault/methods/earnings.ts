import type { Context } from "@/sdk/context/context";
import type { StatementInput } from "@/sdk/statements/statement-input";
import { type Earnings, earnings as read } from "@/sdk/x402/earnings";
import type { Tools } from "./method";

/** Sums what was sold over HTTP 402, in the worker. Progress counts chain events, as for a statement. */
export function earnings(context: Context, input: StatementInput, { progress, signal }: Tools): Promise<Earnings> {
  return read(context, input, { progress, signal });
}
