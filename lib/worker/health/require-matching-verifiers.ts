import { setTimeout as sleep } from "node:timers/promises";
import { BaseError, ContractFunctionRevertedError, ContractFunctionZeroDataError } from "viem";
import { EnvError } from "@/lib/base/env-secrets";
import type { ChainId } from "@/lib/base/network";
import { log } from "@/lib/base/telemetry/log";
import { CHAIN_IDS } from "@/lib/chain/clients";
import { hasOwnVerifiers } from "@/lib/chain/has-own-verifiers";

/** The node may be away: then the process starts without this check, and `/status` repeats it. */
const PATIENCE_MS = 5_000;

/**
 * Stops the start of a process if its ledger verifies proofs with other verifiers than those this build has the proving
 * keys of: the ledger would refuse every proof.
 *
 * @throws EnvError naming the variable and what to do
 */
export async function requireMatchingVerifiers(chainIds: readonly ChainId[] = CHAIN_IDS): Promise<void> {
  await Promise.all(chainIds.map(requireOwnLedger));
}

async function requireOwnLedger(chainId: ChainId): Promise<void> {
  const own = await Promise.race([
    hasOwnVerifiers(chainId).catch(refusedOrAway),
    sleep(PATIENCE_MS, null, { ref: false }),
  ]);
  if (own === null) log().warn({ chain_id: chainId }, "started without comparing the ledger's verifiers: no response");
  if (own !== false) return;
  throw new EnvError(
    `LEDGER_ADDRESS_${chainId} is a ledger whose verifiers are not those of the proving keys here, or no ledger: set it to ` +
      "one that this version deployed, or run the version that deployed it.",
  );
}

/** Returns false if the chain's response shows that there is no ledger; null if the chain could not be asked. */
function refusedOrAway(error: unknown): false | null {
  const says = (cause: unknown) =>
    cause instanceof ContractFunctionRevertedError || cause instanceof ContractFunctionZeroDataError;
  return error instanceof BaseError && error.walk(says) ? false : null;
}
