"use client";

import "./globals.css";

/** When even the frame of all pages failed: nothing here needs more than the page's own styles. */
export default function GlobalError({ reset }: { error: Error; reset: () => void }) {
  return (
    <html lang="en">
      <body className="bg-paper font-sans text-ink antialiased">
        <title>Something went wrong · Halcyon</title>
        <main className="mx-auto max-w-2xl px-5 py-28 sm:px-8">
          <h1 className="font-semibold text-3xl tracking-tight">This page could not be shown.</h1>
          <p className="mt-4 text-muted">
            Nothing was changed. Try again; if it stays like this, check the service's status at{" "}
            <a className="text-accent underline underline-offset-4" href="/status">
              /status
            </a>
            .
          </p>
          <button type="button" onClick={reset} className="mt-6 text-accent underline underline-offset-4">
            Try again
          </button>
        </main>
      </body>
    </html>
  );
}
