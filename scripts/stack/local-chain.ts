/*
 * An embedded chain that loses nothing.
 *
 * anvil keeps its chain in memory; its own `--state` writes the whole of it in place, at intervals, so a kill loses
 * the last blocks and a kill while writing loses all of them. Therefore anvil runs with `--no-mining` and this
 * module is its miner: it writes the waiting transactions and the time of the block to a journal, flushes it, and only
 * then has the block mined. Whatever anybody has seen in a block is on disk. Given the same genesis, times and
 * transactions in the same order (`--order fifo`), anvil makes the same blocks down to their hashes, so after
 * a crash replaying the journal restores numbers, hashes, receipts and logs. A snapshot (anvil_dumpState, replaced
 * atomically, at every stop and every few hundred blocks) only shortens the replay.
 *
 * Not in the journal, and so gone after a restart: state changed by cheat calls such as anvil_setBalance.
 */
import { existsSync, mkdirSync } from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { Anvil, hex } from "./anvil";
import { ChainJournal } from "./chain-journal";
import { StackError } from "./config";
import { writeFileDurably } from "./files";
import { watchPending } from "./pending";
import { sleep } from "./processes";
import { RpcError } from "./rpc";

interface Block {
  number: string;
  hash: string;
  parentHash: string;
  timestamp: string;
  transactions: string[];
}

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
  /** Whose pages may ask it from a browser; nobody's when left out. */
  origin?: string;
  say: (line: string) => void;
}

const SNAPSHOT_EVERY = 500;
const IDLE_BLOCK_MS = 60_000;
const BLOCK_SPACING_MS = 20;
/** Clients that look for a receipt at each new block may have missed their own: the chain does not fall silent at once. */
const EMPTY_BLOCKS_AFTER_MS = [500, 2_500];

export class LocalChain {
  readonly url: string;
  private readonly folder: string;
  private readonly journal: ChainJournal;
  private readonly anvil: Anvil;
  private unwatch?: () => void;
  private stopping = false;
  private wake: () => void = () => {};
  private loop?: Promise<void>;
  private snapshotHead = 0;
  /** Seconds the chain's clock is ahead of ours, once somebody has moved it on (evm_increaseTime). */
  private ahead = 0;

  constructor(private readonly options: LocalChainOptions) {
    this.folder = path.join(options.data, "chains", String(options.chainId));
    mkdirSync(this.folder, { recursive: true });
    this.anvil = new Anvil({ ...options, folder: this.folder, onExit: () => this.wake() });
    this.url = this.anvil.url;
    this.journal = new ChainJournal(path.join(this.folder, "journal.jsonl"));
  }

  /** Starts anvil, restores every block and begins to mine; resolves when the chain answers as before. */
  async start(): Promise<void> {
    await this.restore();
    this.loop = this.mineForever();
  }

  /** Stops mining, writes a snapshot, ends anvil. */
  async stop(): Promise<void> {
    this.stopping = true;
    this.wake();
    await this.loop;
    this.unwatch?.();
    if (this.anvil.running) await this.snapshot().catch(() => undefined);
    await this.anvil.stop();
    this.journal.close();
  }

  private async restore(): Promise<void> {
    const snapshot = path.join(this.folder, "snapshot.json");
    await this.anvil.start(existsSync(snapshot) ? snapshot : undefined);
    const head = await this.head();
    this.snapshotHead = Number(head.number);
    this.journal.forgetUpTo(this.snapshotHead);
    // anvil's clock starts at the present; the blocks to replay are older.
    await this.anvil.call("evm_setTime", [Number(head.timestamp) * 1000]);
    const missing = this.journal.head - this.snapshotHead;
    if (missing > 200) this.options.say(`chain ${this.options.chainId}: replaying ${missing} blocks`);
    for (let number = this.snapshotHead + 1; number <= this.journal.head; number++) await this.replay(number);
    this.ahead = Math.max(0, Number((await this.head()).timestamp) - Math.floor(Date.now() / 1000));
    this.unwatch = watchPending(this.options.port, () => this.wake());
  }

  private async replay(number: number): Promise<void> {
    const block = this.journal.block(number);
    if (!block) throw new StackError(`The journal of chain ${this.options.chainId} has no block ${number}.`);
    const parent = await this.head();
    if (parent.hash !== block.parentHash) {
      this.options.say(`chain ${this.options.chainId}: block ${number - 1} has another hash than before`);
    }
    for (const raw of block.transactions) await this.anvil.call("eth_sendRawTransaction", [raw]);
    await this.anvil.call("evm_mine", [{ timestamp: block.timestamp }]);
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
        if (block) {
          lastMined = Date.now();
          empty = block === "empty" ? empty + 1 : 0;
        }
        if (this.journal.head - this.snapshotHead >= SNAPSHOT_EVERY) await this.snapshot();
        await (block ? sleep(BLOCK_SPACING_MS) : this.pause(Math.min(1_000, rest)));
      } catch (error) {
        if (this.stopping) return;
        if (error instanceof RpcError || error instanceof StackError) this.options.say(`chain: ${error.message}`);
        await this.pause(200);
      }
    }
  }

  private async recover(): Promise<void> {
    this.options.say(`chain ${this.options.chainId} stopped; starting it again`);
    this.unwatch?.();
    await this.restore();
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
    const waiting = await this.waitingHashes();
    if (waiting.length === 0 && !force) return undefined;
    const parent = await this.head();
    await this.backfill(Number(parent.number));
    const now = Math.floor(Date.now() / 1000);
    const parentTime = Number(parent.timestamp);
    if (parentTime > now + this.ahead) this.ahead = parentTime - now;
    const number = Number(parent.number) + 1;
    const block = { number, timestamp: now + this.ahead, parentHash: parent.hash };
    this.journal.append({ ...block, transactions: await this.rawTransactions(waiting) });
    await this.anvil.call("evm_mine", [{ timestamp: block.timestamp }]);
    const mined = await this.head();
    // A transaction that arrived in between is in the block too.
    if (mined.transactions.join() !== waiting.join()) {
      this.journal.append({ ...block, transactions: await this.rawTransactions(mined.transactions) });
    }
    return mined.transactions.length > 0 ? "full" : "empty";
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
      const block = await this.anvil.call<Block>("eth_getBlockByNumber", [hex(number), false]);
      this.journal.append({
        number,
        timestamp: Number(block.timestamp),
        parentHash: block.parentHash,
        transactions: await this.rawTransactions(block.transactions),
      });
    }
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
    writeFileDurably(path.join(this.folder, "snapshot.json"), JSON.stringify(state));
    this.snapshotHead = head;
    this.journal.forgetUpTo(head);
  }
}
