"use client";

/**
 * Shown if a page outside the dashboard failed: says what to do. Details are only in the server's log. Every page loads
 * this, so it has no dependencies besides the page's own styles.
 */
export default function PageError({ reset }: { error: Error; reset: () => void }) {
  return (
    <main className="mx-auto max-w-2xl px-5 py-28 sm:px-8">
      <h1 className="font-semibold text-3xl tracking-tight">Something went wrong</h1>
      <p role="alert" className="mt-4 text-muted">
        This page could not be shown. If you were making a payment, it may have been sent: check before you repeat it.
        If the problem persists, check the service's status.
      </p>
      <p className="mt-6 flex gap-5">
        <button type="button" onClick={reset} className="text-accent underline underline-offset-4">
          Try again
        </button>
        <a href="/system-status" className="text-accent underline underline-offset-4">
          Status
        </a>
      </p>
    </main>
  );
}
