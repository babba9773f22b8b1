import type { Metadata } from "next";
import { owner } from "@/app/(dashboard)/owner";
import { LowBalanceSettings } from "@/components/money/low-balance/low-balance-settings";
import { EmailSettings } from "@/components/settings/email-settings";
import { NotificationKinds } from "@/components/settings/notification-kinds";
import { PushSettings } from "@/components/settings/push-settings";
import { PageHeader } from "@/components/ui/page-header";
import { describeNetwork } from "@/lib/accounts/networks/describe-network";
import { getSettings } from "@/lib/events/notifications/get-settings";
import { toNotifications } from "@/lib/events/notifications/settings-resource";

export const metadata: Metadata = { title: "Notifications" };

/** How the account is notified while no page is open. */
export default async function NotificationsPage({ params }: { params: Promise<{ network: string }> }) {
  const { network } = await params;
  const ctx = await owner(network);
  const [settings, { assets }] = await Promise.all([
    getSettings(ctx).then(toNotifications),
    describeNetwork(ctx.chainId),
  ]);
  return (
    <>
      <PageHeader
        title="Notifications"
        description="How you are notified while this site is closed. These settings are for this network only."
      />
      <div className="grid gap-6">
        <EmailSettings initial={settings} />
        <PushSettings initial={settings} />
        <NotificationKinds initial={settings} />
        <LowBalanceSettings
          address={ctx.account.address}
          assets={assets.map(({ symbol, decimals }) => ({ symbol, decimals }))}
        />
      </div>
    </>
  );
}
