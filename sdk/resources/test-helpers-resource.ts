import type { Hex } from "viem";
import type { CallOptions } from "../api/call-options";
import { checkInput } from "../api/check-input";
import { type FaucetInput, faucet } from "../funding/faucet";
import { Resource } from "./resource";

/** For the local stack only: `halcyon.testHelpers`. */
export class TestHelpersResource extends Resource {
  /**
   * Gives the account test money: the faucet pays the wallet, and the wallet deposits it. `tx_hash` is the deposit's.
   *
   * @example
   * await halcyon.testHelpers.faucet({ amount: "1000" }); // { tx_hash: "0x…", asset: "USDG" }
   */
  faucet(input: FaucetInput, options?: CallOptions): Promise<{ tx_hash: Hex; asset: string }> {
    checkInput(input, { amount: "amount!", asset: "text" });
    return faucet(this.context.within(options), input);
  }
}
