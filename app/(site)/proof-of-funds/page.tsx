import type { Metadata } from "next";
import { checkableNetworks } from "@/app/(site)/checkable-networks";
import { FundsChecker } from "@/components/documents/proof-of-funds/funds-checker";
import { CheckPage } from "@/components/site/check-page";

export const metadata: Metadata = {
  title: "Check a proof of funds",
  description: "Proof that an account holds at least a sum, checked with the chain in your browser.",
  robots: { index: false },
};

const FACTS = [
  {
    title: "What it proves",
    text: "This account holds at least this sum, or held it at the block shown. How much more it holds stays encrypted.",
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
    <CheckPage
      title="Proof of funds"
      summary="Proof that an account holds at least a sum, checked with the chain by your own browser."
      thing="proof"
      facts={FACTS}
    >
      <FundsChecker networks={networks} />
    </CheckPage>
  );
}
