"use client";

import { useEffect } from "react";
import { usePendingCount } from "@/components/approvals/use-pending-count";

/** The count in front of a title. */
const COUNT = /^\(\d+\) /;

/**
 * Shows in the tab's title how many payments wait for the owner: `(2) Balances · Halcyon`. Kept current by the stream.
 */
export function PendingTitle({ initial }: { initial: number }) {
  const pending = usePendingCount(initial);
  useEffect(() => {
    const write = () => {
      const bare = document.title.replace(COUNT, "");
      const title = pending > 0 ? `(${pending}) ${bare}` : bare;
      if (document.title !== title) document.title = title;
    };
    write();
    // Navigation replaces the title, so the count has to be added again.
    const observer = new MutationObserver(write);
    observer.observe(document.head, { childList: true, subtree: true, characterData: true });
    return () => observer.disconnect();
  }, [pending]);
  return null;
}
