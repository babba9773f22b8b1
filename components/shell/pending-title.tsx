"use client";

import { useEffect } from "react";
import { usePendingCount } from "@/components/approvals/use-pending-count";

/** A count that was put in front of a title. */
const COUNT = /^\(\d+\) /;

/** Says in the tab's title how many payments wait for the owner: `(2) Balances · Halcyon`. Follows the queue live. */
export function PendingTitle({ initial }: { initial: number }) {
  const pending = usePendingCount(initial);
  useEffect(() => {
    const write = () => {
      const bare = document.title.replace(COUNT, "");
      const title = pending > 0 ? `(${pending}) ${bare}` : bare;
      if (document.title !== title) document.title = title;
    };
    write();
    // Each page brings a title of its own.
    const observer = new MutationObserver(write);
    observer.observe(document.head, { childList: true, subtree: true, characterData: true });
    return () => observer.disconnect();
  }, [pending]);
  return null;
}
