import postgres from "postgres";
import { ARRAY_TYPES } from "./array-types";

type Options = Omit<postgres.Options<Record<string, postgres.PostgresType>>, "fetch_types" | "types">;

/**
 * A pool of postgres.js with the project's array types.
 *
 * By default, postgres.js asks each new connection for the database's array types. Nothing handles a failure of that
 * query, so a PostgreSQL that goes away at that moment would end the process.
 */
export function connect(url: string, options: Options): postgres.Sql {
  return postgres(url, { onnotice: () => {}, ...options, fetch_types: false, types: ARRAY_TYPES });
}
