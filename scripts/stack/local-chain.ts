/*
 * An embedded chain that loses nothing.
 *
 * anvil keeps its chain in memory. Its `--state` option overwrites a file with the whole chain at intervals, so a kill
 * loses the last blocks, and a kill during a write loses all of them. Therefore anvil runs with `--no-mining`, and this
 * module is its miner: it writes the waiting transactions and the block's time to a journal, flushes it, and only then
 * mines the block. If another transaction got into the block in the meantime, that is journaled too before anyone sees
 * the block: clients reach anvil through a proxy (chain-front.ts) that holds its responses back. So everything that
 * anyone has seen in a block is on disk, and a block that can't be written because the disk is full is not mined.
 *
 * Given the same genesis, times and transactions in the same order (`--order fifo`), anvil makes the same blocks down
 * to their hashes, so replaying the journal after a crash restores numbers, hashes, receipts and logs. The proxy
 * turns clients away until that is done. If a replayed block differs, the chain stops, because going on would forget
 * payments that people have seen confirmed. A snapshot (anvil_dumpState, replaced atomically, at every stop and when
 * the chain is idle) only shortens the replay.
 *
 * State changed by cheat calls such as anvil_setBalance is not in the journal, so it is lost at a restart. A block that
 * someone else mines (evm_mine) is in the journal within a second, and so are the blocks that a reorganization
 * (anvil_reorg) leaves: a later line with the same number replaces the earlier one. If the chain is killed before that,
 * it comes back as it was.
 */
import path from "node:path";
import { createPublicClient, webSocket } from "viem";
import { ANVIL_REMEMBERS, Anvil, SAFE_BEHIND } from "./anvil";
import { ChainFront } from "./chain-front";
import { ChainJournal, type JournalBlock, JournalUnwritable } from "./chain-journal";
import { writeSnapshot } from "./chain-snapshot";
import { StackError } from "./config";
import { privateFolder } from "./files";
import { sleep } from "./processes";
import { type Block, BlockDiffers, isAs, restoreBlocks } from "./restore-blocks";
import { RpcError } from "./rpc";

export interface LocalChainOptions {
  chainId: number;
  port: number;
  /** The stack's data folder. */
  data: string;
  /** Unix seconds of the first block. */
  genesisTime: number;
  faucetKey: `0x${string}`;
  /** The origin whose pages may call it from a browser; none by default. */
  origin?: string;
  /** The block tag that its clients treat as final. Unless it is `latest`, the chain mines empty blocks all the time. */
  finality?: string;
  /** The fewest blocks between two snapshots; 500 by default. */
  snapshotEvery?: number;
  say: (line: string) => void;
  /** Called when its blocks cannot be restored as they were. The chain then no longer responds. */
  onGivenUp?: (error: StackError) => void;
}

/** The blocks cannot be restored as they were. */
class ChainDiffers extends StackError {}

const SNAPSHOT_EVERY = 500;
/** After how many blocks to retry a snapshot that could not be written (a full disk). */
const SNAPSHOT_AGAIN = 50;
const UNWRITABLE_MS = 1_000;
const IDLE_BLOCK_MS = 60_000;
const BLOCK_SPACING_MS = 20;
/**
 * Empty blocks after a block with transactions. A client that looks for a receipt at each new block may just have
 * missed its own.
 */
const EMPTY_BLOCKS_AFTER_MS = [500, 2_500];
/**
 * The pause between empty blocks when `safe` lags behind the newest block: a block becomes final only through later
 * blocks.
 */
const STEADY_BLOCK_MS = 250;

export class LocalChain {
  readonly url: string;
  private readonly folder: string;
  private readonly journal: ChainJournal;
  private readonly anvil: Anvil;
  private readonly front: ChainFront;
  private unwatch?: () => void;
  private stopping = false;
  private wake: () => void = () => {};
  private loop?: Promise<void>;
  private snapshotDue = 0;
  /** The last block in the snapshot. */
  private base?: Block;
  /** Hashes of the newest journaled blocks, by number. */
  private readonly hashes = new Map<number, string>();
  private readonly steady: boolean;
  private readonly snapshotEvery: number;
  private unwritable = false;
  /** How many seconds the chain's clock is ahead of ours, after someone has moved it (evm_increaseTime). */
  private ahead = 0;

  constructor(private readonly options: LocalChainOptions) {
    privateFolder(path.join(options.data, "chains"));
    this.folder = path.join(options.data, "chains", String(options.chainId));
    privateFolder(this.folder);
    this.snapshotEvery = options.snapshotEvery ?? SNAPSHOT_EVERY;
    this.steady = (options.finality ?? "latest") !== "latest";
    const epoch = this.steady ? SAFE_BEHIND : undefined;
    this.anvil = new Anvil({ ...options, epoch, folder: this.folder, onExit: () => this.wake() });
    this.front = new ChainFront(options.port);
    this.url = `http://127.0.0.1:${options.port}`;
    this.journal = new ChainJournal(path.join(this.folder, "journal.jsonl"));
  }

