import type { Metadata } from "next";
import { checkableNetworks } from "@/app/(site)/checkable-networks";
import { SharedViewChecker } from "@/components/documents/shared-views/shared-view-checker";
import { SiteFooter } from "@/components/site/site-footer";
import { SiteHeader } from "@/components/site/site-header";

export const metadata: Metadata = {
  title: "Shared payments",
  description: "Payments that an account owner shares, each checked with the chain in your browser.",
  robots: { index: false },
  referrer: "no-referrer",
};

const FACTS = [
  {
    title: "What it proves",
    text: "Each payment shown as proven is on chain with exactly these parties, this asset and this amount. Your browser has recomputed its commitment and asked the chain for its transaction.",
  },
  {
    title: "What it does not",
    text: "It doesn't prove that the list is complete: the owner chose what to share. Names, references and memos are the owner's words. Money between the account and its agents is not part of it.",
  },
  {
    title: "Where it goes",
    text: "Nowhere. This service keeps the encrypted view until it expires; the key is the part of the link after #, which no browser sends. The owner can't take back what you have seen.",
  },
];

/** Shows shared payments to someone who needs no account. */
export default async function ViewPage({ params }: { params: Promise<{ id: string }> }) {
  const [{ id }, networks] = await Promise.all([params, checkableNetworks()]);
  return (
    <>
      <SiteHeader />
      <main className="mx-auto grid w-full max-w-5xl gap-8 px-4 py-10 sm:px-8 sm:py-16">
        <header>
          <h1 className="text-balance font-semibold text-3xl tracking-tight">Shared payments</h1>
          <p className="mt-2 text-pretty text-muted">
            Payments that an account owner shares with you, each checked with the chain by your own browser.
          </p>
        </header>
        <noscript>
          <p className="rounded-lg border border-line bg-sunken px-4 py-3 text-sm">
            This page needs JavaScript: the key of the link is never sent to a server, so no server can decrypt the
            view.
          </p>
        </noscript>
        <SharedViewChecker id={id} networks={networks} />
        <dl className="grid gap-6 border-line border-t pt-8 text-sm sm:grid-cols-3">
          {FACTS.map(({ title, text }) => (
            <div key={title}>
              <dt className="font-medium">{title}</dt>
              <dd className="mt-1 text-pretty text-muted">{text}</dd>
            </div>
          ))}
        </dl>
      </main>
      <SiteFooter />
    </>
  );
}
