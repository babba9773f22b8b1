"use client";

import { RetryCallout } from "@/components/ui/retry-callout";

/** A page that failed: what to do. Details are in the server's log, not here. */
export default function PageError({ reset }: { error: Error; reset: () => void }) {
  return (
    <RetryCallout title="This page could not be shown." onRetry={reset}>
      Nothing was changed. Try again; if it stays like this, check the service's status at /status.
    </RetryCallout>
  );
}
