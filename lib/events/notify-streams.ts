import { sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import type { ChainId } from "@/lib/network";

/** The channel on which web processes hear that there is something to read for an account's open streams. */
export const BELL_CHANNEL = "account_stream";

/** What there is to read: an entry of the audit log, an event, the end of attempts to a webhook. */
export type BellKind = "change" | "event" | "deliveries";

/** The streams of an owner on a network. */
export type Place = `${ChainId}/${string}`;

/** Names an owner's streams on a network. */
export const placeOf = (chainId: ChainId, rootId: string): Place => `${chainId}/${rootId}`;

/** Wakes the streams of owners when the transaction commits. Only a bell: what there is to read is in the tables. */
export async function ringStreams(tx: Tx, kind: "change" | "event", places: readonly Place[]): Promise<void> {
  const payloads = [...new Set(places)].map((place) => `${kind}/${place}`);
  if (payloads.length === 0) return;
  await tx.execute(sql`
    select count(pg_notify(${BELL_CHANNEL}, payload))
    from jsonb_array_elements_text(${JSON.stringify(payloads)}::jsonb) payload`);
}

/** A bell as it was heard. */
export interface Bell {
  kind: BellKind;
  place: Place;
  /** Of `deliveries`. */
  webhookId: string;
}

/** Reads a bell's payload: `kind/chain/owner`, of deliveries with the webhook behind it. */
export function readBell(payload: string): Bell {
  const [kind = "", chainId = "", rootId = "", webhookId = ""] = payload.split("/");
  return { kind: kind as BellKind, place: placeOf(Number(chainId) as ChainId, rootId), webhookId };
}
