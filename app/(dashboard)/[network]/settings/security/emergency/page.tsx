import type { Metadata } from "next";
import { zeroAddress } from "viem";
import { enrollmentOf, owner } from "@/app/(dashboard)/owner";
import { type Endable, EndKeys } from "@/components/settings/emergency/end-keys";
import { RenewKey } from "@/components/settings/emergency/renew-key";
import { RotateSecret } from "@/components/settings/emergency/rotate-secret";
import { StopSigning } from "@/components/settings/emergency/stop-signing";
import { BackLink } from "@/components/ui/back-link";
import { PageHeader } from "@/components/ui/page-header";
import { listKeys } from "@/lib/accounts/keys/list-keys";
import { listAgents } from "@/lib/agents/list-agents";
import { isoTime } from "@/lib/base/clock";
import { listConnections } from "@/lib/http/connections/list-connections";

export const metadata: Metadata = { title: "Emergency" };

/** What stops a loss, from the quickest to the most thorough. */
export default async function EmergencyPage({ params }: { params: Promise<{ network: string }> }) {
  const { network } = await params;
  const ctx = await owner(network);
  const [keys, connections, agents, { record }] = await Promise.all([
    listKeys(ctx),
    listConnections(ctx),
    listAgents(ctx),
    enrollmentOf(ctx),
  ]);
  const now = new Date();
  const isActive = ({ revokedAt, expiresAt }: { revokedAt: Date | null; expiresAt: Date | null }) =>
    !revokedAt && !(expiresAt && expiresAt <= now);
  const active: Endable[] = [
    ...keys.filter(isActive).map(({ id }) => ({ path: `/api/keys/${id}`, kind: "key" as const })),
    ...connections.filter(isActive).map(({ id }) => ({ path: `/api/connections/${id}`, kind: "application" as const })),
  ];
  const stopped = record?.paymentKey === zeroAddress;
  const until = stopped || !record ? null : isoTime(new Date(Number(record.paymentKeyUntil) * 1_000));
  return (
    <>
      <PageHeader
        back={<BackLink href={`/${network}/settings/security`}>Security</BackLink>}
        title="Emergency"
        description="What to do when a key or a server is in the wrong hands, the quickest first. Nothing here moves your money."
      />
      <div className="grid gap-4">
        <EndKeys active={active} />
        <StopSigning
          key={stopped ? "stopped" : "signing"}
          agents={agents.filter(({ status }) => status === "active").map(({ id }) => id)}
          stopped={stopped}
        />
        <RotateSecret />
        <RenewKey until={until} />
      </div>
    </>
  );
}
