import type { Metadata } from "next";
import { MailLinkPage } from "@/components/site/mail-link-page";

export const metadata: Metadata = { title: "Stop emails", robots: { index: false } };

interface Query {
  token?: string | string[];
  result?: string | string[];
}

/** The target of the link at the end of each message. */
export default async function UnsubscribePage({ searchParams }: { searchParams: Promise<Query> }) {
  const { token, result } = await searchParams;
  if (result === "done") {
    return (
      <MailLinkPage title="The emails have stopped">
        Nothing more is sent to this address. To start again, confirm it again under Settings, Notifications.
      </MailLinkPage>
    );
  }
  if (typeof token !== "string" || result !== undefined) {
    return (
      <MailLinkPage title="There is nothing to stop">
        This link is for an address that is no longer set. Nothing is sent to it.
      </MailLinkPage>
    );
  }
  return (
    <MailLinkPage
      title="Stop these emails?"
      form={{ token, action: "/api/notifications/unsubscribe", button: "Stop emails" }}
    >
      You will get no more notifications at this address. Nothing else about the account changes.
    </MailLinkPage>
  );
}
