import type { Context } from "@/sdk/context";
import { type CreateKeyInput, createKey as create } from "@/sdk/keys";

/** Makes an API key. Its text leaves the worker once, to be shown. */
export function createKey(context: Context, input: CreateKeyInput): Promise<{ key_id: string; api_key: string }> {
  return create(context, input);
}
