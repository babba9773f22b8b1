"use client";

import { useState } from "react";
import { useResource } from "@/components/api/use-resource";
import { Pagination } from "@/components/ui/pagination";
import type { toOwnerTransferList } from "@/lib/transfers/transfer-resource";
import { TransferTable } from "./transfer-table";

export type TransferListAnswer = ReturnType<typeof toOwnerTransferList>;

/** The stream tells of changes at once; where it does not come through, pending transfers are asked after. */
const POLL_MS = 5_000;

/** A page of transfers as the server rendered it, then kept fresh. */
export function TransferList({
  path,
  query,
  linkQuery,
  initial,
}: {
  path: string;
  /** Of `GET /api/transfers`. */
  query: Record<string, string | undefined>;
  /** The page's own parameters, for links to other pages. */
  linkQuery: Record<string, string | undefined>;
  initial: TransferListAnswer;
}) {
  const [polling, setPolling] = useState(false);
  const refetchInterval = polling ? POLL_MS : false;
  const { data = initial } = useResource<TransferListAnswer>("/api/transfers", { query, initial, refetchInterval });
  const pending = data.transfers.some(({ status }) => status === "pending");
  if (pending !== polling) setPolling(pending);
  return (
    <>
      <TransferTable path={path} transfers={data.transfers} />
      <Pagination path={path} query={linkQuery} limit={data.limit} offset={data.offset} hasMore={data.has_more} />
    </>
  );
}
