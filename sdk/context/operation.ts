import { HalcyonError } from "../api/errors";
import type { Operation } from "../api/resources/transfers";
import type { Context } from "./context";

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_000;

/**
 * Polls `settled` with growing pauses until it returns a value. The work continues without this client: after a
 * timeout, the same call will later find it done.
 *
 * @param late creates the error for when the call's `waitTimeout` expires
 */
export async function poll<T>(
  { call }: Pick<Context, "call">,
  what: string,
  settled: () => Promise<T | undefined>,
  late = () => new HalcyonError("unavailable", `${what} is still not final on chain. It goes on; look again later.`),
): Promise<T> {
  const end = Date.now() + call.waitTimeout;
  for (let pause = FIRST_PAUSE_MS; Date.now() < end; pause = Math.min(pause * 1.3, LONGEST_PAUSE_MS)) {
    const value = await settled();
    if (value !== undefined) return value;
    await call.pause(Math.min(pause, Math.max(0, end - Date.now())));
  }
  throw late();
}

/**
 * Waits until an operation of the service is final on chain, and returns it.
 *
 * @throws HalcyonError `unavailable` when it failed
 */
export async function confirmed(context: Context, operation: Operation, what: string): Promise<Operation> {
  const session = await context.session();
  const done = await poll(context, what, async () => {
    const now = await session.get<Operation>(`/api/operations/${operation.operation_id}`);
    return now.status === "pending" ? undefined : now;
  });
  if (done.status === "confirmed") return done;
  throw new HalcyonError(
    "unavailable",
    `${what} did not settle (transaction ${done.tx_hash}). Nothing moved; try again.`,
  );
}
