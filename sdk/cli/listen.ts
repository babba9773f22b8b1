import { setTimeout as sleep } from "node:timers/promises";
import { EVENT_TYPES } from "@/lib/events/catalogue";
import { signatureHeaders } from "@/lib/webhooks/delivery/sign";
import { ApiCallError, HalcyonError } from "../api/errors";
import type { Account } from "../api/resources/accounts";
import type { Halcyon } from "../client";
import { FIRST_CURSOR } from "../webhooks/first-cursor";
import type { HalcyonEvent } from "../webhooks/webhook-events";

const POLL_MS = 500;
const LONGEST_PAUSE_MS = 5_000;
/** As for real deliveries. */
const RESPONSE_MS = 15_000;

/** What happens while listening, in order. */
export type ListenNews =
  /** Without an address to forward to nothing is signed. */
  | { kind: "ready"; secret?: string; forward_to?: string }
  | { kind: "event"; event: HalcyonEvent }
  /** How the receiver responded; `status` is null when it did not. */
  | { kind: "answer"; event: HalcyonEvent; status: number | null; error: string | null; duration_ms: number }
  /** The service is away; listening goes on where it was once it is back. */
  | { kind: "lost"; message: string }
  | { kind: "found" };

export interface ListenInput {
  /** Where events are posted to: an http or https address of this machine or any other. Left out, they are shown alone. */
  forwardTo?: string | undefined;
  /** Only these types; all when left out. */
  events?: readonly string[];
  /** Ends the listening. */
  signal: AbortSignal;
  tell: (news: ListenNews) => void;
  /** The secret that an account's events are signed with. */
  secretOf: (accountId: string) => Promise<string>;
}

/**
 * Posts the account's new events to an address, one after the other, signed as real deliveries are with a secret of this
 * machine's own. Nothing is retried. Survives restarts of the service: it goes on after the last event it has seen.
 *
 * @throws HalcyonError for what waiting does not repair: a refused key, an address that is none
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

/** The account's events from now on, through whatever happens to the service. */
class Stream {
  private cursor = FIRST_CURSOR;

  constructor(
    private readonly halcyon: Halcyon,
    private readonly signal: AbortSignal,
    private readonly tell: (news: ListenNews) => void,
  ) {}

  /** Goes to the newest event. */
  async start(): Promise<void> {
    const newest = await this.patiently(() => this.halcyon.events.list({ limit: 1 }));
    this.cursor = newest?.events[0]?.event_id ?? FIRST_CURSOR;
  }

  /** Whose events these are. */
  account(): Promise<Account | undefined> {
    return this.patiently(() => this.halcyon.account.get());
  }

  async next(): Promise<HalcyonEvent[]> {
    try {
      return (await this.patiently(() => this.halcyon.events.list({ after: this.cursor, limit: 100 })))?.events ?? [];
    } catch (error) {
      // A local stack that was wiped: its events are others now.
      if (!(error instanceof ApiCallError && error.param === "after")) throw error;
      await this.start();
      return [];
    }
  }

  seen(event: HalcyonEvent): void {
    this.cursor = event.event_id;
  }

  /** Asks until the service responds; undefined when listening ended meanwhile. */
  private async patiently<T>(ask: () => Promise<T>): Promise<T | undefined> {
    for (let tries = 0; !this.signal.aborted; tries++) {
      try {
        const response = await ask();
        if (tries > 0) this.tell({ kind: "found" });
        return response;
      } catch (error) {
        if (!isPassing(error)) throw error;
        if (tries === 0) this.tell({ kind: "lost", message: error.message });
        await pause(Math.min(POLL_MS * 2 ** tries, LONGEST_PAUSE_MS), this.signal);
      }
    }
    return undefined;
  }
}

/** No server responds, or the service is about to be well again. */
function isPassing(error: unknown): error is HalcyonError {
  return error instanceof HalcyonError && ["unavailable", "internal", "rate_limited"].includes(error.code);
}

async function forward(url: string, secret: string, event: HalcyonEvent, signal: AbortSignal): Promise<ListenNews> {
  const body = JSON.stringify(event);
  const headers = {
    "content-type": "application/json",
    "user-agent": "Halcyon-Listen/1",
    ...signatureHeaders(body, event.event_id, new Date(), [secret]),
  };
  const start = performance.now();
  const ended = (status: number | null, error: string | null): ListenNews => {
    return { kind: "answer", event, status, error, duration_ms: Math.round(performance.now() - start) };
  };
  try {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(RESPONSE_MS)]);
    const response = await fetch(url, { method: "POST", headers, body, redirect: "manual", signal: limit });
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

/** Waits, or less when the signal comes first. */
async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch(() => {});
}
