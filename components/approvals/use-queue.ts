"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useNetwork } from "@/components/api/network-context";
import { resourceKeys } from "@/components/api/resource-keys";
import { useResource } from "@/components/api/use-resource";
import type { WaitingPayment } from "./held-payment";

/** One that should have run out and is still listed: clocks differ, or the response is on its way. */
const ASK_AGAIN_MS = 2_000;

/** Of more that leave at once only the rest of the queue is shown: each that lingers asks what became of it. */
const MOST_LINGERING = 10;

/** A page of what waits, oldest first, as the service returns it. */
export interface QueuePage {
  pending: WaitingPayment[];
  limit: number;
  offset: number;
  has_more: boolean;
}

/** A payment of the queue; `left`: since when, in milliseconds, it is no longer on this page of it. */
export interface QueueItem {
  entry: WaitingPayment;
  left?: number;
}

const PATH = "/api/agents/transactions/pending";

/**
 * A page of what waits, kept fresh; what has left it stays where it stood until its row forgets it, so that nothing
 * jumps away.
 */
export function useQueue(initial: QueuePage, now: number) {
  const network = useNetwork();
  const queries = useQueryClient();
  const { limit, offset } = initial;
  const query = useResource<QueuePage>(PATH, { query: { limit, offset }, initial });
  const { pending: waiting, has_more: hasMore } = query.data ?? initial;
  const [lingering, setLingering] = useState<Required<QueueItem>[]>([]);
  const before = useRef({ offset, waiting });

  useEffect(() => {
    const last = before.current;
    before.current = { offset, waiting };
    // Of another page nothing has left: it is not shown any more.
    if (last.offset !== offset) return setLingering([]);
    const gone = last.waiting.filter((old) => !waiting.some((entry) => same(entry, old)));
    if (gone.length === 0 || gone.length > MOST_LINGERING) return;
    const left = Date.now();
    setLingering((those) => [...those, ...gone.map((entry) => ({ entry, left }))]);
  }, [offset, waiting]);

  const due = waiting.some(({ expires_at }) => new Date(expires_at).getTime() <= now);
  useEffect(() => {
    if (!due) return;
    const queryKey = resourceKeys.one(network, PATH, { limit, offset });
    // A slow response is waited for, not requested again.
    const ask = () => void queries.refetchQueries({ queryKey }, { cancelRefetch: false });
    ask();
    const timer = setInterval(ask, ASK_AGAIN_MS);
    return () => clearInterval(timer);
  }, [due, network, queries, limit, offset]);

  const items: QueueItem[] = [
    ...waiting.map((entry) => ({ entry })),
    ...lingering.filter(({ entry: old }) => !waiting.some((entry) => same(entry, old))),
  ].sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
  const forget = (gone: WaitingPayment) => setLingering((those) => those.filter(({ entry }) => !same(entry, gone)));
  return { items, hasMore, forget, error: query.error, isFetching: query.isFetching, refetch: query.refetch };
}

const same = (a: WaitingPayment, b: WaitingPayment) => a.transaction_id === b.transaction_id;
const orderOf = ({ entry }: QueueItem) => `${entry.requested_at} ${entry.transaction_id}`;
