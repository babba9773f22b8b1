import { sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import type { ChainId } from "@/lib/network";

/** The channel on which web processes hear that there is something to read for an account's open streams. */
export const STREAM_CHANNEL = "account_stream";

/** What there is to read: an entry of the audit log, an event, the end of attempts to a webhook. */
type NotificationKind = "change" | "event" | "deliveries";

/** The streams of an owner on a network. */
export type StreamId = `${ChainId}/${string}`;

/** Names an owner's streams on a network. */
export const streamIdOf = (chainId: ChainId, rootId: string): StreamId => `${chainId}/${rootId}`;

/**
 * Wakes the streams of owners when the transaction commits. A notification may be lost: what there is to read is in the
 * tables.
 */
export async function notifyStreams(tx: Tx, kind: "change" | "event", ids: readonly StreamId[]): Promise<void> {
  const payloads = [...new Set(ids)].map((id) => `${kind}/${id}`);
  if (payloads.length === 0) return;
  await tx.execute(sql`
    select count(pg_notify(${STREAM_CHANNEL}, payload))
    from jsonb_array_elements_text(${JSON.stringify(payloads)}::jsonb) payload`);
}

/** A notification as it arrives. */
export interface StreamNotification {
  kind: NotificationKind;
  id: StreamId;
  /** Of `deliveries`. */
  webhookId: string;
}

/** Reads a notification's payload: `kind/chain/owner`, of deliveries with the webhook behind it. */
export function readNotification(payload: string): StreamNotification {
  const [kind = "", chainId = "", rootId = "", webhookId = ""] = payload.split("/");
  return { kind: kind as NotificationKind, id: streamIdOf(Number(chainId) as ChainId, rootId), webhookId };
}
