"use client";

import "./globals.css";

/** Shown if even the root layout failed. Has no dependencies besides the page's own styles. */
export default function GlobalError({ reset }: { error: Error; reset: () => void }) {
  return (
    <html lang="en">
      <body className="bg-paper font-sans text-ink antialiased">
        <title>Something went wrong · Halcyon</title>
        <main className="mx-auto max-w-2xl px-5 py-28 sm:px-8">
          <h1 className="font-semibold text-3xl tracking-tight">This page could not be shown.</h1>
          <p className="mt-4 text-muted">
            If you were making a payment, it may have been sent: check before you repeat it. If the problem persists,
            check the service's status.
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
      </body>
    </html>
  );
}
