import { env, parseEnv } from "@/lib/base/env";

/**
 * Runs something like a process with other settings: how two processes use the same database while an operator changes
 * a variable. Not for concurrent use.
 */
export async function withSettings<T>(changes: Record<string, string | undefined>, run: () => Promise<T>): Promise<T> {
  const [ours, theirs] = [env(), parseEnv({ ...process.env, ...changes })];
  const before = Object.getOwnPropertyDescriptors(ours);
  Object.defineProperties(ours, Object.getOwnPropertyDescriptors(theirs));
  try {
    return await run();
  } finally {
    Object.defineProperties(ours, before);
  }
}
