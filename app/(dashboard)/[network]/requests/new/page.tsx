import type { Metadata } from "next";
import { owner } from "@/app/(dashboard)/owner";
import { CreateRequest } from "@/components/payments/requests/create-request";
import { BackLink } from "@/components/ui/back-link";
import { PageHeader } from "@/components/ui/page-header";
import { assetsOf } from "@/lib/base/assets";

export const metadata: Metadata = { title: "New request" };

/** Creates a payment request or an invoice. */
export default async function NewRequestPage({ params }: { params: Promise<{ network: string }> }) {
  const { network } = await params;
  const { chainId } = await owner(network);
  const path = `/${network}/requests`;
  return (
    <>
      <PageHeader
        back={<BackLink href={path}>Requests</BackLink>}
        title="New request"
        description="You get a link and a QR code. The service stores the request encrypted and can't read it."
      />
      <div className="max-w-2xl">
        <CreateRequest path={path} assets={assetsOf(chainId).map(({ symbol }) => symbol)} />
      </div>
    </>
  );
}
