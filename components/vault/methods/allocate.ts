import { type AllocateInput, type AllocateResult, allocate as move } from "@/sdk/allocate";
import type { Context } from "@/sdk/context";
import type { Tools } from "./method";

/** Changes the budget; the wallet signs each allocation. Returns when all are final. */
export function allocate(
  context: Context,
  input: Omit<AllocateInput, "onPending">,
  { onPending }: Tools,
): Promise<AllocateResult> {
  return move(context, { ...input, onPending });
}
