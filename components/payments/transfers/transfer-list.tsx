"use client";

import { type ListProps, useList } from "@/components/lists/use-list";
import { type ListTotal, Pagination } from "@/components/ui/pagination";
import type { toEncryptedList } from "@/lib/payments/transfer-resource";
import { withCopies } from "@/sdk/payments/transfers/with-copies";
import { DatePresets } from "./date-presets";
import { TRANSFERS_PAGE_SIZES } from "./filters";
import { ListSum } from "./list-sum";
import { TransferDays } from "./transfer-days";
import { TransferSearch } from "./transfer-search";

export type TransferListResponse = ReturnType<typeof toEncryptedList>;

/** A page of transfers. */
export function TransferList({
  path,
  linkQuery,
  sumQuery,
  total,
  ...page
}: ListProps<TransferListResponse> & {
  /** The list's query without its page, for the total. */
  sumQuery: Record<string, string | undefined>;
  /** How many there are on all pages. */
  total: ListTotal;
}) {
  const { transfers, limit, offset, has_more } = useList("/v1/transfers", page, (list) =>
    list.transfers.some(({ status }) => status === "pending"),
  );
  return (
    <TransferSearch path={path} beside={<DatePresets path={path} filters={linkQuery} />}>
      <TransferDays path={path} transfers={transfers.map(withCopies)} />
      <div className="flex items-center border-line border-t px-2 py-2 sm:px-3">
        <ListSum key={JSON.stringify(sumQuery)} query={sumQuery} />
      </div>
      <Pagination
        path={path}
        query={linkQuery}
        limit={limit}
        offset={offset}
        hasMore={has_more}
        count={transfers.length}
        total={total}
        sizes={TRANSFERS_PAGE_SIZES}
      />
    </TransferSearch>
  );
}
