import type { Metadata } from "next";
import { MailLinkPage } from "@/components/site/mail-link-page";

export const metadata: Metadata = { title: "Confirm your address", robots: { index: false } };

interface Query {
  token?: string | string[];
  result?: string | string[];
}

/** The target of a confirmation link. */
export default async function ConfirmPage({ searchParams }: { searchParams: Promise<Query> }) {
  const { token, result } = await searchParams;
  if (result === "done") {
    return (
      <MailLinkPage title="Your address is confirmed">
        Notifications will now arrive at this address. Choose which ones in the settings. You can close this page.
      </MailLinkPage>
    );
  }
  if (typeof token !== "string" || result !== undefined) {
    return (
      <MailLinkPage title="This link no longer works">
        It was already used, is older than 24 hours, or was replaced by a newer one. Request another link under
        Settings, Notifications.
      </MailLinkPage>
    );
  }
  return (
    <MailLinkPage
      title="Confirm this address?"
      form={{ token, action: "/api/notifications/confirm", button: "Confirm address" }}
    >
      Halcyon will then send notifications for the account that requested this to the address where you got this link.
      If you did not request it, close this page.
    </MailLinkPage>
  );
}
