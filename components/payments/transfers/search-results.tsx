"use client";

import { messageOf } from "@/components/api/message-of";
import { useDebouncedValue } from "@/components/money/use-debounced-value";
import { Button } from "@/components/ui/button";
import { Progress } from "@/components/ui/progress";
import { RetryCallout } from "@/components/ui/retry-callout";
import { useOpened, useVault } from "@/components/vault/vault-provider";
import { sumsOf, sumWords } from "./sums-of";
import { TransferDays } from "./transfer-days";

const TYPING_MS = 200;

/** The newest payments that match a text, and their total. */
export function SearchResults({ path, text }: { path: string; text: string }) {
  const vault = useVault();
  const later = useDebouncedValue(text, TYPING_MS);
  const { data, error, progress, isFetching, refetch } = useOpened("findPayments", { text: later });
  if (!vault.reads) {
    return (
      <div className="grid justify-items-center gap-3 border-line border-t px-4 py-10 text-center text-muted text-sm">
        <p>Memos and amounts are encrypted. Unlock them to search.</p>
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
  const { payments, searched, more } = data;
  const { sums } = sumsOf(payments.map(({ transfer, amount }) => ({ ...transfer, amount })));
  const found = payments.length === 0 ? "Nothing matches" : `${payments.length} found`;
  const where = more ? `among your newest ${searched} payments` : `among your ${searched} payments`;
  return (
    <>
      <p role="status" className="border-line border-t px-4 py-2.5 text-muted text-sm tabular-nums sm:px-5">
        {[`${found} ${where}`, ...sumWords(sums)].join(" · ")}
      </p>
      {payments.length > 0 && <TransferDays path={path} transfers={payments.map(({ transfer }) => transfer)} />}
    </>
  );
}
