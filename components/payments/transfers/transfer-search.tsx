"use client";

import { Search } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Input, Select } from "@/components/ui/field";
import { onDemand } from "@/components/ui/on-demand";
import type { PaymentOrder } from "@/components/vault/methods/find-payments";

/** Loaded when someone searches. */
const Results = onDemand(() => import("./search-results").then((module) => module.SearchResults));

const ORDERS: readonly { value: PaymentOrder; name: string }[] = [
  { value: "newest", name: "Newest first" },
  { value: "oldest", name: "Oldest first" },
  { value: "largest", name: "Largest first" },
  { value: "smallest", name: "Smallest first" },
];

/**
 * Finds and sorts payments in this browser: by memo, amount, reference or person. Neither the text nor the order is sent
 * or part of the page's address. With neither, shows the unchanged list.
 */
export function TransferSearch({
  path,
  beside,
  children,
}: {
  path: string;
  /** Shown beside the field. */
  beside?: ReactNode;
  children: ReactNode;
}) {
  const [text, setText] = useState("");
  const [order, setOrder] = useState<PaymentOrder>("newest");
  const looking = text.trim().length > 1;
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 border-line border-t px-4 py-3 sm:px-5">
        <div className="relative min-w-40 flex-1">
          <Search
            size={14}
            aria-hidden="true"
            className="pointer-events-none absolute top-1/2 left-3 -translate-y-1/2 text-muted"
          />
          <Input
            type="search"
            aria-label="Search memos, amounts and people"
            placeholder="Find payments"
            autoComplete="off"
            spellCheck={false}
            value={text}
            onChange={(event) => setText(event.target.value)}
            className="text-ellipsis pl-8!"
          />
        </div>
        <Select
          aria-label="Order"
          value={order}
          onChange={(event) => setOrder(event.target.value as PaymentOrder)}
          className="w-auto!"
        >
          {ORDERS.map(({ value, name }) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </Select>
        {beside}
      </div>
      {looking || order !== "newest" ? (
        <Results path={path} text={looking ? text.trim() : ""} order={order} />
      ) : (
        children
      )}
    </>
  );
}
