import type { Metadata } from "next";
import { enrollmentOf, owner, requireWallet } from "@/app/(dashboard)/owner";
import { Backups } from "@/components/settings/backups";
import { BatchPayments } from "@/components/settings/batch-payments";
import { Guard } from "@/components/settings/guard";
import { KeyLimits } from "@/components/settings/key-limits";
import { PinnedHandles } from "@/components/settings/pinned-handles";
import { Sessions } from "@/components/settings/sessions";
import { StrictMode } from "@/components/settings/strict-mode";
import { PageHeader } from "@/components/ui/page-header";
import { toOwnAccountResource } from "@/lib/accounts/account-resource";
import { toBackupResource } from "@/lib/accounts/backups/backup-resource";
import { listBackups } from "@/lib/accounts/backups/list-backups";
import { listKeys } from "@/lib/accounts/keys/list-keys";
import { describeNetwork, toNetworkResource } from "@/lib/accounts/networks/describe-network";
import { listSessions } from "@/lib/http/auth/list-sessions";
import { toSessionList } from "@/lib/http/auth/session-resource";
import { fromHex } from "@/lib/ledger/crypto/bytes";
import { sealedRootKinds } from "@/lib/ledger/seal/seal-root";
import { limitsOf } from "./limits-of";

export const metadata: Metadata = { title: "Security" };

/** Sessions, backups of the account's key, and what API keys may do by themselves. */
export default async function SecurityPage({ params }: { params: Promise<{ network: string }> }) {
  const { network } = await params;
  const ctx = await owner(network);
  const [sessions, backups, enrollment, keys, description, limits] = await Promise.all([
    requireWallet(network).then(listSessions),
    listBackups(ctx),
    enrollmentOf(ctx),
    listKeys(ctx),
    describeNetwork(ctx.chainId).then(toNetworkResource),
    limitsOf(ctx),
  ]);
  const account = toOwnAccountResource({ account: ctx.account, network: ctx.network, enrollment });
  const { sealed_root: sealedRoot } = account;
  const active = keys.filter(({ revokedAt, expiresAt }) => !revokedAt && !(expiresAt && expiresAt <= new Date()));
  return (
    <>
      <PageHeader
        title="Security"
        description="Who is signed in, what can decrypt your account key, and what API keys may do by themselves."
      />
      <div className="grid gap-6">
        <Sessions initial={toSessionList({ entries: sessions, hasMore: false })} />
        <Backups
          initial={{ backups: backups.map(toBackupResource) }}
          origin={{
            network: description.network,
            chain_id: description.chain_id,
            ledger: description.ledger,
            domain_salt: description.domain_salt,
            account: account.public_key,
          }}
          onLedger={sealedRoot ? sealedRootKinds(fromHex(sealedRoot)) : []}
          sealedRoot={sealedRoot}
        />
        <PinnedHandles description={description} />
        <Guard initial={account} />
        <KeyLimits key={limits ? "set" : "none"} initial={limits} />
        <StrictMode initial={account} activeKeys={active.length} />
        <BatchPayments initial={account} />
      </div>
    </>
  );
}
