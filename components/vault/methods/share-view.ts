import type { Context } from "@/sdk/context/context";
import { createDisclosure } from "@/sdk/statements/shared-views/create-disclosure";
import type { CreateDisclosureInput, CreatedDisclosure } from "@/sdk/statements/shared-views/disclosure-input";
import type { Tools } from "./method";

/**
 * Shares a view of payments, decrypted and encrypted again in the worker. Its link leaves the worker once, to be shown.
 */
export function shareView(
  context: Context,
  input: CreateDisclosureInput,
  { progress, signal }: Tools,
): Promise<CreatedDisclosure> {
  return createDisclosure(context, input, { progress, signal });
}
