import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { owner } from "@/app/(dashboard)/owner";
import { PayoutDetail } from "@/components/payments/payouts/payout-detail";
import type { SessionContext } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import { toPayout } from "@/lib/payments/payouts/payout-resource";
import { readPayout } from "@/lib/payments/payouts/read-payout";

export const metadata: Metadata = { title: "Payout" };

async function find(ctx: SessionContext, id: string) {
  try {
    return toPayout(await readPayout(ctx, id));
  } catch (error) {
    // Other owners' payouts and unknown ids look the same.
    if (error instanceof ApiError && error.code === "not_found") notFound();
    throw error;
  }
}

/** One payout of the account. */
export default async function PayoutPage({ params }: { params: Promise<{ network: string; id: string }> }) {
  const { network, id } = await params;
  const ctx = await owner(network);
  return <PayoutDetail key={id} network={network} initial={await find(ctx, id)} />;
}
