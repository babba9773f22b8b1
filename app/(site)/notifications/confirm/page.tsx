import type { Metadata } from "next";
import { MailLinkPage } from "@/components/site/mail-link-page";

export const metadata: Metadata = { title: "Confirm your address · Halcyon", robots: { index: false } };

interface Query {
  token?: string | string[];
  result?: string | string[];
}

/** Where the link of a confirmation leads. */
export default async function ConfirmPage({ searchParams }: { searchParams: Promise<Query> }) {
  const { token, result } = await searchParams;
  if (result === "done") {
    return (
      <MailLinkPage title="Your address is confirmed">
        Notifications come here from now on. You choose which in the settings, and can close this page.
      </MailLinkPage>
    );
  }
  if (typeof token !== "string" || result !== undefined) {
    return (
      <MailLinkPage title="This link no longer works">
        It was used already, is older than 24 hours, or a newer one was sent. Have another link sent under Settings,
        Notifications.
      </MailLinkPage>
    );
  }
  return (
    <MailLinkPage
      title="Confirm this address?"
      form={{ token, action: "/api/notifications/confirm", button: "Confirm address" }}
    >
      Halcyon then sends notifications of the account that asked for it to the address where you got this link. If you
      did not ask for it, close this page.
    </MailLinkPage>
  );
}
