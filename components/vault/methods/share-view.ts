import type { Context } from "@/sdk/context/context";
import { createSharedView } from "@/sdk/statements/shared-views/create-shared-view";
import type { CreatedSharedView, CreateSharedViewInput } from "@/sdk/statements/shared-views/shared-view-input";
import type { Tools } from "./method";

/**
 * Shares a view of payments, decrypted and encrypted again in the worker. Its link leaves the worker once, to be shown.
 */
export function shareView(
  context: Context,
  input: CreateSharedViewInput,
  { progress, signal }: Tools,
): Promise<CreatedSharedView> {
  return createSharedView(context, input, { progress, signal });
}
