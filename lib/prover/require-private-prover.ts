import { EnvError, env } from "@/lib/env";
import { log } from "@/lib/telemetry/log";
import { PublicProver, privateAddresses } from "./private-addresses";

/**
 * Ends the start of a process whose provers are outside of the operator's network. A name that stands for nothing yet is
 * no reason: each connection asks again.
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
