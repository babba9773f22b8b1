"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useNetwork } from "@/components/api/network-context";
import { resourceKeys } from "@/components/api/resource-keys";
import { useResource } from "@/components/api/use-resource";
import { readWaiting, type WaitingPage, type WaitingPayment } from "./held-payment";

/**
 * How often to ask again about a payment that has expired but is still listed: clocks differ, or the response is on its
 * way.
 */
const ASK_AGAIN_MS = 2_000;

/** If more than this leave at once, none of them lingers: each lingering row polls for its outcome. */
const MOST_LINGERING = 10;

/** A payment of the queue. `left`: since when it has been gone from this page, in milliseconds since 1970. */
export interface QueueItem {
  entry: WaitingPayment;
  left?: number;
}

const PATH = "/v1/agents/transactions/pending";

/**
 * Returns a page of waiting payments, kept current. A payment that has left keeps its place until its row calls
 * `forget`, so that rows don't jump.
 */
export function useQueue(initial: WaitingPage, now: number) {
  const network = useNetwork();
  const queries = useQueryClient();
  const { limit, offset } = initial;
  const asked = { limit, offset };
  const query = useResource<WaitingPage>(PATH, { query: asked, initial, read: readWaiting(asked) });
  const { pending: waiting, has_more: hasMore } = query.data ?? initial;
  const [lingering, setLingering] = useState<Required<QueueItem>[]>([]);
  const before = useRef({ offset, waiting });

  useEffect(() => {
    const last = before.current;
    before.current = { offset, waiting };
    // After a page change nothing lingers: the other page's rows are no longer on screen.
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
    // Wait for a slow response instead of requesting again.
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
