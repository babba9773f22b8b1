import { type AllocateInput, type AllocateResult, allocate as move } from "@/sdk/allocate";
import type { Context } from "@/sdk/context";

/** Changes the budget; the wallet signs each allocation. Returns when all are final. */
export function allocate(context: Context, input: AllocateInput): Promise<AllocateResult> {
  return move(context, input);
}
