import type postgres from "postgres";
import { currentAccount } from "@/lib/base/current-account";
import { FairQueue, TurnNotReached } from "@/lib/base/fair-queue";
import { WorkValue } from "@/lib/base/work-value";
import { beat } from "./beat";

/**
 * How long a caller waits before it gets an error that suggests a retry: for its turn and, where queries share
 * connections, as long again until a connection has its query.
 */
const ACQUIRE_MS = 10_000;

/** No connection became free in time. db/database-away.ts lists its `code` with PostgreSQL's. */
class NoConnection extends Error {
  override readonly name = "NoConnection";
  readonly code = "NO_CONNECTION";
  constructor() {
    super("no database connection became free in time");
  }
}

/** A bug in our code: a query outside of the transaction in progress would take a second connection. */
export class SecondConnection extends Error {
  override readonly name = "SecondConnection";
  constructor() {
    super("a query outside of the transaction it runs in: pass `tx` on, or read before it begins");
  }
}

/**
 * PostgreSQL refused a query of a pool whose connections are shared by queries ({@link gated}), perhaps because its
 * prepared statement no longer fits its tables, for example after a migration. Another pool says why, or has the rows.
 */
class SharedQueryRefused extends Error {
  readonly code = SHARED_QUERY_REFUSED;
}

const SHARED_QUERY_REFUSED = "SHARED_QUERY_REFUSED";

/**
 * Reports whether an error, or one of its causes, is the refusal of a query on a shared connection ({@link gated}). By
 * its code: Next.js bundles routes separately, so the error may come from another copy of its class.
 */
export function isSharedQueryRefused(thrown: unknown): boolean {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    if ("code" in error && error.code === SHARED_QUERY_REFUSED) return true;
  }
  return false;
}

/** A query of postgres.js. It is sent by `handler` once someone awaits it, and ended by `resolve` or `reject`. */
interface Query extends Promise<unknown> {
  args: readonly unknown[];
  /** The connection that has it; null before. */
  state: unknown;
  cancelled: unknown;
  /** The error of its first attempt. The driver reports it when the query fails, and does not try again. */
  retried?: Error;
  handler(query: Query): void;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

interface Transaction {
  open: boolean;
  tx?: Tx;
  endBeat?: () => void;
}

/** With what scripts/patches.mjs adds. */
type Tx = postgres.TransactionSql & { connection?: { unhurried: boolean } };

const transactions = new WorkValue<Transaction>("transaction");

/**
 * Throws inside a transaction. A caller that holds a connection and waits for a second can wait forever: if as many
 * requests as there are connections do so, all are stuck, and PostgreSQL sees no deadlock.
 */
function refuseSecondConnection(): void {
  if (transactions.get()?.open) throw new SecondConnection();
}

/**
 * Lifts the client's own limit ({@link connect}) from the rest of the transaction in progress. A host that is gone is
 * still noticed, by TCP.
 */
export function withoutDeadline(): void {
  const { connection } = transactions.get()?.tx ?? {};
  if (connection) connection.unhurried = true;
}

/** Keeps the transaction in progress from counting as idle for the rest of it ({@link beat}). */
export function neverIdle(): void {
  const transaction = transactions.get();
  if (transaction?.tx) transaction.endBeat ??= beat(transaction.tx);
}

/** Distributes the connections of a pool, taking turns by account. */
export class Gate {
  private readonly slots: FairQueue;
  /** Since when callers have waited without anyone getting a connection; undefined otherwise. */
  private starvedSince?: number;

  /** @param share how many connections the requests of one account may hold at once */
  constructor(
    connections: number,
    share = connections,
    readonly patienceMs = ACQUIRE_MS,
  ) {
    this.slots = new FairQueue({ slots: connections, share });
  }

  /** Returns for how many milliseconds callers have waited without anyone getting a connection. */
  starvedMs(): number {
    return this.starvedSince === undefined ? 0 : performance.now() - this.starvedSince;
  }

  /** Returns how many connections are in use, and how many callers wait for one. */
  load(): { running: number; waiting: number } {
    return this.slots.load();
  }

  /**
   * Takes a connection. Call the returned function to release it.
   *
   * @throws NoConnection
   */
  async take(): Promise<() => void> {
    return this.tryTake() ?? this.wait();
  }

