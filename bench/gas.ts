import { artifactFiles, repositoryRoot } from "@/lib/prover/artifact-files";
import { createInThreadProver } from "@/lib/prover/create-in-thread-prover";
import { everyCall } from "@/scripts/contracts/every-call";
import { type GasFigures, gasFigures } from "@/scripts/contracts/gas-figures";
import { startLocalSite } from "@/scripts/contracts/local-site";

/**
 * Measures the gas of whole transactions on the ledger, including ciphertexts and signature, but without the L1 data
 * fee of the real chains. Taken from receipts on a fresh local chain, with real proofs. Measures the steady state:
 * accounts, available balances, policies and balances already exist, and only what is new each time (a note, a payment
 * id) is written for the first time.
 */
export async function run(): Promise<GasFigures & { goals: Record<string, string> }> {
  const { prove } = createInThreadProver(artifactFiles(repositoryRoot()));
  const { site, stop } = await startLocalSite(prove);
  try {
    const used: Record<string, number> = {};
    await everyCall({
      ...site,
      async send(call) {
        used[call.name] = Number((await site.transact(call)).gasUsed);
      },
    });
    return {
      ...gasFigures(used),
      goals: {
        transfer: "<= 285000",
        spendAmong16: "<= 322000",
        transferManyPerPayment: "<= 55000",
        fund: "<= 298000",
        release: "<= 298000",
      },
    };
  } finally {
    await stop();
  }
}
