import { sql } from "@/db/client";
import type { SessionContext } from "@/lib/base/context/context";
import { env } from "@/lib/base/env";
import { ApiError } from "@/lib/base/errors";
import { CHAIN_IDS } from "@/lib/chain/clients";
import { readNotification, STREAM_CHANNEL, type StreamId, streamIdOf } from "@/lib/events/notify-streams";
import { AccountStream } from "./account-stream";
import { parseStreamCursor } from "./cursor";
import { currentCursor, type StreamOwner } from "./read-changes";

/** The most streams of one session on one network. A browser has one per tab. */
export const MOST_OF_SESSION = 10;
/** The most streams of a process. */
const MOST = 5_000;

interface Streams {
  open: Map<StreamId, Set<AccountStream>>;
  count: number;
  /** What waits in this process for a change. */
  waiting: Map<StreamId, Set<() => void>>;
  /** The process is stopping. */
  closed: boolean;
  listening?: Promise<unknown>;
}

// Next.js bundles routes separately, and server.ts is not bundled at all, so a module variable would not be shared. A
// global gives one set per process.
const shared = globalThis as typeof globalThis & { halcyonStreams?: Streams };

function streams(): Streams {
  shared.halcyonStreams ??= { open: new Map(), count: 0, waiting: new Map(), closed: false };
  return shared.halcyonStreams;
}

/**
 * Listens for notifications on one connection per process. After the connection was lost, notifications may have been
 * missed, so every stream looks again.
 */
async function listen(state: Streams): Promise<void> {
  const notify = (payload: string) => {
    const notification = readNotification(payload);
    for (const stream of state.open.get(notification.id) ?? []) stream.notify(notification);
    for (const wake of state.waiting.get(notification.id) ?? []) wake();
  };
  const notifyAll = () => {
    for (const list of state.open.values()) for (const stream of list) stream.notifyAll();
    for (const list of state.waiting.values()) for (const wake of list) wake();
  };
  state.listening ??= sql().listen(STREAM_CHANNEL, notify, notifyAll);
  try {
    await state.listening;
  } catch (error) {
    state.listening = undefined;
    throw error;
  }
}

/**
 * Opens a stream of the changes of a session's account and agents on its network.
 *
 * @param lastEventId the `id` of the last message that the client has seen; without it the stream begins now
 * @param holds returns whether the session is still valid; called every 15 s
 * @throws ApiError `rate_limited` when the session or the account has too many streams, `unavailable` when the process
 *   has too many or is stopping
 */
export async function openStream(
  ctx: SessionContext,
  lastEventId: string | null,
  holds: () => Promise<boolean>,
): Promise<AccountStream> {
  const state = streams();
  const owner = { rootId: ctx.account.rootId, chainId: ctx.chainId };
  const id = streamIdOf(owner.chainId, owner.rootId);
  await listen(state);
  const given = lastEventId === null ? null : parseStreamCursor(lastEventId);
  const cursor = given ?? (await currentCursor(owner));
  // No `await` from here on, so that concurrent requests are counted correctly.
  if (state.closed || state.count >= MOST) {
    throw new ApiError("unavailable", "This server takes no more streams. Try again.", { retryAfter: 1 });
  }
  const list = state.open.get(id) ?? new Set();
  if ([...list].filter(({ sessionId }) => sessionId === ctx.sessionId).length >= MOST_OF_SESSION) {
    const message = `A session has at most ${MOST_OF_SESSION} streams. Close a page of the dashboard.`;
    throw new ApiError("rate_limited", message, { retryAfter: 30 });
  }
  const { streams: most } = env().accountCaps;
  if (countOf(state, owner.rootId) >= most) {
    const message = `An account has at most ${most} streams. Close pages of the dashboard.`;
    throw new ApiError("rate_limited", message, { retryAfter: 30 });
  }
  const stream = new AccountStream({ owner, sessionId: ctx.sessionId, cursor, resumed: given !== null, holds }, () => {
    list.delete(stream);
    state.count -= 1;
    if (list.size === 0 && state.open.get(id) === list) state.open.delete(id);
  });
  state.open.set(id, list.add(stream));
  state.count += 1;
  return stream;
}

/**
 * Calls `wake` after each change of an account and its agents on a network, and whenever one may have been missed.
 *
 * @returns how to stop
 */
export async function wakeOnChange({ chainId, rootId }: StreamOwner, wake: () => void): Promise<() => void> {
  const state = streams();
  await listen(state);
  const id = streamIdOf(chainId, rootId);
  const list = state.waiting.get(id) ?? new Set();
  state.waiting.set(id, list.add(wake));
  return () => {
    list.delete(wake);
    if (list.size === 0 && state.waiting.get(id) === list) state.waiting.delete(id);
  };
}

/** Counts the streams of an account on both networks. */
function countOf({ open }: Streams, rootId: string): number {
  return CHAIN_IDS.reduce((sum, chainId) => sum + (open.get(streamIdOf(chainId, rootId))?.size ?? 0), 0);
}

/** Ends all streams because the process is stopping. Browsers reconnect to another process. */
export function endStreams(): void {
  const state = streams();
  state.closed = true;
  for (const list of state.open.values()) for (const stream of list) stream.end();
}
