import postgres from "postgres";
import { ARRAY_TYPES } from "./array-types";

/** Receives the text of each statement, in test runs that record them (docs/database.md). */
const shared = globalThis as typeof globalThis & { halcyonStatements?: (text: string) => void };

interface Options extends Omit<postgres.Options<Record<string, postgres.PostgresType>>, "fetch_types" | "types"> {
  /**
   * For how many seconds a connection on which a response is due may be silent before it is closed and what waits for it
   * fails. By default, 5 s more than `statement_timeout`: PostgreSQL itself would have ended the statement by then. None
   * without one, nor while {@link withoutDeadline} holds.
   */
  response_timeout?: number;
}

const GRACE_SECONDS = 5;
/** Also how often a host is asked whether it is there, and after how long an idle connection, in seconds. */
const KEEPALIVE = 5;

/**
 * How PostgreSQL notices within 20 s that this process's machine or the network is gone. Otherwise locks of a lost
 * connection would be held for as long as its kernel waits: over two hours.
 */
const PEER_GONE = {
  tcp_keepalives_idle: KEEPALIVE,
  tcp_keepalives_interval: KEEPALIVE,
  tcp_keepalives_count: 3,
  tcp_user_timeout: 20_000,
};

/** Pauses at most a second before it connects again; by default up to 20 s, and each query would wait for that. */
const backoff = (retries: number) => Math.random() * Math.min(3 ** retries / 100, 1);

/**
 * Creates a pool of postgres.js with the project's array types, whose connections are replaced when they go silent.
 *
 * By default, postgres.js asks each new connection for the database's array types. It does not handle a failure of that
 * query, so a PostgreSQL that goes away at that moment would crash the process.
 */
export function connect(url: string, options: Options): postgres.Sql {
  const { halcyonStatements } = shared;
  const debug = halcyonStatements && ((_connection: number, text: string) => halcyonStatements(text));
  const limit = Number(options.connection?.statement_timeout ?? 0) / 1_000;
  return postgres(url, {
    onnotice: () => {},
    keep_alive: KEEPALIVE,
    backoff,
    ...{ response_timeout: limit > 0 ? limit + GRACE_SECONDS : undefined },
    ...options,
    connection: { ...PEER_GONE, ...options.connection },
    fetch_types: false,
    types: ARRAY_TYPES,
    debug,
  });
}
