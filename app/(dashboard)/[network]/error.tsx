"use client";

/**
 * A page that failed: what to do. Details are in the server's log, not here. Every page loads this: it needs nothing
 * but the page's own styles.
 */
export default function PageError({ reset }: { error: Error; reset: () => void }) {
  return (
    <div role="alert" className="rounded-lg bg-danger-soft px-3.5 py-3 text-sm">
      <p className="font-medium">This page could not be shown.</p>
      <p className="mt-0.5 text-muted">
        Nothing was changed. Try again; if it stays like this, check the service's status at /status.
      </p>
      <button type="button" onClick={reset} className="mt-2 font-medium underline underline-offset-2">
        Try again
      </button>
    </div>
  );
}
