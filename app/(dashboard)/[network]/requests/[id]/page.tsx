import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { owner } from "@/app/(dashboard)/owner";
import { RequestDetail } from "@/components/payments/requests/request-detail";
import type { SessionContext } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import { getPaymentRequest } from "@/lib/payments/requests/get-payment-request";
import { toPaymentRequest } from "@/lib/payments/requests/payment-request-resource";

export const metadata: Metadata = { title: "Payment request" };

async function find(ctx: SessionContext, id: string) {
  try {
    return toPaymentRequest(await getPaymentRequest(ctx, id));
  } catch (error) {
    // Other owners' requests and unknown ids look the same.
    if (error instanceof ApiError && error.code === "not_found") notFound();
    throw error;
  }
}

/** One payment request of the account. */
export default async function RequestPage({ params }: { params: Promise<{ network: string; id: string }> }) {
  const { network, id } = await params;
  const ctx = await owner(network);
  return (
    <RequestDetail
      key={id}
      path={`/${network}/requests`}
      initial={await find(ctx, id)}
      handle={`@${ctx.account.handle}`}
    />
  );
}
