import type { LoggedRequest } from "../api/resources/request-log";
import type { ListRequestsInput, RequestLogResource } from "../resources/request-log-resource";
import { type ConnectionNews, pause, untilReached } from "./until-reached";

const PAGE = 100;
/** How many requests are remembered as shown. More than a busy account makes between two looks. */
const REMEMBERED = 20_000;

/** What happens while following the log. */
export type TailNews = { kind: "request"; request: LoggedRequest } | ConnectionNews;

/** Which requests to follow, and with how many earlier ones to begin. */
export interface TailInput extends Pick<ListRequestsInput, "outcome" | "method" | "key"> {
  lines: number;
  /** How long to wait between two looks. */
  pollMs?: number;
  /** Stops following when it aborts. */
  signal: AbortSignal;
  tell: (news: TailNews) => void;
}

/** What it reads from. */
interface WithLog {
  requestLog: Pick<RequestLogResource, "list">;
}

/**
 * Shows the newest requests and then each new one, oldest first. A request is stored once its response has ended, so a
 * slow one can appear among earlier ones: each look reads back to what was shown, and shows what was not.
 *
 * @throws HalcyonError when waiting won't help: the key is refused
 */
export async function tailRequests(
  halcyon: WithLog,
  { lines, pollMs = 2_000, signal, tell, ...filters }: TailInput,
): Promise<void> {
  const shown = new Set<string>();
  const look = () => untilReached(() => unseen(halcyon, filters, shown), signal, tell);
  const earlier = await untilReached(() => halcyon.requestLog.list({ ...filters, limit: PAGE }), signal, tell);
  if (!earlier) return;
  const requests = earlier.requests.toReversed();
  // What is older than the first page was there before, even if it is read later.
  const since = earlier.has_more ? (requests[0]?.request_id ?? "") : "";
  for (const [at, request] of requests.entries()) {
    shown.add(request.request_id);
    if (requests.length - at <= lines) tell({ kind: "request", request });
  }
  while (!signal.aborted) {
    await pause(pollMs, signal);
    for (const request of (await look()) ?? []) {
      if (request.request_id < since) continue;
      tell({ kind: "request", request });
      shown.add(request.request_id);
    }
    forgetOldest(shown);
  }
}

/** Returns the requests that were not shown, oldest first, reading whole pages until one has a request that was. */
async function unseen(halcyon: WithLog, filters: ListRequestsInput, shown: ReadonlySet<string>) {
  const found: LoggedRequest[] = [];
  let read = 0;
  let met = false;
  for await (const request of halcyon.requestLog.list({ ...filters, limit: PAGE })) {
    if (shown.has(request.request_id)) met = true;
    else found.push(request);
    read++;
    if (met && read % PAGE === 0) break;
  }
  return found.reverse();
}

/** A Set iterates in insertion order. */
function forgetOldest(shown: Set<string>): void {
  for (const id of shown) {
    if (shown.size <= REMEMBERED) return;
    shown.delete(id);
  }
}
