"use client";

import { useState } from "react";
import { api } from "@/components/api/api";
import { Card } from "@/components/ui/card";
import { Checkbox } from "@/components/ui/checkbox";
import { useToast } from "@/components/ui/toast";
import type { Channel, NotificationKind } from "@/lib/events/notification-kinds";
import type { NotificationsResource } from "@/lib/events/notifications/settings-resource";
import { useNotifications } from "./use-notifications";

const CHANNELS: { channel: Channel; name: string }[] = [
  { channel: "email", name: "Email" },
  { channel: "push", name: "Push" },
];

type Kinds = NotificationsResource["kinds"];

/** Sets which kinds of notifications arrive by which channel. Each change takes effect at once. */
export function NotificationKinds({ initial }: { initial: NotificationsResource }) {
  const { network, settings, show } = useNotifications(initial);
  const toast = useToast();
  const [pending, setPending] = useState<string>();
  const change = async (kind: Kinds[number]["kind"], channel: Channel, enabled: boolean) => {
    setPending(`${kind} ${channel}`);
    try {
      const body = { kind, channel, enabled };
      show(await api(network).patch<NotificationsResource>("/api/notifications", body));
    } catch (error) {
      toast.failure(error, "Nothing was changed");
    } finally {
      setPending(undefined);
    }
  };
  return (
    <Card flush title="What you are notified of" description="At most one message of each kind in five minutes.">
      <table aria-label="What you are notified of" className="w-full border-line border-t text-sm">
        <thead>
          <tr className="text-left text-muted text-xs">
            <th scope="col" className="px-4 py-2.5 font-medium sm:pl-5">
              When
            </th>
            {CHANNELS.map(({ channel, name }) => (
              <th key={channel} scope="col" className="w-16 px-2 py-2.5 text-center font-medium sm:w-24">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {settings.kinds.map((row) => (
            <tr key={row.kind} className="border-line border-t">
              <th scope="row" className="px-4 py-3.5 text-left font-normal sm:pl-5">
                <span className="block font-medium">{KIND_WORDS[row.kind].name}</span>
                <span className="block text-pretty text-muted text-xs">{KIND_WORDS[row.kind].hint}</span>
              </th>
              {CHANNELS.map(({ channel, name }) => (
                <td key={channel} className="px-2 py-3.5">
                  <div className="grid place-items-center">
                    <Checkbox
                      label={
                        <span className="sr-only">
                          {KIND_WORDS[row.kind].name} by {name.toLowerCase()}
                        </span>
                      }
                      checked={row[channel]}
                      disabled={pending === `${row.kind} ${channel}`}
                      onChange={(enabled) => void change(row.kind, channel, enabled)}
                    />
                  </div>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}

/** What each kind of notification reports. */
const KIND_WORDS: Record<NotificationKind, { name: string; hint: string }> = {
  approval_needed: {
    name: "Payments that await approval",
    hint: "When an agent asks for more than it may pay by itself.",
  },
  approval_expiring: {
    name: "Approvals about to expire",
    hint: "Two hours before a payment that still waits expires.",
  },
  webhook_failing: {
    name: "Failing webhooks",
    hint: "When a webhook has failed for 15 minutes, or was disabled.",
  },
};
