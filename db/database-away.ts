import { ApiError } from "@/lib/base/errors";

/** Codes of sockets and of name look-ups while the database can't be reached. A managed one's name moves at a failover. */
const UNREACHABLE = /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/;

/** Error codes of postgres.js and PostgreSQL (57P01 to 57P03, class 08) while it can't be reached, stops or starts. */
const AWAY = /^(CONNECT_TIMEOUT|CONNECTION_(CLOSED|ENDED|DESTROYED)|57P0[123]|08...)$/;

/**
 * Error codes while the database can be reached but is too slow or overloaded: no free connection in the pool
 * (db/gate.ts), too many connections or too few resources (class 53), a timeout of a lock (55P03), a statement (57014)
 * or an idle transaction (25P03), a deadlock (40P01) or a serialization failure (40001). What follows such an error in
 * its transaction (25P02) has it as its cause (scripts/patches.mjs).
 */
const BUSY = /^(NO_CONNECTION|53...|55P03|57014|25P03|40P01|40001)$/;

/** Of these, and beside them: it takes no writes, because its disk is full or fails, or it has become a replica. */
const READ_ONLY = /^(53100|58030|25006)$/;

const RETRY_SECONDS = 1;

// Next.js bundles routes separately. A global gives one value per process.
const shared = globalThis as typeof globalThis & { halcyonWriteRefused?: number };

/**
 * Returns how many milliseconds ago the database refused a write of this process for its own state; infinity if it has
 * not, or has taken one since (`takesWrites`).
 */
export const sinceWriteRefused = (): number =>
  performance.now() - (shared.halcyonWriteRefused ?? Number.NEGATIVE_INFINITY);

/** Records that the database takes writes again. */
export function forgetWriteRefused(): void {
  shared.halcyonWriteRefused = undefined;
}

function codesOf(thrown: unknown): string[] {
  const codes: string[] = [];
  for (let error = thrown; error instanceof Error; error = error.cause) {
    if ("code" in error && typeof error.code === "string") codes.push(error.code);
  }
  return codes;
}

/**
 * Returns what an error, or one of its causes, says about the database: it can't be reached, or was too busy for this
 * operation.
 */
export function troubleOf(thrown: unknown): "away" | "busy" | undefined {
  for (const code of codesOf(thrown)) {
    if (UNREACHABLE.test(code) || AWAY.test(code)) return "away";
    if (BUSY.test(code) || READ_ONLY.test(code)) return "busy";
  }
  return undefined;
}

/**
 * Returns the error for a request that the database could not serve: 503 with `Retry-After`. Returns undefined for
 * other errors. Records a refused write ({@link sinceWriteRefused}).
 */
export function databaseAway(thrown: unknown): ApiError | undefined {
  const trouble = troubleOf(thrown);
  if (codesOf(thrown).some((code) => READ_ONLY.test(code))) shared.halcyonWriteRefused = performance.now();
  const because = (message: string) =>
    new ApiError("unavailable", message, { cause: thrown, retryAfter: RETRY_SECONDS });
  if (trouble === "away") return because("The service cannot reach its database just now. Try again.");
  if (trouble === "busy") return because("The service is too busy to do this just now. Try again shortly.");
  return undefined;
}
