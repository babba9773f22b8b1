"use client";

import { useState } from "react";
import type { ResourcePath } from "@/components/api/resource-keys";
import { useResource } from "@/components/api/use-resource";

/** A page of a list as the server rendered it. The browser keeps it current. */
export interface ListProps<T> {
  path: string;
  /** The query of the resource. */
  query: Record<string, string | undefined>;
  /** The page's own query parameters, for links to other pages. */
  linkQuery: Record<string, string | undefined>;
  initial: T;
}

/** The stream reports changes at once. Without the stream, unsettled entries are polled this often. */
const POLL_MS = 5_000;

/**
 * Returns a list, kept current.
 *
 * @param resource such as `/v1/transfers`
 * @param unsettled returns whether an entry is about to change
 */
export function useList<T>(
  resource: ResourcePath,
  { query, initial }: Pick<ListProps<T>, "query" | "initial">,
  unsettled: (data: T) => boolean = () => false,
): T {
  const [polling, setPolling] = useState(false);
  const { data = initial } = useResource<T>(resource, { query, initial, refetchInterval: polling && POLL_MS });
  const open = unsettled(data);
  if (open !== polling) setPolling(open);
  return data;
}
