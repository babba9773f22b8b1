"use client";

import { type ListProps, useList } from "@/components/lists/use-list";
import { Pagination } from "@/components/ui/pagination";
import type { toOwnerTransferList } from "@/lib/transfers/transfer-resource";
import { TransferTable } from "./transfer-table";

export type TransferListResponse = ReturnType<typeof toOwnerTransferList>;

/** A page of transfers. */
export function TransferList({ path, linkQuery, ...page }: ListProps<TransferListResponse>) {
  const { transfers, limit, offset, has_more } = useList("/api/transfers", page, (list) =>
    list.transfers.some(({ status }) => status === "pending"),
  );
  return (
    <>
      <TransferTable path={path} transfers={transfers} />
      <Pagination path={path} query={linkQuery} limit={limit} offset={offset} hasMore={has_more} />
    </>
  );
}