  /** Starts anvil, restores every block and starts to mine. Resolves when the chain responds as before. */
  async start(): Promise<void> {
    await this.front.listen();
    await this.restore();
    this.loop = this.mineForever();
  }

  /**
   * Stops mining, writes a snapshot and ends anvil.
   *
   * @param snapshot whether to write one; without it, the next start replays more blocks
   */
  async stop({ snapshot = true } = {}): Promise<void> {
    this.stopping = true;
    this.wake();
    await this.loop;
    this.unwatch?.();
    if (snapshot && this.anvil.running && this.loop) await this.snapshot().catch(() => undefined);
    await this.front.end();
    await this.anvil.stop();
    this.journal.close();
  }

  /** Restores the chain. Clients can't reach it until that is done. */
  private async restore(): Promise<void> {
    this.front.close();
    this.hashes.clear();
    const { chainId, data, genesisTime, say } = this.options;
    const head = await restoreBlocks(this.anvil, this.journal, {
      folder: this.folder,
      genesisTime,
      onSnapshot: (block) => {
        this.base = block;
        this.snapshotDue = Number(block.number) + this.snapshotEvery;
        const missing = this.journal.head - Number(block.number);
        if (missing > 200) say(`chain ${chainId}: replaying ${missing} blocks`);
      },
      onBlock: ({ number, hash }) => this.hashes.set(Number(number), hash),
    }).catch((error: unknown) => {
      if (!(error instanceof BlockDiffers)) throw error;
      throw new ChainDiffers(
        `The local chain ${chainId} cannot be restored: ${error.message}. Nothing was changed. Restore ${this.folder} from a backup that is as old as the database beside it, or remove ${data} to begin anew.`,
      );
    });
    this.ahead = Math.max(0, Number(head.timestamp) - Math.floor(Date.now() / 1000));
    this.unwatch = watchPending(this.anvil.port, () => this.wake());
    this.front.open(this.anvil.port);
  }

  private head(): Promise<Block> {
    return this.anvil.call<Block>("eth_getBlockByNumber", ["latest", false]);
  }

  private async mineForever(): Promise<void> {
    let lastMined = Date.now();
    let lastFull = lastMined;
    let empty = 0;
    while (!this.stopping) {
      try {
        if (!this.anvil.running) await this.recover();
        const rest = this.steady ? STEADY_BLOCK_MS : (EMPTY_BLOCKS_AFTER_MS[empty] ?? IDLE_BLOCK_MS);
        const block = await this.mineWaiting(Date.now() - lastMined >= rest);
        this.writes();
        if (block) {
          lastMined = Date.now();
          empty = block === "empty" ? empty + 1 : 0;
          if (block === "full") lastFull = lastMined;
        }
        // While anvil dumps its state it responds to no one, for seconds if the chain is long.
        const idle = Date.now() - lastFull >= IDLE_BLOCK_MS;
        if (idle && this.journal.head >= this.snapshotDue) await this.snapshot().catch(() => this.snapshotLater());
        await (block ? sleep(BLOCK_SPACING_MS) : this.pause(Math.min(1_000, rest)));
      } catch (error) {
        if (this.stopping) return;
        if (error instanceof ChainDiffers) return this.giveUp(error);
        if (error instanceof JournalUnwritable) {
          this.writesNothing(error);
          await this.pause(UNWRITABLE_MS);
          continue;
        }
        if (error instanceof RpcError || error instanceof StackError) this.options.say(`chain: ${error.message}`);
        await this.pause(200);
      }
    }
  }

  private writesNothing({ message }: JournalUnwritable): void {
    if (!this.unwritable)
      this.options.say(`chain ${this.options.chainId}: ${message}; it mines nothing until it can be`);
    this.unwritable = true;
  }

  private writes(): void {
    if (this.unwritable) this.options.say(`chain ${this.options.chainId}: the journal can be written again`);
    this.unwritable = false;
  }

  private async giveUp(error: ChainDiffers): Promise<void> {
    await this.anvil.kill();
    this.options.say(error.message);
    this.options.onGivenUp?.(error);
  }

  private async recover(): Promise<void> {
    this.options.say(`chain ${this.options.chainId} stopped; starting it again`);
    this.unwatch?.();
    try {
      await this.restore();
    } catch (error) {
      // A half-restored chain must not be taken for a running one.
      await this.anvil.kill();
      throw error;
    }
    this.options.say(`chain ${this.options.chainId} is back at block ${this.journal.head}`);
  }

