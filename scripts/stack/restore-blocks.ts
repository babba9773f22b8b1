import { rmSync } from "node:fs";
import { keccak256 } from "viem";
import type { Anvil } from "./anvil";
import type { ChainJournal, JournalBlock } from "./chain-journal";
import { unpackSnapshot } from "./chain-snapshot";
import { RpcError } from "./rpc";

/** The fields of a block that are read, in anvil's format; transactions by hash. */
export interface Block {
  number: string;
  hash: string;
  parentHash: string;
  timestamp: string;
  transactions: string[];
  baseFeePerGas: string;
}

/** A replayed block differs from the journal. The message names it. */
export class BlockDiffers extends Error {
  override readonly name = "BlockDiffers";

  constructor(number: number, how: string) {
    super(`block ${number} does not come out as it was (${how})`);
  }
}

/** Reports whether a block is the same as in the journal. */
export function isAs(journaled: JournalBlock, { timestamp, parentHash, transactions }: Block): boolean {
  const hashes = journaled.transactions.map((raw) => keccak256(raw as `0x${string}`));
  return (
    journaled.timestamp === Number(timestamp) &&
    journaled.parentHash === parentHash &&
    hashes.join() === transactions.join()
  );
}

/**
 * Starts anvil from the snapshot in the chain's folder, if there is one, and replays the journal's later blocks.
 *
 * @param onSnapshot called with the last block of the snapshot, or with the genesis block without one
 * @param onBlock called with each block that is replayed
 * @returns the newest block
 * @throws BlockDiffers when a block differs from the journal
 */
export async function restoreBlocks(
  anvil: Anvil,
  journal: ChainJournal,
  {
    folder,
    genesisTime,
    onSnapshot,
    onBlock,
  }: { folder: string; genesisTime: number; onSnapshot: (block: Block) => void; onBlock: (block: Block) => void },
): Promise<Block> {
  const head = () => anvil.call<Block>("eth_getBlockByNumber", ["latest", false]);
  const snapshot = unpackSnapshot(folder, genesisTime);
  if (!snapshot) journal.recall();
  try {
    await anvil.start(snapshot);
  } finally {
    if (snapshot) rmSync(snapshot, { force: true });
  }
  await anvil.call("anvil_dropAllTransactions");
  let parent = await head();
  const from = Number(parent.number);
  onSnapshot(parent);
  journal.forgetUpTo(from);
  // anvil's clock starts at the present; the blocks to replay are older.
  await anvil.call("evm_setTime", [Number(parent.timestamp) * 1000]);
  for (let number = from + 1; number <= journal.head; number++) {
    const block = journal.block(number);
    if (!block) throw new BlockDiffers(number, "its line is missing or unreadable");
    if (parent.hash !== block.parentHash) throw new BlockDiffers(number - 1, "it has another hash than before");
    for (const raw of block.transactions) {
      await anvil.call("eth_sendRawTransaction", [raw]).catch((error: unknown) => {
        throw error instanceof RpcError ? new BlockDiffers(number, error.message) : error;
      });
    }
    // The first block after a reorganization can have the base fee of another parent.
    if (block.baseFee) await anvil.call("anvil_setNextBlockBaseFeePerGas", [block.baseFee]);
    await anvil.call("evm_mine", [{ timestamp: block.timestamp }]);
    parent = await head();
    if (!isAs(block, parent)) throw new BlockDiffers(number, "it holds other transactions than before");
    onBlock(parent);
  }
  return parent;
}
