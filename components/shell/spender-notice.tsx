"use client";

import { useState } from "react";
import { Callout } from "@/components/ui/callout";
import { spenderTime } from "./spender-time";

/**
 * Warns on every page from 30 days before the account's spending key expires, with the remedy.
 *
 * @param until Unix seconds, as text
 */
export function SpenderNotice({ until }: { until: string }) {
  const [now] = useState(() => Date.now());
  const time = spenderTime(until, now);
  if (!time) return null;
  return (
    <div className="mb-6">
      <Callout tone={time.expired ? "danger" : "warning"} title={time.title}>
        It signs payments for you, your API keys and your approvals. Replace it in time, with your wallet:{" "}
        <code className="wrap-anywhere font-mono text-[13px] text-ink">npx --no halcyon rotate-budget-secret</code>
      </Callout>
    </div>
  );
}
