"use client";

import { useState } from "react";
import { messageOf } from "@/components/api/message-of";
import { useDebouncedValue } from "@/components/money/use-debounced-value";
import { Button } from "@/components/ui/button";
import { useCount } from "@/components/ui/count";
import { Progress } from "@/components/ui/progress";
import { RetryCallout } from "@/components/ui/retry-callout";
import type { PaymentOrder } from "@/components/vault/methods/find-payments";
import { useDecrypted, useVault } from "@/components/vault/vault-provider";
import { sumsOf, sumWords } from "./sums-of";
import { TransferDays } from "./transfer-days";
import { TransferTable } from "./transfer-table";

const TYPING_MS = 200;

/** How many of the newest payments are searched at first. */
const FIRST = 500;
/** How many older payments a press adds to the search. */
const STEP = 2_000;

/** The payments that match a text, in an order, and their total. */
export function SearchResults({ path, text, order }: { path: string; text: string; order: PaymentOrder }) {
  const vault = useVault();
  const written = useCount();
  const [reach, setReach] = useState(FIRST);
  const later = useDebouncedValue(text, TYPING_MS);
  const { data, error, progress, isFetching, refetch } = useDecrypted("findPayments", { text: later, order, reach });
  if (!vault.reads) {
    return (
      <div className="grid justify-items-center gap-3 border-line border-t px-4 py-10 text-center text-muted text-sm">
        <p>Memos and amounts are encrypted. Unlock them to search and sort.</p>
        <Button data-early busy={vault.status === "unlocking"} onClick={() => void vault.unlock()}>
          Unlock
        </Button>
      </div>
    );
  }
  if (error && !data) {
    return (
      <div className="border-line border-t p-4 sm:p-5">
        <RetryCallout title="Your payments could not be searched." busy={isFetching} onRetry={refetch}>
          {messageOf(error)}
        </RetryCallout>
      </div>
    );
  }
  if (!data) {
    return (
      <div className="border-line border-t p-4 sm:p-5">
        <Progress label="Decrypting your newest payments on this device" {...progress} />
      </div>
    );
  }
  const { payments, found, searched, more } = data;
  const { sums } = sumsOf(payments.map(({ transfer, amount }) => ({ ...transfer, amount })));
  const isCut = found > payments.length;
  const says = found === 0 ? "Nothing matches" : isCut ? `${payments.length} of ${written(found)}` : `${found} found`;
  const where = `among your ${more ? "newest " : ""}${written(searched)} payments`;
  const transfers = payments.map(({ transfer }) => transfer);
  const byAmount = order === "largest" || order === "smallest";
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-line border-t px-4 py-2.5 text-muted text-sm sm:px-5">
        <p role="status" className="tabular-nums">
          {[`${says} ${where}`, ...(isCut ? [] : sumWords(sums))].join(" · ")}
        </p>
        {more && (
          <Button size="small" tone="ghost" busy={isFetching} onClick={() => setReach(searched + STEP)}>
            Search older ones
          </Button>
        )}
      </div>
      {payments.length > 0 &&
        (byAmount ? (
          <TransferTable path={path} days={[{ transfers }]} />
        ) : (
          <TransferDays path={path} transfers={transfers} />
        ))}
    </>
  );
}
