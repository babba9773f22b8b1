import type { Metadata } from "next";
import { checkableNetworks } from "@/app/(site)/checkable-networks";
import { ReceiptChecker } from "@/components/documents/receipt/receipt-checker";
import { SampleReceipt } from "@/components/documents/receipt/sample-receipt";
import { CheckPage } from "@/components/site/check-page";
import { env } from "@/lib/base/env";

export const metadata: Metadata = {
  title: "Check a receipt",
  description: "Proof that one payment had one amount, checked with the chain in your browser.",
  robots: { index: false },
};

const FACTS = [
  {
    title: "What it proves",
    text: "This transaction paid exactly this amount from one address to the other. Amounts are encrypted on chain; the receipt reveals this one, and a receipt that was changed no longer matches.",
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
    <CheckPage
      title="Payment receipt"
      summary="Proof that one confidential payment had one amount, checked with the chain by your own browser."
      thing="receipt"
      facts={FACTS}
    >
      <ReceiptChecker networks={networks} />
      <SampleReceipt receipt={env().sampleReceipt} />
    </CheckPage>
  );
}
