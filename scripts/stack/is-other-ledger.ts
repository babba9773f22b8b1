import { type Hex, toFunctionSelector } from "viem";
import { ledgerAbi } from "../../lib/chain/abi/ledger";
import { rpc } from "./rpc";

/** The function selectors that a ledger's code compares the start of a call with. */
const SELECTORS = ledgerAbi.flatMap((item) => (item.type === "function" ? [toFunctionSelector(item)] : []));
const PLACES = SELECTORS.map((selector) => selector.slice(2).replace(/^(00)+/, ""));

/**
 * Reports whether an address does not hold a ledger of this version of Halcyon: a ledger of another version, whose
 * functions take other parameters, another contract, or nothing. Returns false while the chain does not respond,
 * because a service can start without its node.
 */
export async function isOtherLedger(rpcUrl: string, ledger: Hex): Promise<boolean> {
  try {
    const code = await rpc<Hex>(rpcUrl, "eth_getCode", [ledger, "latest"]);
    return !PLACES.every((place) => code.toLowerCase().includes(place));
  } catch {
    return false;
  }
}
