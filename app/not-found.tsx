import type { Metadata } from "next";
import { connection } from "next/server";
import { SiteHeader } from "@/components/site/site-header";

export const metadata: Metadata = { title: "Page not found" };

export default async function NotFound() {
  await connection();
  return (
    <>
      <SiteHeader />
      <main className="mx-auto max-w-2xl px-4 py-10 sm:px-8 sm:py-16">
        <p className="text-muted text-sm">404</p>
        <h1 className="mt-2 font-semibold text-3xl tracking-tight">There is nothing here</h1>
        <p className="mt-2 text-pretty text-muted">The address may be mistyped, or the page has moved.</p>
        <p className="mt-6 flex gap-5 text-sm">
          <a className="text-accent underline underline-offset-4" href="/">
            Go to the start
          </a>
          <a className="text-accent underline underline-offset-4" href="/docs">
            Read the docs
          </a>
        </p>
      </main>
    </>
  );
}
