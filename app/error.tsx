"use client";

/**
 * A page outside of the dashboard that failed: what to do. Details are in the server's log, not here. Every page loads
 * this: it needs nothing but the page's own styles.
 */
export default function PageError({ reset }: { error: Error; reset: () => void }) {
  return (
    <main className="mx-auto max-w-2xl px-5 py-28 sm:px-8">
      <h1 className="font-semibold text-3xl tracking-tight">Something went wrong</h1>
      <p role="alert" className="mt-4 text-muted">
        This page could not be shown. Nothing was changed. Try again; if it stays like this, check the service's status
        at /status.
      </p>
      <button type="button" onClick={reset} className="mt-6 text-accent underline underline-offset-4">
        Try again
      </button>
    </main>
  );
}
