import type { Statement } from "@/lib/statements/statement";
import type { Context } from "@/sdk/context/context";
import { createStatement } from "@/sdk/statements/create-statement";
import type { StatementInput } from "@/sdk/statements/statement-input";
import type { Tools } from "./method";

/** Makes a statement in the worker. Progress counts the chain's events of one account; ends early when it is no longer wanted. */
export function statement(context: Context, input: StatementInput, { progress, signal }: Tools): Promise<Statement> {
  return createStatement(context, input, { progress, signal });
}
