import { Siren } from "lucide-react";
import type { Metadata } from "next";
import type { ReactNode } from "react";
import { enrollmentOf, owner, requireWallet } from "@/app/(dashboard)/owner";
import { Backups } from "@/components/settings/backups";
import { BatchPayments } from "@/components/settings/batch-payments";
import { Guard } from "@/components/settings/guard";
import { KeyLimits } from "@/components/settings/key-limits";
import { PinnedHandles } from "@/components/settings/pinned-handles";
import { Sessions } from "@/components/settings/sessions";
import { StrictMode } from "@/components/settings/strict-mode";
import { buttonClass } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { PageHeader } from "@/components/ui/page-header";
import { toOwnAccountResource } from "@/lib/accounts/account-resource";
import { toBackupResource } from "@/lib/accounts/backups/backup-resource";
import { listBackups } from "@/lib/accounts/backups/list-backups";
import { listKeys } from "@/lib/accounts/keys/list-keys";
import { describeNetwork, toNetworkResource } from "@/lib/accounts/networks/describe-network";
import { listSessions } from "@/lib/http/auth/list-sessions";
import { toSessionList } from "@/lib/http/auth/session-resource";
import { fromHex } from "@/lib/ledger/crypto/bytes";
import { encryptedAccountKeyKinds } from "@/lib/ledger/encrypted/account-key";
import { readOwnPolicy } from "./read-own-policy";

/** Settings that belong together, under a name. */
function Group({ name, children }: { name: string; children: ReactNode }) {
  return (
    <section aria-label={name} className="mt-8 grid gap-4 first-of-type:mt-0">
      <p aria-hidden="true" className="font-medium text-muted text-sm">
        {name}
      </p>
      {children}
    </section>
  );
}

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
    readOwnPolicy(ctx),
  ]);
  const account = toOwnAccountResource({ account: ctx.account, enrollment });
  const { encrypted_account_key: encryptedAccountKey } = account;
  const active = keys.filter(({ revokedAt, expiresAt }) => !revokedAt && !(expiresAt && expiresAt <= new Date()));
  return (
    <>
      <PageHeader
        title="Security"
        description="Who is signed in, what can decrypt your account key, and what API keys may do by themselves."
        action={
          <Link href={`/${network}/settings/security/emergency`} className={buttonClass("secondary")}>
            <Siren size={15} aria-hidden="true" />
            Emergency
          </Link>
        }
      />
      <Group name="Who is signed in">
        <Sessions initial={toSessionList({ entries: sessions, hasMore: false })} />
      </Group>
      <Group name="Recovery">
        <Backups
          initial={{ backups: backups.map(toBackupResource) }}
          origin={{
            network: description.network,
            chain_id: description.chain_id,
            ledger: description.ledger,
            domain_salt: description.domain_salt,
            account: account.public_key,
          }}
          onLedger={encryptedAccountKey ? encryptedAccountKeyKinds(fromHex(encryptedAccountKey)) : []}
          encryptedAccountKey={encryptedAccountKey}
        />
        <PinnedHandles description={description} />
      </Group>
      <Group name="What keys may do without you">
        <Guard initial={account} />
        <KeyLimits key={limits ? "set" : "none"} initial={limits} />
        <StrictMode initial={account} activeKeys={active.length} />
        <BatchPayments initial={account} />
      </Group>
    </>
  );
}
