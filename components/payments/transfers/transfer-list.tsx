"use client";

import { useState } from "react";
import { type ListProps, useList } from "@/components/lists/use-list";
import { Button } from "@/components/ui/button";
import { onDemand } from "@/components/ui/on-demand";
import { type ListTotal, Pagination } from "@/components/ui/pagination";
import { useVault } from "@/components/vault/vault-provider";
import type { toEncryptedList } from "@/lib/payments/transfer-resource";
import { withCopies } from "@/sdk/payments/transfers/with-copies";
import { DatePresets } from "./date-presets";
import { TRANSFERS_PAGE_SIZES } from "./filters";
import { TransferDays } from "./transfer-days";
import { TransferSearch } from "./transfer-search";

/** Loaded once someone asks for the total. */
const Sums = onDemand(() => import("./sums").then((module) => module.Sums));

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

/** The total of the filtered transfers, on request. Computed in this browser. */
function ListSum({ query }: { query: Record<string, string | undefined> }) {
  const vault = useVault();
  const [asked, setAsked] = useState(false);
  if (asked && vault.reads) return <Sums query={query} />;
  return (
    <Button
      data-early
      size="small"
      tone="ghost"
      onClick={() => (vault.reads ? setAsked(true) : void vault.unlock().then(setAsked))}
    >
      Add up
    </Button>
  );
}