  private pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /**
   * Journals and mines one block if transactions are waiting (or if `force`d). Returns undefined if there was nothing
   * to do.
   */
  private async mineWaiting(force: boolean): Promise<"full" | "empty" | undefined> {
    const parent = await this.journalNewest();
    const waiting = await this.waitingHashes();
    if (waiting.length === 0 && !force) return undefined;
    const now = Math.floor(Date.now() / 1000);
    const parentTime = Number(parent.timestamp);
    if (parentTime > now + this.ahead) this.ahead = parentTime - now;
    const number = Number(parent.number) + 1;
    const block = { number, timestamp: now + this.ahead, parentHash: parent.hash };
    this.journal.append({ ...block, transactions: await this.rawTransactions(waiting) });
    this.hashes.delete(number);
    try {
      const mined = await this.front.hold(async () => {
        const refused = await this.refusal("evm_mine", [{ timestamp: block.timestamp }]);
        const newest = await this.journalNewest();
        // Someone else (evm_mine) was quicker and mined a block with a later time in its place.
        if (refused && Number(newest.number) < number) throw refused;
        return newest;
      });
      return mined.transactions.length > 0 ? "full" : "empty";
    } catch (error) {
      // anvil may have a block that is not in the journal. No one has seen it, so drop it.
      await this.anvil.kill();
      throw error;
    }
  }

  /** Makes a call. Returns anvil's error, or undefined if it succeeded. */
  private async refusal(method: string, params: unknown[]): Promise<RpcError | undefined> {
    try {
      await this.anvil.call(method, params);
      return undefined;
    } catch (error) {
      if (error instanceof RpcError) return error;
      throw error;
    }
  }

  /**
   * Journals the newest blocks if they differ from the journal's: a transaction that arrived in the meantime is in the
   * block too, someone else mined, or blocks were removed.
   *
   * @returns the newest block
   */
  private async journalNewest(): Promise<Block> {
    const head = await this.head();
    const others: Block[] = [];
    for (let block = head; block.hash !== this.base?.hash && Number(block.number) > 0; ) {
      if (this.isJournaled(block)) break;
      others.unshift(block);
      block = await this.parentOf(block);
    }
    // A reorganization removed blocks of the snapshot: the next lines of the journal would not fit it.
    const end = Number(this.base?.number ?? 0);
    const [oldest] = others;
    if (Number(head.number) < end || (oldest && Number(oldest.number) <= end)) await this.snapshotOf(head);
    if (others.length > 0) this.journal.append(...(await Promise.all(others.map((one) => this.lineOf(one)))));
    for (const { number, hash } of [head, ...others]) this.hashes.set(Number(number), hash);
    this.hashes.delete(Number(head.number) - ANVIL_REMEMBERS);
    return head;
  }

  /** Two blocks can differ in their base fee alone: anvil's first block after a reorganization has an older fee. */
  private isJournaled(block: Block): boolean {
    const number = Number(block.number);
    const line = this.journal.block(number);
    return line !== undefined && isAs(line, block) && (this.hashes.get(number) ?? block.hash) === block.hash;
  }

  private parentOf({ parentHash }: Block): Promise<Block> {
    return this.anvil.call<Block>("eth_getBlockByHash", [parentHash, false]);
  }

  private async lineOf({ number, timestamp, parentHash, transactions, baseFeePerGas }: Block): Promise<JournalBlock> {
    return {
      number: Number(number),
      timestamp: Number(timestamp),
      parentHash,
      transactions: await this.rawTransactions(transactions),
      baseFee: baseFeePerGas,
    };
  }

  /** Returns executable transactions in order of arrival. */
  private async waitingHashes(): Promise<string[]> {
    const { pending } = await this.anvil.call<{ pending: string }>("txpool_status");
    if (Number(pending) === 0) return [];
    const block = await this.anvil.call<Block>("eth_getBlockByNumber", ["pending", false]);
    return block.transactions;
  }

  /** Returns the transactions without those that have been replaced in the meantime, which anvil no longer knows. */
  private async rawTransactions(hashes: string[]): Promise<string[]> {
    const raw = (hash: string) => this.anvil.call<string | null>("eth_getRawTransactionByHash", [hash]);
    return (await Promise.all(hashes.map(raw))).filter((one) => one !== null);
  }

  private snapshotLater(): void {
    this.snapshotDue = this.journal.head + SNAPSHOT_AGAIN;
  }

  private async snapshot(): Promise<void> {
    await this.snapshotOf(await this.journalNewest());
  }

  private async snapshotOf(head: Block): Promise<void> {
    writeSnapshot(this.folder, await this.anvil.call<string>("anvil_dumpState"));
    this.base = head;
    this.snapshotDue = Number(head.number) + this.snapshotEvery;
    this.journal.forgetUpTo(Number(head.number) - ANVIL_REMEMBERS);
  }
}

/**
 * Calls back when a transaction reaches anvil's pool (eth_subscribe newPendingTransactions). This is only a hint: the
 * miner also looks once a second, so a dropped connection only costs time.
 *
 * @returns a function that ends the subscription
 */
function watchPending(port: number, onPending: () => void): () => void {
  // No keep-alive, because viem's timer would go on after the connection has ended.
  const transport = webSocket(`ws://127.0.0.1:${port}`, { reconnect: false, retryCount: 0, keepAlive: false });
  const client = createPublicClient({ transport });
  return client.watchPendingTransactions({ onTransactions: onPending, onError: () => undefined, batch: false });
}
