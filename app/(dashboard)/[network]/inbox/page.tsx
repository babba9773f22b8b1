import { Mail } from "lucide-react";
import type { Metadata } from "next";
import { owner } from "@/app/(dashboard)/owner";
import { BackLink } from "@/components/ui/back-link";
import { buttonClass } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";
import { PageHeader } from "@/components/ui/page-header";
import { Time } from "@/components/ui/time";
import { isoTime } from "@/lib/base/clock";
import { messagesOf } from "./messages-of";

export const metadata: Metadata = { title: "Local inbox" };

/** Renders a text with its links. */
function Linked({ text }: { text: string }) {
  return text.split(/(https?:\/\/\S+)/).map((part, at) =>
    at % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text that stays
      <a key={at} href={part} className="wrap-anywhere text-accent underline underline-offset-2">
        {part}
      </a>
    ) : (
      part
    ),
  );
}

/** Shows the email that the local stack would have sent. Nothing leaves this machine. */
export default async function InboxPage({ params }: { params: Promise<{ network: string }> }) {
  const { network } = await params;
  const messages = await messagesOf(await owner(network));
  return (
    <>
      <PageHeader
        back={<BackLink href={`/${network}/settings/notifications`}>Notifications</BackLink>}
        title="Local inbox"
        description="On the local stack, email goes here instead of to a mail server. It is kept for seven days."
      />
      {messages.length === 0 ? (
        <Card flush>
          <EmptyState
            icon={<Mail size={20} />}
            title="No messages yet"
            action={
              <Link href={`/${network}/settings/notifications`} className={buttonClass("primary")}>
                Set an email address
              </Link>
            }
          >
            The first message confirms the address that you set under Notifications.
          </EmptyState>
        </Card>
      ) : (
        <ul aria-label="Messages" className="grid gap-4">
          {messages.map(({ id, subject, recipient, plain, createdAt }) => (
            <li key={id}>
              <Card
                title={subject}
                description={
                  <>
                    To <span className="wrap-anywhere">{recipient}</span>, <Time value={isoTime(createdAt)} seconds />
                  </>
                }
              >
                <div className="max-w-prose whitespace-pre-line text-pretty text-sm">
                  <Linked text={plain} />
                </div>
              </Card>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
