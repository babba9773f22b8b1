import { type Hex, toFunctionSelector } from "viem";
import { ledgerAbi } from "../../lib/chain/abi/ledger";
import { rpc } from "./rpc";

/** What the code of a ledger compares the start of a call with, for each of its functions. */
const SELECTORS = ledgerAbi.flatMap((item) => (item.type === "function" ? [toFunctionSelector(item)] : []));
const PLACES = SELECTORS.map((selector) => selector.slice(2).replace(/^(00)+/, ""));

/**
 * Whether an address of a chain is no ledger of this version of Halcyon: another version's, whose functions take other
 * parameters, or another contract, or none. False as well while the chain does not respond, for a service starts
 * without its node.
 */
export async function isOtherLedger(rpcUrl: string, ledger: Hex): Promise<boolean> {
  try {
    const code = await rpc<Hex>(rpcUrl, "eth_getCode", [ledger, "latest"]);
    return !PLACES.every((place) => code.toLowerCase().includes(place));
  } catch {
    return false;
  }
}
