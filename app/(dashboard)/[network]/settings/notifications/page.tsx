import type { Metadata } from "next";
import { owner } from "@/app/(dashboard)/owner";
import { EmailSettings } from "@/components/settings/email-settings";
import { NotificationKinds } from "@/components/settings/notification-kinds";
import { PushSettings } from "@/components/settings/push-settings";
import { BackLink } from "@/components/ui/back-link";
import { PageHeader } from "@/components/ui/page-header";
import { getSettings } from "@/lib/notifications/get-settings";
import { toNotifications } from "@/lib/notifications/settings-resource";

export const metadata: Metadata = { title: "Notifications" };

/** How the account hears of what needs it while no page is open. */
export default async function NotificationsPage({ params }: { params: Promise<{ network: string }> }) {
  const { network } = await params;
  const settings = toNotifications(await getSettings(await owner(network)));
  return (
    <>
      <PageHeader
        back={<BackLink href={`/${network}/settings`}>Settings</BackLink>}
        title="Notifications"
        description="How you hear of what needs you while this site is closed. Set for this network alone."
      />
      <div className="grid gap-6">
        <EmailSettings initial={settings} />
        <PushSettings initial={settings} />
        <NotificationKinds initial={settings} />
      </div>
    </>
  );
}
