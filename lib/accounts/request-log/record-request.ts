import { flushRequests } from "./flush-requests";
import { type LoggedRequest, unwrittenRequests } from "./unwritten-requests";

const FLUSH_MS = 2_000;
/** Requests kept in memory. While the database is away, later ones are not logged. */
const MOST = 10_000;

/** Notes a request in memory. It is stored within seconds, outside of requests. */
export function recordRequest(request: LoggedRequest): void {
  const state = unwrittenRequests();
  if (state.list.length >= MOST) return;
  state.list.push(request);
  if (!state.timer) {
    // One timer per process, and only while there is something to write.
    state.timer = setTimeout(() => {
      state.timer = undefined;
      void flushRequests();
    }, FLUSH_MS);
    state.timer.unref();
  }
}
