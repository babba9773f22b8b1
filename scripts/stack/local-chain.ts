/*
 * An embedded chain that loses nothing.
 *
 * anvil keeps its chain in memory; its own `--state` writes the whole of it in place, at intervals, so a kill loses
 * the last blocks and a kill while writing loses all of them. Therefore anvil runs with `--no-mining` and this
 * module is its miner: it writes the waiting transactions and the time of the block to a journal, flushes it, and only
 * then has the block mined. What got into the block besides (a transaction that came late) is journaled too before
 * anyone sees the block: clients reach anvil through a front (chain-front.ts) that holds its responses meanwhile.
 * Whatever anyone has seen in a block is on disk; what cannot be written, on a full disk, is not mined.
 *
 * Given the same genesis, times and transactions in the same order (`--order fifo`), anvil makes the same blocks down
 * to their hashes, so after a crash replaying the journal restores numbers, hashes, receipts and logs. The front is
 * closed until that is done. A block that comes out otherwise ends the chain: going on would forget payments that
 * people have seen confirmed. A snapshot (anvil_dumpState, replaced atomically, at every stop and every few hundred
 * blocks) only shortens the replay.
 *
 * Not in the journal, and so gone after a restart: state changed by cheat calls such as anvil_setBalance. A block that
 * someone else mines (evm_mine) is in it within a second.
 */
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { Anvil, hex } from "./anvil";
import { ChainFront } from "./chain-front";
import { ChainJournal, JournalUnwritable } from "./chain-journal";
import { StackError } from "./config";
import { privateFolder, writeFileDurably } from "./files";
import { watchPending } from "./pending";
import { sleep } from "./processes";
import { type Block, BlockDiffers, isAs, restoreBlocks } from "./restore-blocks";
import { RpcError } from "./rpc";

/** What is read of anvil's state; the rest is kept as it is. */
interface Snapshot {
  blocks: { header: { number: string; timestamp: string } }[];
}

export interface LocalChainOptions {
  chainId: number;
  port: number;
  /** The stack's data folder. */
  data: string;
  /** Unix seconds of the first block. */
  genesisTime: number;
  faucetKey: `0x${string}`;
  /** Whose pages may ask it from a browser; no one's when left out. */
  origin?: string;
  say: (line: string) => void;
  /** Called when its blocks cannot be restored as they were; it then responds to no one any more. */
  onGivenUp?: (error: StackError) => void;
}

/** The blocks cannot be restored as they were. */
class ChainDiffers extends StackError {}

const SNAPSHOT_EVERY = 500;
/** A snapshot that cannot be written (a full disk) is tried again after as many blocks. */
const SNAPSHOT_AGAIN = 50;
const UNWRITABLE_MS = 1_000;
const IDLE_BLOCK_MS = 60_000;
const BLOCK_SPACING_MS = 20;
/**
 * Clients that look for a receipt at each new block may have missed their own: the chain does not fall silent at once.
 */
