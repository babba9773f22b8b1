import { numberToHex } from "viem";
import { sleep } from "../stack/processes";
import { RpcError, rpc } from "../stack/rpc";

interface Block {
  number: string;
  transactions: string[];
}

const PAUSE_MS = 50;

/** Asks a node that may just be killed until it responds; undefined when it refuses. */
async function ask<T>(rpcUrl: string, method: string, params: unknown[]): Promise<T | undefined> {
  for (;;) {
    try {
      return await rpc<T>(rpcUrl, method, params);
    } catch (error) {
      // Its front says so while blocks are restored (chain-front.ts).
      if (error instanceof RpcError && !error.message.includes("restoring")) return undefined;
    }
    await sleep(PAUSE_MS);
  }
}

/**
 * Takes the newest blocks of a local chain away, and puts as many empty ones there. A node that has just been restored
 * has no older blocks to go back to: then fewer.
 *
 * @param again whether their transactions wait for the next blocks then, as in most nodes; otherwise no one has them
 */
export async function reorganize(rpcUrl: string, { depth, again }: { depth: number; again: boolean }): Promise<void> {
  const raw = again ? await newestTransactions(rpcUrl, depth) : [];
  for (let blocks = depth; blocks > 0; blocks--) {
    if ((await ask(rpcUrl, "anvil_reorg", [blocks, []])) !== undefined) break;
  }
  // One that stayed is refused.
  for (const transaction of raw) await ask(rpcUrl, "eth_sendRawTransaction", [transaction]);
}

async function newestTransactions(rpcUrl: string, depth: number): Promise<string[]> {
  const head = Number(await ask<string>(rpcUrl, "eth_blockNumber", []));
  const raw: string[] = [];
  for (let number = Math.max(1, head - depth + 1); number <= head; number++) {
    const block = await ask<Block | null>(rpcUrl, "eth_getBlockByNumber", [numberToHex(number), false]);
    for (const hash of block?.transactions ?? []) {
      raw.push((await ask<string>(rpcUrl, "eth_getRawTransactionByHash", [hash])) ?? "0x");
    }
  }
  return raw;
}

/** Waits until every block that is there now counts as final. */
export async function untilFinal(rpcUrl: string, finality: string): Promise<void> {
  const head = Number(await ask<string>(rpcUrl, "eth_blockNumber", []));
  const numberOf = async () =>
    Number((await ask<Block>(rpcUrl, "eth_getBlockByNumber", [finality, false]))?.number ?? 0);
  while ((await numberOf()) < head) await sleep(PAUSE_MS);
}