  /** Waits for a connection when {@link tryTake} found none. */
  async wait(): Promise<() => void> {
    return this.given(await this.slots.take(currentAccount(), this.patienceMs).catch(refused));
  }

  /** Takes a connection if one is free now, otherwise returns null. Call the returned function to release it. */
  tryTake(): (() => void) | null {
    const free = this.slots.tryTake(currentAccount());
    if (free) return this.given(free);
    // An account that has used up its share is not a sign that the process is stuck.
    if (this.slots.load().running >= this.slots.most) this.starvedSince ??= performance.now();
    return null;
  }

  private given(release: () => void): () => void {
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
 * Wraps a pool so that each query and transaction waits for its turn, for a limited time, and so that no query is sent
 * outside of the transaction in progress.
 *
 * @param shared whether queries share a connection, one sent while others are under way. The driver (3.4.9) loses count
 *   of such queries, and gives them each other's rows, when it prepares one again or when a value can't be sent. So what
 *   PostgreSQL refuses fails as {@link isSharedQueryRefused} says, and an undefined value is refused before.
 */
export function gated(sql: postgres.Sql, gate: Gate, shared = false): postgres.Sql {
  const overdue = shared ? new Overdue(gate.patienceMs, () => new NoConnection()) : undefined;
  const wait = <T>(query: T): T => {
    if (query instanceof Promise && "handler" in query) waitFor(query as unknown as Query, gate, overdue);
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

/** Makes a query wait for a connection. Fragments get here too, but they are never sent on their own. */
function waitFor(query: Query, gate: Gate, overdue: Overdue | undefined): void {
  const { handler } = query;
  const send = (release: () => void) => {
    if (query.cancelled) return release();
    if (overdue) query.retried = new SharedQueryRefused("refused");
    const { resolve, reject } = query;
    // Not by `then`, which would make four more promises.
    query.resolve = (result) => {
      overdue?.delete(query);
      release();
      resolve(result);
    };
    query.reject = (error) => {
      overdue?.delete(query);
      release();
      reject(error);
    };
    overdue?.add(query);
    handler(query);
  };
  const fail = (error: unknown) => query.reject(error);
  query.handler = () => {
    try {
      refuseSecondConnection();
      if (overdue && query.args.includes(undefined)) throw new TypeError("a value of a statement is undefined");
      const release = gate.tryTake();
      if (release) send(release);
      else gate.wait().then(send).catch(fail);
    } catch (error) {
      fail(error);
    }
  };
}

async function begin(sql: postgres.Sql, gate: Gate, args: unknown[]): Promise<unknown> {
  refuseSecondConnection();
  const work = args.at(-1) as (tx: postgres.TransactionSql) => unknown;
  const options = args.length > 1 ? String(args[0]) : "";
  const release = await gate.take();
  const transaction: Transaction = { open: true };
  try {
    return await sql.begin(options, (tx) => {
      transaction.tx = tx;
      return transactions.run(transaction, () => work(tx));
    });
  } finally {
    transaction.open = false;
    transaction.endBeat?.();
    release();
  }
}

/** Something that waits for a connection. */
interface Waiting {
  /** Null until a connection has it. */
  state: unknown;
  reject(error: unknown): void;
}

const LOOK_MS = 250;

/**
 * Fails queries that the driver has and no connection takes. While a database is away, the driver tries to connect for
 * one query after the other, with growing pauses, so the last of many would wait for minutes.
 */
class Overdue {
  private readonly since = new Map<Waiting, number>();
  private timer: NodeJS.Timeout | undefined;

  /** @param error creates the error of a query that has waited for so many milliseconds */
  constructor(
    private readonly patienceMs: number,
    private readonly error: () => Error,
  ) {}

  add(query: Waiting): void {
    this.since.set(query, performance.now());
    this.timer ??= setInterval(() => this.look(), LOOK_MS).unref();
  }

  delete(query: Waiting): void {
    this.since.delete(query);
  }

  private look(): void {
    const late = performance.now() - this.patienceMs;
    for (const [query, since] of this.since) {
      if (since > late) break;
      this.since.delete(query);
      if (query.state === null) query.reject(this.error());
    }
    if (this.since.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }
}
