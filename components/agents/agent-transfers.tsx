"use client";

import { useNetwork } from "@/components/api/network-context";
import { useResource } from "@/components/api/use-resource";
import type { TransferListResponse } from "@/components/payments/transfers/transfer-list";
import { TransferTable } from "@/components/payments/transfers/transfer-table";
import { buttonClass } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Link } from "@/components/ui/link";
import { withCopies } from "@/sdk/payments/transfers/with-copies";
import { RECENT } from "./agent-summary";

/** An agent's newest transfers, decrypted in this browser, with a link to all of them. */
export function AgentTransfers({ agentId, initial }: { agentId: string; initial: TransferListResponse }) {
  const network = useNetwork();
  const query = { agent: agentId, limit: String(RECENT), include: "encrypted" };
  const { data = initial } = useResource<TransferListResponse>("/v1/transfers", { query, initial });
  return (
    <Card
      flush
      title="Recent transfers"
      action={
        data.transfers.length > 0 && (
          <Link href={`/${network}/transfers?agent=${agentId}`} className={buttonClass("secondary", "small")}>
            All transfers
          </Link>
        )
      }
    >
      {data.transfers.length === 0 ? (
        <p className="border-line border-t px-4 py-8 text-center text-muted text-sm sm:px-5">
          Nothing yet. Payments that the agent makes and receives are listed here.
        </p>
      ) : (
        <TransferTable path={`/${network}/transfers`} days={[{ transfers: data.transfers.map(withCopies) }]} />
      )}
    </Card>
  );
}
