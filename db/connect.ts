import postgres from "postgres";
import { ARRAY_TYPES } from "./array-types";

/** Gets the text of each statement, in runs of tests that record them (docs/database.md). */
const shared = globalThis as typeof globalThis & { halcyonStatements?: (text: string) => void };

type Options = Omit<postgres.Options<Record<string, postgres.PostgresType>>, "fetch_types" | "types">;

/**
 * A pool of postgres.js with the project's array types.
 *
 * By default, postgres.js asks each new connection for the database's array types. Nothing handles a failure of that
 * query, so a PostgreSQL that goes away at that moment would end the process.
 */
export function connect(url: string, options: Options): postgres.Sql {
  const { halcyonStatements } = shared;
  const debug = halcyonStatements && ((_connection: number, text: string) => halcyonStatements(text));
  return postgres(url, { onnotice: () => {}, ...options, fetch_types: false, types: ARRAY_TYPES, debug });
}
