import { sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import type { ChainId } from "@/lib/base/network";

/** The channel that notifies web processes of something new for an account's open streams. */
export const STREAM_CHANNEL = "account_stream";

/** What is new: an entry of the audit log, an event, or the end of delivery attempts to a webhook. */
type NotificationKind = "change" | "event" | "deliveries";

/** Identifies the streams of an owner on a network. */
export type StreamId = `${ChainId}/${string}`;

/** Returns the id of an owner's streams on a network. */
export const streamIdOf = (chainId: ChainId, rootId: string): StreamId => `${chainId}/${rootId}`;

/**
 * Wakes the streams of owners when the transaction commits. A lost notification does no harm: the data is in the
 * tables.
 */
export async function notifyStreams(tx: Tx, kind: "change" | "event", ids: readonly StreamId[]): Promise<void> {
  const payloads = [...new Set(ids)].map((id) => `${kind}/${id}`);
  if (payloads.length === 0) return;
  await tx.execute(sql`
    select count(pg_notify(${STREAM_CHANNEL}, payload))
    from jsonb_array_elements_text(${JSON.stringify(payloads)}::jsonb) payload`);
}

/** A parsed notification. */
export interface StreamNotification {
  kind: NotificationKind;
  id: StreamId;
  /** Set for `deliveries`, otherwise "". */
  webhookId: string;
}

/** Parses a notification's payload: `kind/chain/owner`, followed by the webhook's id for deliveries. */
export function readNotification(payload: string): StreamNotification {
  const [kind = "", chainId = "", rootId = "", webhookId = ""] = payload.split("/");
  return { kind: kind as NotificationKind, id: streamIdOf(Number(chainId) as ChainId, rootId), webhookId };
}
