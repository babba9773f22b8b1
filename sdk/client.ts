import type { Prove } from "@/lib/ledger/prepare/witness";
import type { Context } from "./context/context";
import { HalcyonClient } from "./halcyon-client";
import { type HalcyonOptions, nodeContext } from "./platform/node-context";

let prover: Prove | undefined;

/** One for all clients of this process: curve and circuits are loaded once. */
async function localProver(): Promise<Prove> {
  const { createLocalProver } = await import("@/lib/prover/create-local-prover");
  prover ??= createLocalProver().prove;
  return prover;
}

/** The context of a program in this repository: it proves with the circuits that lie here, without the service. */
export function repositoryContext(options: HalcyonOptions): Context {
  return nodeContext(options, localProver);
}

/**
 * A client of one Halcyon service on one network. Wallet key, root, viewing key and budget secret stay in this process;
 * each method returns when its effect is final on chain and usable by the next.
 *
 * @example
 * const alice = new Halcyon({ walletKey: process.env.HALCYON_WALLET_KEY as `0x${string}` });
 * await alice.signup({ handle: "alice" });
 * await alice.faucet({ amount: "1000" });
 * await alice.allocate();
 * const { api_key } = await alice.createKey({ label: "server" });
 * const payer = new Halcyon({ apiKey: api_key });
 * await payer.send({ to: "@bob", amount: "25" });
 * @throws HalcyonError everywhere; its `code` is one of the API's
 */
export class Halcyon extends HalcyonClient {
  constructor(options: HalcyonOptions = {}) {
    super(repositoryContext(options));
  }
}
