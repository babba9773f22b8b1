"use client";

import { RefreshCw } from "lucide-react";
import { useRefresh } from "@/components/api/use-refresh";
import { Button } from "@/components/ui/button";

/** Has the server render the list again. */
export function LoadNewest() {
  const refresh = useRefresh();
  return (
    <Button data-early icon={<RefreshCw size={14} aria-hidden="true" />} onClick={refresh}>
      Load newest
    </Button>
  );
}
