import { type Hex, toFunctionSelector } from "viem";
import { RpcError, rpc } from "./rpc";

/** What only a ledger that enforces policies says: earlier ones have no verifier of payments under one. */
const SPEND_VERIFIER = toFunctionSelector("spendVerifier()");

/**
 * Whether an address of a chain is no ledger of this version of Halcyon: another version's, or another contract, or none.
 * False as well while the chain does not respond, for a service starts without its node.
 */
export async function isOtherLedger(rpcUrl: string, ledger: Hex): Promise<boolean> {
  try {
    const said = await rpc<Hex>(rpcUrl, "eth_call", [{ to: ledger, data: SPEND_VERIFIER }, "latest"]);
    return said.length < 66 || BigInt(said) === 0n;
  } catch (error) {
    return error instanceof RpcError && /revert/i.test(error.message);
  }
}
