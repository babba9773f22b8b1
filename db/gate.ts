import { AsyncLocalStorage } from "node:async_hooks";
import type postgres from "postgres";
import { currentAccount } from "@/lib/current-account";
import { FairQueue, TurnNotReached } from "@/lib/fair-queue";

/** How long a caller waits for a connection before it fails with a retry hint. */
const ACQUIRE_MS = 10_000;

/** No connection became free in time. Its `code` stands beside PostgreSQL's in db/database-away.ts. */
class NoConnection extends Error {
  override readonly name = "NoConnection";
  readonly code = "NO_CONNECTION";
  constructor() {
    super("no database connection became free in time");
  }
}

/** A mistake in our code: a query that would take a second connection while its caller holds one. */
export class SecondConnection extends Error {
  override readonly name = "SecondConnection";
  constructor() {
    super("a query outside of the transaction it runs in: pass `tx` on, or read before it begins");
  }
}

/** The queries of postgres.js: sent when someone waits for them, by `handler`; `reject` ends them otherwise. */
interface Query extends Promise<unknown> {
  handler(query: Query): void;
  reject(error: unknown): void;
}

interface Transaction {
  open: boolean;
}

// Next bundles routes separately: one store per process wants a place outside the modules.
const shared = globalThis as typeof globalThis & { halcyonTransaction?: AsyncLocalStorage<Transaction> };
shared.halcyonTransaction ??= new AsyncLocalStorage();
const transactions = shared.halcyonTransaction;

/**
 * Throws inside a transaction. Who holds one connection and waits for a second can wait for ever: as many requests at
 * once as there are connections each hold one, and PostgreSQL sees no cycle.
 */
function refuseSecondConnection(): void {
  if (transactions.getStore()?.open) throw new SecondConnection();
}

/** The connections of a pool as they are handed out, in turn by account. */
export class Gate {
  private readonly slots: FairQueue;
  /** Since when someone has asked in vain; undefined while connections come and go. */
  private starvedSince?: number;

  /** @param share how many connections one account's requests may have at once */
  constructor(
    connections: number,
    share = connections,
    private readonly patienceMs = ACQUIRE_MS,
  ) {
    this.slots = new FairQueue({ slots: connections, share });
  }

  /** For how long no one has been given a connection although someone asked. Milliseconds. */
  starvedMs(): number {
    return this.starvedSince === undefined ? 0 : performance.now() - this.starvedSince;
  }

  /** How many connections are in use, and how many callers wait for one. */
  load(): { running: number; waiting: number } {
    return this.slots.load();
  }

  /** @throws NoConnection */
  async take(): Promise<() => void> {
    const account = currentAccount();
    const free = this.slots.tryTake(account);
    // One account that has its share, or waits behind itself, is no sign that the process cannot work.
    if (!free && this.slots.load().running >= this.slots.most) this.starvedSince ??= performance.now();
    const release = free ?? (await this.slots.take(account, this.patienceMs).catch(refused));
    this.starvedSince = undefined;
    return () => {
      this.starvedSince = undefined;
      release();
    };
  }
}

function refused(error: unknown): never {
  throw error instanceof TurnNotReached ? new NoConnection() : error;
}

/**
 * A pool whose queries and transactions each wait for a connection in turn, for a bounded time, and never
 * sent from inside a transaction of the same process.
 */
export function gated(sql: postgres.Sql, gate: Gate): postgres.Sql {
  const wait = <T>(query: T): T => {
    if (query instanceof Promise && "handler" in query) waitFor(query as unknown as Query, gate);
    return query;
  };
  return new Proxy(sql, {
    apply: (target, self, args) => wait(Reflect.apply(target, self, args)),
    get(target, name) {
      if (name === "unsafe") return (...args: Parameters<postgres.Sql["unsafe"]>) => wait(target.unsafe(...args));
      if (name === "begin") return (...args: unknown[]) => begin(target, gate, args);
      return Reflect.get(target, name);
    },
  });
}

/** Fragments pass here too; they are never sent by themselves. */
function waitFor(query: Query, gate: Gate): void {
  const send = query.handler;
  query.handler = async () => {
    try {
      refuseSecondConnection();
      const release = await gate.take();
      query.then(release, release);
      send(query);
    } catch (error) {
      query.reject(error);
    }
  };
}

async function begin(sql: postgres.Sql, gate: Gate, args: unknown[]): Promise<unknown> {
  refuseSecondConnection();
  const work = args.at(-1) as (tx: postgres.TransactionSql) => unknown;
  const options = args.length > 1 ? String(args[0]) : "";
  const release = await gate.take();
  const transaction = { open: true };
  try {
    return await sql.begin(options, (tx) => transactions.run(transaction, () => work(tx)));
  } finally {
    transaction.open = false;
    release();
  }
}
