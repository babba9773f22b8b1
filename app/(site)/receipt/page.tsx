import type { Metadata } from "next";
import { checkableNetworks } from "@/app/(site)/checkable-networks";
import { ReceiptChecker } from "@/components/receipt/receipt-checker";
import { SiteHeader } from "@/components/site/site-header";

export const metadata: Metadata = {
  title: "Check a receipt · Halcyon",
  description: "Proof that one payment had one amount, checked with the chain in your browser.",
  robots: { index: false },
};

const FACTS = [
  {
    title: "What it proves",
    text: "This transaction paid exactly this amount from one address to the other. Amounts are encrypted on chain; the receipt opens this one, and anything changed in it no longer fits.",
  },
  {
    title: "What it does not",
    text: "It doesn't identify who shows it to you: anyone with the link can. It reveals nothing about other payments or balances.",
  },
  {
    title: "Where it goes",
    text: "Nowhere. The part of the link after # stays in your browser, which recomputes the commitment and asks the chain for the transaction. With the encrypted memo, which this page never sees, a receipt would also decrypt the memo.",
  },
];

/** Checks receipts for anyone, without an account. */
export default async function ReceiptPage() {
  const networks = await checkableNetworks();
  return (
    <>
      <SiteHeader />
      <main className="mx-auto grid w-full max-w-2xl gap-8 px-4 py-10 sm:px-8 sm:py-16">
        <header>
          <h1 className="text-balance font-semibold text-3xl tracking-tight">Payment receipt</h1>
          <p className="mt-2 text-pretty text-muted">
            Proof that one confidential payment had one amount, checked with the chain by your own browser.
          </p>
        </header>
        <noscript>
          <p className="rounded-lg border border-line bg-sunken px-4 py-3 text-sm">
            Checking a receipt needs JavaScript: the receipt is never sent to a server, so no server can check it.
          </p>
        </noscript>
        <ReceiptChecker networks={networks} />
        <dl className="grid gap-6 border-line border-t pt-8 text-sm">
          {FACTS.map(({ title, text }) => (
            <div key={title}>
              <dt className="font-medium">{title}</dt>
              <dd className="mt-1 text-pretty text-muted">{text}</dd>
            </div>
          ))}
        </dl>
      </main>
    </>
  );
}
