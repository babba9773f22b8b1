import type { Prover } from "@/lib/prover/prover";
import type { Context } from "./context/context";
import { NodeClient } from "./node-client";
import { type HalcyonOptions, nodeContext, offersFolder } from "./platform/node-context";

let prover: Prover | undefined;

/** One for all clients of this process: curve and circuits are loaded once. */
async function localProver(): Promise<Prover> {
  const { createLocalProver } = await import("@/lib/prover/create-local-prover");
  prover ??= createLocalProver();
  return prover;
}

/** The context of a program in this repository: it proves with the circuits that lie here, without the service. */
export function repositoryContext(options: HalcyonOptions): Context {
  return nodeContext(options, localProver);
}

/**
 * A client of one Halcyon service on one network. Wallet key, account key, viewing key and account secret stay in this
 * process; each method returns when its effect is final on chain and usable by the next.
 *
 * @example
 * const alice = new Halcyon({ walletKey: process.env.HALCYON_WALLET_KEY });
 * await alice.account.create({ handle: "alice" });
 * await alice.testHelpers.faucet({ amount: "1000" });
 * await alice.balances.makeAvailable();
 * const { api_key } = await alice.keys.create({ label: "server" });
 * const payer = new Halcyon({ apiKey: api_key });
 * await payer.transfers.create({ to: "@bob", amount: "25" });
 * @throws HalcyonError and nothing else; its `code` says why
 */
export class Halcyon extends NodeClient {
  constructor(options: HalcyonOptions = {}) {
    super(repositoryContext(options), offersFolder(options));
  }
}
