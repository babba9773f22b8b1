import type { Metadata } from "next";
import { checkableNetworks } from "@/app/(site)/checkable-networks";
import { FundsChecker } from "@/components/proof-of-funds/funds-checker";
import { SiteHeader } from "@/components/site/site-header";

export const metadata: Metadata = {
  title: "Check a proof of funds · Halcyon",
  description: "Proof that an account holds at least a sum, checked with the chain in your browser.",
  robots: { index: false },
};

const FACTS = [
  {
    title: "What it proves",
    text: "This account holds, or at the block shown held, at least this sum. How much more it holds stays encrypted.",
  },
  {
    title: "What it does not",
    text: "It doesn't prove whose account it is, nor that the money is still there tomorrow. If the name shown is not yours, someone passed on a proof that was made for another.",
  },
  {
    title: "Where it goes",
    text: "Nowhere. The part of the link after # stays in your browser, which checks the proof and asks the chain for the rest.",
  },
];

/** Checks proofs of funds for anyone, without an account. */
export default async function ProofOfFundsPage() {
  const networks = await checkableNetworks();
  return (
    <>
      <SiteHeader />
      <main className="mx-auto grid w-full max-w-2xl gap-8 px-4 py-10 sm:px-8 sm:py-16">
        <header>
          <h1 className="text-balance font-semibold text-3xl tracking-tight">Proof of funds</h1>
          <p className="mt-2 text-pretty text-muted">
            Proof that an account holds at least a sum, checked with the chain by your own browser.
          </p>
        </header>
        <noscript>
          <p className="rounded-lg border border-line bg-sunken px-4 py-3 text-sm">
            Checking a proof needs JavaScript: the proof is never sent to a server, so no server can check it.
          </p>
        </noscript>
        <FundsChecker networks={networks} />
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
