"use client";

import { messageOf } from "@/components/api/message-of";
import { useDecrypted } from "@/components/vault/vault-provider";
import { sumsOf, sumWords } from "./sums-of";

/** The totals of the filtered transfers, decrypted in this browser. */
export function Sums({ query }: { query: Record<string, string | undefined> }) {
  const { data, error, progress } = useDecrypted("exportTransfers", { query });
  if (error && !data) return <p className="px-2 py-1 text-danger text-sm">{messageOf(error)}</p>;
  if (!data) {
    const { done = 0, total = 0 } = progress ?? {};
    return (
      <p role="status" className="px-2 py-1 text-muted text-sm tabular-nums">
        {done > 0 ? `Decrypting ${done} of ${total}` : "Reading the list"}
      </p>
    );
  }
  const { sums, counted, unreadable } = sumsOf(data.rows);
  const what = `${data.more ? "The newest " : ""}${counted} ${counted === 1 ? "payment" : "payments"}`;
  const said = [what, ...sumWords(sums), ...(unreadable > 0 ? [`${unreadable} can't be decrypted`] : [])].join(" · ");
  return (
    <p role="status" className="px-2 py-1 text-pretty text-sm tabular-nums">
      {said}
    </p>
  );
}
