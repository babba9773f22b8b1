import { env } from "@/lib/env";
import { EnvError } from "@/lib/env-secrets";
import { log } from "@/lib/telemetry/log";
import { PublicProver, privateAddresses } from "./private-addresses";

/**
 * Stops a process from starting if its provers are outside of the operator's network. A host name that does not resolve
 * yet is accepted, because each connection checks again.
 *
 * @throws EnvError
 */
export async function requirePrivateProver(url = env().prover?.url): Promise<void> {
  if (url === undefined) return;
  try {
    await privateAddresses(new URL(url).hostname.replace(/^\[|\]$/g, ""));
  } catch (error) {
    if (error instanceof PublicProver) throw new EnvError(error.message);
    log().warn({ code: (error as NodeJS.ErrnoException).code }, "the name in PROVER_URL stands for no address yet");
  }
}
