"use client";

/**
 * Shown if a page failed: says what to do. Details are only in the server's log. Every page loads this, so it has no
 * dependencies besides the page's own styles.
 */
export default function PageError({ reset }: { error: Error; reset: () => void }) {
  return (
    <div role="alert" className="rounded-lg bg-danger-soft px-3.5 py-3 text-sm">
      <p className="font-medium">This page could not be shown.</p>
      <p className="mt-0.5 text-muted">
        If you were making a payment, it may have been sent: look at Transfers before you repeat it. If the problem
        persists, check the service's status.
      </p>
      <p className="mt-2 flex gap-5 font-medium">
        <button type="button" onClick={reset} className="underline underline-offset-2">
          Try again
        </button>
        <a href="/system-status" className="underline underline-offset-2">
          Status
        </a>
      </p>
    </div>
  );
}
