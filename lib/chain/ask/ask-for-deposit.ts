import { type Address, decodeFunctionData, type Hex, parseAbi, toEventSelector, toHex } from "viem";
import { newestFirst } from "@/lib/base/block-ranges";
import type { ChainId } from "@/lib/base/network";
import { ledgerAbi } from "../abi/ledger";
import { agreed } from "../agreed";
import { chainEnv } from "../clients";
import type { BlockMark } from "../index/cursor";
import { rangeOf } from "../index/range";
import { callAt } from "./call-at";
import type { Finding } from "./finding";
import { successOf } from "./own-receipt";

const abi = parseAbi(["function authorizationState(address, bytes32) view returns (bool)"]);
const USED = toEventSelector("AuthorizationUsed(address,bytes32)");
const CANCELED = toEventSelector("AuthorizationCanceled(address,bytes32)");

/** Finds out what became of an authorized deposit (EIP-3009), no matter who submitted it to the ledger. */
export async function askForDeposit(chainId: ChainId, data: Hex, at: BlockMark): Promise<Finding> {
  const { args } = decodeFunctionData({ abi: ledgerAbi, data });
  const [asset, from, , , , nonce] = args as unknown as [Address, Address, bigint, bigint, bigint, Hex];
  if (!(await callAt<boolean>(chainId, at.hash, asset, abi, "authorizationState", [from, nonce]))) {
    return { outcome: "never" };
  }
  const first = chainEnv(chainId).ledgerBlock;
  const topics: (Hex | Hex[])[] = [[USED, CANCELED], `0x${from.slice(2).toLowerCase().padStart(64, "0")}`, nonce];
  const ends = newestFirst(rangeOf(chainId), first, at.number, (fromBlock, toBlock) => {
    const filter = { address: asset, fromBlock: toHex(fromBlock), toBlock: toHex(toBlock), topics };
    return agreed(chainId, `what became of an authorization of ${from}`, async (client) => {
      const [first] = await client.request({ method: "eth_getLogs", params: [filter] });
      return first && { topic: first.topics[0], txHash: first.transactionHash };
    });
  });
  for await (const end of ends) {
    if (!end) continue;
    if (end.topic === CANCELED || !end.txHash) return { outcome: "never" };
    const carried = await successOf(chainId, end.txHash);
    const credited = carried?.events.some(
      ({ eventName, args: said }) => eventName === "Deposited" && said.account === from.toLowerCase(),
    );
    return carried && credited ? { outcome: "executed", ...carried } : { outcome: "unsure" };
  }
  return { outcome: "unsure" };
}
