"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useResource } from "@/components/api/use-resource";
import { useNetwork } from "@/components/shell/network-context";
import type { WaitingPayment } from "./held-payment";

/** One that should have run out and is still listed: clocks differ, or the answer is on its way. */
const ASK_AGAIN_MS = 2_000;

/** Of more that leave at once only the rest of the queue is shown: each that lingers asks what became of it. */
const MOST_LINGERING = 10;

/** The first page of what waits, as the service answers it. */
export interface QueuePage {
  pending: WaitingPayment[];
  has_more: boolean;
}

/** A payment of the queue; `left`: it no longer waits. */
export interface QueueItem {
  entry: WaitingPayment;
  left: boolean;
}

/**
 * What waits, oldest first, kept fresh; what has left the queue stays where it stood until its row forgets it, so that
 * nothing jumps away.
 */
export function useQueue(initial: QueuePage, now: number) {
  const network = useNetwork();
  const queries = useQueryClient();
  const query = useResource("/api/agents/transactions/pending?limit=100", { initial });
  const waiting = query.data?.pending ?? initial.pending;
  const [lingering, setLingering] = useState<WaitingPayment[]>([]);
  const before = useRef(waiting);

  useEffect(() => {
    const gone = before.current.filter((old) => !waiting.some((entry) => same(entry, old)));
    before.current = waiting;
    if (gone.length === 0 || gone.length > MOST_LINGERING) return;
    setLingering((those) => [...those, ...gone]);
  }, [waiting]);

  const due = waiting.some(({ expires_at }) => new Date(expires_at).getTime() <= now);
  useEffect(() => {
    if (!due) return;
    const queryKey = [network, "/api/agents/transactions/pending?limit=100"];
    // A slow answer is waited for, not asked for again.
    const ask = () => void queries.refetchQueries({ queryKey }, { cancelRefetch: false });
    ask();
    const timer = setInterval(ask, ASK_AGAIN_MS);
    return () => clearInterval(timer);
  }, [due, network, queries]);

  const items: QueueItem[] = [
    ...waiting.map((entry) => ({ entry, left: false })),
    ...lingering.filter((old) => !waiting.some((entry) => same(entry, old))).map((entry) => ({ entry, left: true })),
  ].sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
  const forget = (entry: WaitingPayment) => setLingering((those) => those.filter((old) => !same(old, entry)));
  const { has_more: hasMore } = query.data ?? initial;
  return { items, hasMore, forget, error: query.error, isFetching: query.isFetching, refetch: query.refetch };
}

const same = (a: WaitingPayment, b: WaitingPayment) => a.transaction_id === b.transaction_id;
const orderOf = ({ entry }: QueueItem) => `${entry.requested_at} ${entry.transaction_id}`;
