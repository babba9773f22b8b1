import postgres from "postgres";
import { ARRAY_TYPES } from "./array-types";

/** Receives the text of each statement, in test runs that record them (docs/database.md). */
const shared = globalThis as typeof globalThis & { halcyonStatements?: (text: string) => void };

type Options = Omit<postgres.Options<Record<string, postgres.PostgresType>>, "fetch_types" | "types">;

/**
 * Creates a pool of postgres.js with the project's array types.
 *
 * By default, postgres.js asks each new connection for the database's array types. It does not handle a failure of that
 * query, so a PostgreSQL that goes away at that moment would crash the process.
 */
export function connect(url: string, options: Options): postgres.Sql {
  const { halcyonStatements } = shared;
  const debug = halcyonStatements && ((_connection: number, text: string) => halcyonStatements(text));
  return postgres(url, { onnotice: () => {}, ...options, fetch_types: false, types: ARRAY_TYPES, debug });
}
