import { ApiError } from "@/lib/errors";

/** postgres.js and PostgreSQL (57P01 to 57P03, class 08) while the database cannot be reached or is starting. */
const AWAY = /^(ECONNREFUSED|ECONNRESET|CONNECT_TIMEOUT|CONNECTION_(CLOSED|ENDED|DESTROYED)|57P0[123]|08...)$/;

/**
 * While it is reached and cannot do it in time: no connection of the pool became free (db/gate.ts), PostgreSQL has none
 * left or lacks a resource (53300 and the rest of class 53), a lock (55P03), a statement (57014) or a transaction in
 * which nothing happened (25P03) took too long, or several waited for each other (40P01, 40001).
 */
const BUSY = /^(NO_CONNECTION|53...|55P03|57014|25P03|40P01|40001)$/;

const RETRY_SECONDS = 1;

/** What an error, or one of its causes, says of a database: it is away, or it could not do this one thing in time. */
export function troubleOf(thrown: unknown): "away" | "busy" | undefined {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    if (!("code" in error) || typeof error.code !== "string") continue;
    if (AWAY.test(error.code)) return "away";
    if (BUSY.test(error.code)) return "busy";
  }
  return undefined;
}

/**
 * The response to a request that the database could not serve: 503 with `Retry-After`. Undefined for everything else.
 */
export function databaseAway(thrown: unknown): ApiError | undefined {
  const trouble = troubleOf(thrown);
  const because = (message: string) =>
    new ApiError("unavailable", message, { cause: thrown, retryAfter: RETRY_SECONDS });
  if (trouble === "away") return because("The service cannot reach its database just now. Try again.");
  if (trouble === "busy") return because("The service is too busy to do this just now. Try again shortly.");
  return undefined;
}
