import { type HalcyonOptions, offersFolder } from "./context/platform/node-context";
import { localContext } from "./local-context";
import { NodeClient } from "./node-client";

/**
 * A client of one Halcyon service on one network. The wallet key, account key, viewing key and account secret stay in
 * this process. A method that moves money returns when the transaction is final on chain and the next method can build
 * on it.
 *
 * @example
 * const alice = new Halcyon({ walletKey: process.env.HALCYON_WALLET_KEY });
 * await alice.account.create({ handle: "alice" });
 * await alice.testHelpers.faucet({ amount: "1000" });
 * await alice.balances.makeAvailable();
 * const { api_key } = await alice.keys.create({ label: "server" });
 * const payer = new Halcyon({ apiKey: api_key });
 * await payer.transfers.create({ to: "@bob", amount: "25" });
 * @throws HalcyonError and nothing else; its `code` gives the reason
 */
export class Halcyon extends NodeClient {
  constructor(options: HalcyonOptions = {}) {
    super(localContext(options), offersFolder(options));
  }
}
