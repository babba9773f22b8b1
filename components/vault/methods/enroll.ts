import type { Context } from "@/sdk/context";
import { type SignupInput, type SignupResult, signup } from "@/sdk/signup";

/** Makes the account and enrols it: the root is made and sealed in the worker. Safe to repeat. */
export function enroll(context: Context, input: SignupInput): Promise<SignupResult> {
  return signup(context, input);
}
