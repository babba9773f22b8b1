"use client";

import { RetryCallout } from "@/components/ui/retry-callout";

/** A page outside of the dashboard that failed: what to do. Details are in the server's log, not here. */
export default function PageError({ reset }: { error: Error; reset: () => void }) {
  return (
    <main className="mx-auto max-w-2xl px-5 py-28 sm:px-8">
      <h1 className="sr-only">Something went wrong</h1>
      <RetryCallout title="This page could not be shown." onRetry={reset}>
        Nothing was changed. Try again; if it stays like this, check the service's status at /status.
      </RetryCallout>
    </main>
  );
}
