import type { Metadata } from "next";
import { cookies } from "next/headers";
import { enrollmentOf, owner } from "@/app/(dashboard)/owner";
import { setTheme } from "@/app/set-theme";
import { Enrollment } from "@/components/settings/enrollment";
import { Identity } from "@/components/settings/identity";
import { Networks } from "@/components/settings/networks";
import { Profile } from "@/components/settings/profile";
import { ThemeForm } from "@/components/settings/theme-form";
import { PageHeader } from "@/components/ui/page-header";
import { themeOf } from "@/components/ui/theme-of";
import { toAccountResource } from "@/lib/accounts/account-resource";
import { hostedProvider } from "@/lib/accounts/kyc/hosted-provider";
import { describeNetwork } from "@/lib/accounts/networks/describe-network";
import type { SessionContext } from "@/lib/base/context/context";
import { CHAIN_ID, NETWORKS, type Network } from "@/lib/base/network";

export const metadata: Metadata = { title: "Settings" };

/** Returns the account's state on a network. */
async function standing(ctx: SessionContext, network: Network) {
  const chainId = CHAIN_ID[network];
  const [{ enrolled, kycStatus }, { local }] = await Promise.all([
    enrollmentOf(network === ctx.network ? ctx : { ...ctx, network, chainId }),
    describeNetwork(chainId),
  ]);
  return { network, local, chain_id: chainId, enrolled, kyc_status: kycStatus };
}

/** The account's profile, its state on both networks, and the appearance of the dashboard. */
export default async function SettingsPage({
  params,
  searchParams,
}: {
  params: Promise<{ network: string }>;
  searchParams: Promise<{ identity?: string | string[] }>;
}) {
  const ctx = await owner((await params).network);
  const returned = (await searchParams).identity === "returned";
  const hosted = hostedProvider(ctx.network) !== undefined;
  const [{ enrolled, kycStatus, record }, standings, jar] = await Promise.all([
    enrollmentOf(ctx),
    Promise.all(NETWORKS.map((network) => standing(ctx, network))),
    cookies(),
  ]);
  const sandbox = ctx.network === "test" || standings.some(({ network, local }) => network === ctx.network && local);
  return (
    <>
      <PageHeader
        title="Settings"
        description="Your profile, your status on each network, and how the dashboard looks."
      />
      <div className="grid gap-6">
        <Profile account={toAccountResource(ctx.account)} />
        <Enrollment
          network={ctx.network}
          facts={{
            enrolled,
            viewing_key: record?.viewingKey ?? null,
            payment_key: record?.paymentKey ?? null,
            payment_key_until: record?.paymentKeyUntil ?? null,
            block: record?.enrolledBlock ?? null,
          }}
        />
        <Identity status={kycStatus} sandbox={sandbox && !hosted} hosted={hosted} returned={returned} />
        <Networks current={ctx.network} standings={standings} />
        <ThemeForm theme={themeOf(jar.get("theme")?.value)} setTheme={setTheme} />
      </div>
    </>
  );
}
