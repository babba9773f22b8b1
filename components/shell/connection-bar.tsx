"use client";

import { useOffline } from "@/components/api/use-offline";

/** Says above every page that this browser is offline, and that nothing is queued for later. */
export function ConnectionBar() {
  const offline = useOffline();
  return (
    <div role="status" className="empty:hidden">
      {offline && (
        <p className="text-pretty border-line border-b bg-warning-soft px-4 py-1.5 text-center font-medium text-[13px] text-warning">
          You are offline. Nothing you start now is sent later.
        </p>
      )}
    </div>
  );
}
