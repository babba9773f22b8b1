import type { Metadata } from "next";
import type { ReactNode } from "react";
import { accountOwner, enrollmentOf, networkOfPath, streamCursor, wallet } from "@/app/(dashboard)/owner";
import { InlineScript } from "@/app/inline-script";
import { setTheme } from "@/app/set-theme";
import { Providers } from "@/components/shell/providers";
import { CommandPalette } from "@/components/shell/search/command-palette";
import { Shell } from "@/components/shell/shell";
import { REMEMBER_PRESS } from "@/components/ui/early-press-script";
import { describeNetwork, toNetworkResource } from "@/lib/accounts/networks/describe-network";
import { mailWay } from "@/lib/events/notifications/email/mail-way";
import { countPending } from "@/lib/payments/approvals/count-pending";
import { workerPath } from "@/lib/prover/worker-script";

export async function generateMetadata({ params }: { params: Promise<{ network: string }> }): Promise<Metadata> {
  const live = (await params).network === "live";
  return { title: { default: "Halcyon", template: live ? "%s · Live · Halcyon" : "%s · Halcyon" } };
}

/**
 * The frame of every page of a network: the signed-in account, the navigation, and whether amounts can be decrypted.
 */
export default async function NetworkLayout({
  params,
  children,
}: {
  params: Promise<{ network: string }>;
  children: ReactNode;
}) {
  const network = networkOfPath((await params).network);
  const signedIn = await wallet(network);
  // Each page redirects visitors to the sign-in by itself.
  if (!signedIn) return children;
  const { account } = signedIn;
  const owner = await accountOwner(network);
  const since = await streamCursor(network);
  const [description, enrollment, pending, vaultWorker] = await Promise.all([
    describeNetwork(signedIn.chainId).then(toNetworkResource),
    owner && enrollmentOf(owner),
    owner ? countPending(owner) : 0,
    workerPath("components/vault/worker.ts"),
  ]);
  const enrolled = enrollment !== null && enrollment.enrolled !== "none";
  return (
    <>
      <InlineScript>{REMEMBER_PRESS}</InlineScript>
      <Providers network={description} address={signedIn.address} since={since} vaultWorker={vaultWorker}>
        <Shell
          network={network}
          local={description.local}
          handle={account ? `@${account.handle}` : null}
          address={signedIn.address}
          enrolled={enrolled}
          pending={pending}
          setTheme={setTheme}
          search={
            <CommandPalette network={network} inbox={mailWay(signedIn.chainId) === "inbox"} setTheme={setTheme} />
          }
          paymentKeyUntil={enrolled ? (enrollment?.record?.paymentKeyUntil ?? null) : null}
        >
          {children}
        </Shell>
      </Providers>
    </>
  );
}
