import { machineFetch } from "@/lib/base/machine-fetch";
import { NOT_ENCODED } from "@/lib/base/plain-fetch";
import { EVENT_TYPES } from "@/lib/events/catalogue";
import { signatureHeaders } from "@/lib/events/webhooks/delivery/sign";
import { ApiCallError, HalcyonError } from "../api/errors";
import type { Account } from "../api/resources/accounts";
import { FIRST_CURSOR } from "../api/webhooks/first-cursor";
import type { HalcyonEvent } from "../api/webhooks/webhook-events";
import type { Halcyon } from "../client";
import { type ConnectionNews, pause, untilReached } from "./until-reached";

const POLL_MS = 500;
/** The response timeout, the same as for real deliveries. */
const RESPONSE_MS = 15_000;

/** What happens while listening, in order. */
export type ListenNews =
  /** Nothing is signed without an address to forward to. */
  | { kind: "ready"; secret?: string; forward_to?: string }
  | { kind: "event"; event: HalcyonEvent }
  /** The receiver's response; `status` is null when there was none. */
  | { kind: "answer"; event: HalcyonEvent; status: number | null; error: string | null; duration_ms: number }
  | ConnectionNews;

export interface ListenInput {
  /** The address to post events to, http or https, on this machine or any other. Default: events are only shown. */
  forwardTo?: string | undefined;
  /** Only these types. Default: all types. */
  events?: readonly string[];
  /** Stops listening when it aborts. */
  signal: AbortSignal;
  tell: (news: ListenNews) => void;
  /** Returns the secret with which to sign an account's events. */
  secretOf: (accountId: string) => Promise<string>;
}

/**
 * Posts the account's new events to an address, one after the other, signed like real deliveries, but with a secret of
 * this machine. Nothing is retried. When the service restarts, continues after the last event it has seen.
 *
 * @throws HalcyonError when waiting won't help: the key is refused, or an address is invalid
 */
export async function listen(
  halcyon: Halcyon,
  { forwardTo, events, signal, tell, secretOf }: ListenInput,
): Promise<void> {
  if (forwardTo !== undefined && !(URL.canParse(forwardTo) && /^https?:$/.test(new URL(forwardTo).protocol))) {
    throw new HalcyonError("invalid_request", "--forward-to is no address such as http://localhost:4000/hook.");
  }
  const unknown = events?.find((type) => !(EVENT_TYPES as readonly string[]).includes(type));
  if (unknown !== undefined) {
    throw new HalcyonError("invalid_request", `There is no event type "${unknown}", only ${EVENT_TYPES.join(", ")}.`);
  }
  const stream = new Stream(halcyon, signal, tell);
  await stream.start();
  const account = forwardTo === undefined ? undefined : await stream.account();
  const secret = account && (await secretOf(account.account_id));
  if (signal.aborted) return;
  tell({ kind: "ready", ...(secret !== undefined && { secret, forward_to: forwardTo }) });
  while (!signal.aborted) {
    const page = await stream.next();
    for (const event of page) {
      if (signal.aborted) return;
      if (!events || events.includes(event.event)) {
        tell({ kind: "event", event });
        const delivery =
          forwardTo === undefined || secret === undefined ? null : await forward(forwardTo, secret, event, signal);
        if (signal.aborted) return;
        if (delivery) tell(delivery);
      }
      stream.seen(event);
    }
    if (page.length === 0) await pause(POLL_MS, signal);
  }
}

/** The account's events from now on. Waits while the service can't be reached. */
class Stream {
  private cursor = FIRST_CURSOR;

  constructor(
    private readonly halcyon: Halcyon,
    private readonly signal: AbortSignal,
    private readonly tell: (news: ListenNews) => void,
  ) {}

  /** Moves the cursor to the newest event. */
  async start(): Promise<void> {
    const newest = await this.patiently(() => this.halcyon.events.list({ limit: 1 }));
    this.cursor = newest?.events[0]?.event_id ?? FIRST_CURSOR;
  }

  /** Returns the account the events belong to. */
  account(): Promise<Account | undefined> {
    return this.patiently(() => this.halcyon.account.get());
  }

  async next(): Promise<HalcyonEvent[]> {
    try {
      return (await this.patiently(() => this.halcyon.events.list({ after: this.cursor, limit: 100 })))?.events ?? [];
    } catch (error) {
      // A local stack was reset, so the cursor no longer exists.
      if (!(error instanceof ApiCallError && error.param === "after")) throw error;
      await this.start();
      return [];
    }
  }

  seen(event: HalcyonEvent): void {
    this.cursor = event.event_id;
  }

  private patiently<T>(ask: () => Promise<T>): Promise<T | undefined> {
    return untilReached(ask, this.signal, this.tell);
  }
}

async function forward(url: string, secret: string, event: HalcyonEvent, signal: AbortSignal): Promise<ListenNews> {
  const body = JSON.stringify(event);
  const headers = {
    "content-type": "application/json",
    "user-agent": "Halcyon-Listen/1",
    ...NOT_ENCODED,
    ...signatureHeaders(body, event.event_id, new Date(), [secret]),
  };
  const start = performance.now();
  const ended = (status: number | null, error: string | null): ListenNews => {
    return { kind: "answer", event, status, error, duration_ms: Math.round(performance.now() - start) };
  };
  try {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(RESPONSE_MS)]);
    // Only the status is read, as with deliveries.
    const response = await machineFetch(url, { method: "POST", headers, body, redirect: "manual", signal: limit });
    await response.body?.cancel();
    return ended(response.status, null);
  } catch (error) {
    return ended(null, whyNoResponse(error));
  }
}

function whyNoResponse(error: unknown): string {
  if (error instanceof DOMException && error.name === "TimeoutError")
    return `no response within ${RESPONSE_MS / 1000} s`;
  const { cause } = error as { cause?: { code?: string; message?: string } };
  return cause?.code ?? cause?.message ?? "no response";
}
