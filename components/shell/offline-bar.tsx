"use client";

import { CloudOff } from "lucide-react";
import { useOffline } from "@/components/api/use-offline";

/** Says at once that this browser is offline, above every page, and that nothing happens later by itself. */
export function OfflineBar() {
  const offline = useOffline();
  return (
    <div role="status" className="empty:hidden">
      {offline && (
        <p className="flex min-h-8 items-center justify-center gap-2 border-line border-b bg-warning-soft px-4 py-1.5 font-medium text-[13px] text-warning">
          <CloudOff size={14} aria-hidden="true" className="shrink-0" />
          <span className="text-pretty">You are offline. Nothing you start now is done later by itself.</span>
        </p>
      )}
    </div>
  );
}