const EMPTY_BLOCKS_AFTER_MS = [500, 2_500];

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
  private unwritable = false;
  /** Seconds the chain's clock is ahead of ours, once someone has moved it on (evm_increaseTime). */
  private ahead = 0;

  constructor(private readonly options: LocalChainOptions) {
    privateFolder(path.join(options.data, "chains"));
    this.folder = path.join(options.data, "chains", String(options.chainId));
    privateFolder(this.folder);
    this.anvil = new Anvil({ ...options, folder: this.folder, onExit: () => this.wake() });
    this.front = new ChainFront(options.port);
    this.url = `http://127.0.0.1:${options.port}`;
    this.journal = new ChainJournal(path.join(this.folder, "journal.jsonl"));
  }

  /** Starts anvil, restores every block and begins to mine; resolves when the chain responds as before. */
  async start(): Promise<void> {
    await this.front.listen();
    await this.restore();
    this.loop = this.mineForever();
  }

  /**
   * Stops mining, writes a snapshot, ends anvil.
   *
   * @param snapshot without one, the next start replays more blocks; no one needs it of a chain that is given up
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

  /** No one but us reaches the chain until it is as it was. */
  private async restore(): Promise<void> {
    this.front.close();
    const { chainId, data, say } = this.options;
    const head = await restoreBlocks(this.anvil, this.journal, {
      folder: this.folder,
      onSnapshot: (number) => {
        this.snapshotDue = number + SNAPSHOT_EVERY;
        const missing = this.journal.head - number;
        if (missing > 200) say(`chain ${chainId}: replaying ${missing} blocks`);
      },
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
    let empty = 0;
    while (!this.stopping) {
      try {
        if (!this.anvil.running) await this.recover();
        const rest = EMPTY_BLOCKS_AFTER_MS[empty] ?? IDLE_BLOCK_MS;
        const block = await this.mineWaiting(Date.now() - lastMined >= rest);
        this.writes();
        if (block) {
          lastMined = Date.now();
          empty = block === "empty" ? empty + 1 : 0;
        }
        if (this.journal.head >= this.snapshotDue) await this.snapshot().catch(() => this.snapshotLater());
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
      // Half restored it must not be mistaken for one that runs.
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

  /** Journals and mines one block when transactions wait (or `force`d); undefined when there was nothing to do. */
  private async mineWaiting(force: boolean): Promise<"full" | "empty" | undefined> {
    const parent = await this.head();
    await this.backfill(Number(parent.number));
    const waiting = await this.waitingHashes();
    if (waiting.length === 0 && !force) return undefined;
    const now = Math.floor(Date.now() / 1000);
    const parentTime = Number(parent.timestamp);
    if (parentTime > now + this.ahead) this.ahead = parentTime - now;
    const number = Number(parent.number) + 1;
    const block = { number, timestamp: now + this.ahead, parentHash: parent.hash };
    this.journal.append({ ...block, transactions: await this.rawTransactions(waiting) });
    try {
      const mined = await this.front.hold(async () => {
        const refused = await this.refusal("evm_mine", [{ timestamp: block.timestamp }]);
        const newest = await this.journalMined(number);
        // Someone else (evm_mine) was quicker: a block of a later time than ours stands in its place.
        if (refused && Number(newest.number) < number) throw refused;
        return newest;
      });
      return mined.transactions.length > 0 ? "full" : "empty";
    } catch (error) {
      // anvil may hold a block that is not in the journal: no one has seen it, and no one will.
      await this.anvil.kill();
      throw error;
    }
  }

  /** What anvil refuses a call with; undefined when it took it. */
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
   * Journals what was mined where it is not what was meant: a transaction that arrived in between is in the block too.
   */
  private async journalMined(first: number): Promise<Block> {
    const head = await this.head();
    for (let number = first; number <= Number(head.number); number++) {
      const mined = number === Number(head.number) ? head : await this.blockAt(number);
      const meant = this.journal.block(number);
      if (!meant || !isAs(meant, mined)) await this.journalBlock(mined);
    }
    return head;
  }

  /** Executable transactions in order of arrival. */
  private async waitingHashes(): Promise<string[]> {
    const { pending } = await this.anvil.call<{ pending: string }>("txpool_status");
    if (Number(pending) === 0) return [];
    const block = await this.anvil.call<Block>("eth_getBlockByNumber", ["pending", false]);
    return block.transactions;
  }

  private rawTransactions(hashes: string[]): Promise<string[]> {
    return Promise.all(hashes.map((hash) => this.anvil.call<string>("eth_getRawTransactionByHash", [hash])));
  }

  /** Takes blocks into the journal that others had mined (evm_mine). */
  private async backfill(head: number): Promise<void> {
    for (let number = this.journal.head + 1; number <= head; number++) {
      await this.journalBlock(await this.blockAt(number));
    }
  }

  private blockAt(number: number): Promise<Block> {
    return this.anvil.call<Block>("eth_getBlockByNumber", [hex(number), false]);
  }

  private async journalBlock({ number, timestamp, parentHash, transactions }: Block): Promise<void> {
    this.journal.append({
      number: Number(number),
      timestamp: Number(timestamp),
      parentHash,
      transactions: await this.rawTransactions(transactions),
    });
  }

  private snapshotLater(): void {
    this.snapshotDue = this.journal.head + SNAPSHOT_AGAIN;
  }

  private async snapshot(): Promise<void> {
    await this.backfill(Number((await this.head()).number));
    const head = this.journal.head;
    const dump = await this.anvil.call<string>("anvil_dumpState");
    const state = JSON.parse(gunzipSync(Buffer.from(dump.slice(2), "hex")).toString()) as Snapshot;
    // An anvil that has loaded a state also keeps a first block of its own, and dumps both.
    const foreign = (header: Snapshot["blocks"][number]["header"]) =>
      Number(header.number) === 0 && Number(header.timestamp) !== this.options.genesisTime;
    state.blocks = state.blocks.filter(({ header }) => !foreign(header));
    writeFileDurably(path.join(this.folder, "snapshot.json"), JSON.stringify(state), 0o600);
    this.snapshotDue = head + SNAPSHOT_EVERY;
    this.journal.forgetUpTo(head);
  }
}
