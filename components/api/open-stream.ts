import type { Network } from "@/lib/base/network";
import { api } from "./api";
import { doubtService } from "./service-watch";
import { onSession, signInAfter } from "./sign-in-again";

const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 30_000;

/** The message types of `GET /api/stream`. */
const MESSAGES = ["ready", "event", "change", "deliveries"] as const;

type StreamMessage = (typeof MESSAGES)[number];

/**
 * Listens to the session's changes until the returned function is called. If the session ends, the page asks the wallet
 * to sign in again, and then listening resumes. The browser reconnects by itself when a connection breaks, but gives up
 * on any response other than 200 (HTML, 9.2.3). In that case this opens a new stream after a pause, from the id of the
 * last message, so that nothing is missed.
 *
 * @param since the id to start from
 */
export function followStream(
  network: Network,
  since: string,
  hear: (message: StreamMessage, data: unknown) => void,
): () => void {
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let lastId = since;
  let pause = FIRST_PAUSE_MS;

  const connect = () => {
    // A pause before a new stream may not be over.
    clearTimeout(timer);
    source?.close();
    const query = new URLSearchParams({ network, last_event_id: lastId });
    const opened = new EventSource(`/api/stream?${query}`);
    source = opened;
    for (const name of MESSAGES) {
      opened.addEventListener(name, ({ data, lastEventId }: MessageEvent<string>) => {
        lastId = lastEventId || lastId;
        pause = FIRST_PAUSE_MS;
        hear(name, JSON.parse(data));
      });
    }
    opened.addEventListener("error", () => {
      // A page that asks for nothing hears of it here alone.
      if (source === opened) void doubtService();
      if (opened.readyState !== EventSource.CLOSED || source !== opened) return;
      timer = setTimeout(reopen, pause * (1 + Math.random() / 4));
      pause = Math.min(LONGEST_PAUSE_MS, pause * 2);
    });
  };

  const reopen = async () => {
    const closed = source;
    const error = await sessionError(network);
    // Stopped or reconnected in the meantime.
    if (source !== closed) return;
    if (!signInAfter(error)) connect();
  };
  const endHearing = onSession((over) => {
    if (!over && source?.readyState === EventSource.CLOSED) connect();
  });

  const stop = () => {
    clearTimeout(timer);
    source?.close();
    source = undefined;
  };
  // A page in the back/forward cache closes its connection, and reconnects when it is shown again.
  const resume = ({ persisted }: PageTransitionEvent) => {
    if (persisted && !source) connect();
  };

  connect();
  addEventListener("pagehide", stop);
  addEventListener("pageshow", resume);
  return () => {
    removeEventListener("pagehide", stop);
    removeEventListener("pageshow", resume);
    endHearing();
    stop();
  };
}

/** Returns the error with which the service rejects the session; undefined if it accepts it. */
async function sessionError(network: Network): Promise<unknown> {
  return api(network)
    .get("/api/sessions")
    .then(() => undefined)
    .catch((error: unknown) => error);
}
