import type { Statement } from "@/lib/payments/statements/statement";
import type { Context } from "@/sdk/context/context";
import { createStatement } from "@/sdk/statements/create-statement";
import type { StatementInput } from "@/sdk/statements/statement-input";
import type { Tools } from "./method";

/** Creates a statement in the worker. Progress counts the chain events of one account. Stops if aborted. */
export function statement(context: Context, input: StatementInput, { progress, signal }: Tools): Promise<Statement> {
  return createStatement(context, input, { progress, signal });
}
