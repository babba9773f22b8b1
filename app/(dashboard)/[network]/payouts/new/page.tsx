import type { Metadata } from "next";
import { owner } from "@/app/(dashboard)/owner";
import { NewPayout } from "@/components/payments/payouts/new-payout";
import { BackLink } from "@/components/ui/back-link";
import { PageHeader } from "@/components/ui/page-header";
import { assetsOf } from "@/lib/base/assets";

export const metadata: Metadata = { title: "New payout" };

/** Pays the rows of a file. */
export default async function NewPayoutPage({ params }: { params: Promise<{ network: string }> }) {
  const { network } = await params;
  const { chainId } = await owner(network);
  const path = `/${network}/payouts`;
  return (
    <>
      <PageHeader
        back={<BackLink href={path}>Payouts</BackLink>}
        title="New payout"
        description="Every row is checked before any money moves. The service sees whom you pay, never how much."
      />
      <NewPayout path={path} assets={assetsOf(chainId).map(({ symbol, decimals }) => ({ symbol, decimals }))} />
    </>
  );
}
