"use client";

import { type FormEvent, type ReactNode, useState } from "react";
import { api } from "@/components/api/api";
import { Badge } from "@/components/ui/badge";
import { Button, buttonClass } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Card } from "@/components/ui/card";
import { ErrorCallout } from "@/components/ui/error-callout";
import { Field, Input } from "@/components/ui/field";
import { Link } from "@/components/ui/link";
import { Time } from "@/components/ui/time";
import { useToast } from "@/components/ui/toast";
import { useAsyncAction } from "@/components/ui/use-async-action";
import type { EmailResource, NotificationsResource } from "@/lib/events/notifications/settings-resource";
import { useNotifications } from "./use-notifications";

const STATES = {
  pending: { tone: "warning", word: "Not confirmed" },
  confirmed: { tone: "success", word: "Confirmed" },
  bounced: { tone: "danger", word: "Failing" },
  unsubscribed: { tone: "neutral", word: "Unsubscribed" },
} as const;

/** Explains the state of the address, and what to do. */
function meaning({ state, reason, confirm_until: until, changed_at: changed }: EmailResource): ReactNode {
  switch (state) {
    case "pending":
      return (
        <>
          Open the link in the message we sent there.{" "}
          {until && (
            <>
              It works until <Time value={until} />.{" "}
            </>
          )}
          Nothing else is sent before.
        </>
      );
    case "confirmed":
      return (
        <>
          Confirmed <Time value={changed} day />. Messages say that something needs you, never what: no amount, no name.
        </>
      );
    case "bounced":
      return (
        <>
          The mail server of this address refused our message{reason && <> with status {reason}</>}, so nothing more is
          sent. Correct the address, or send the link again once it accepts messages.
        </>
      );
    case "unsubscribed":
      return "Someone who reads this address stopped the emails. To start again, confirm it again.";
  }
}

/** Sets the address for notifications, and shows its state. */
export function EmailSettings({ initial }: { initial: NotificationsResource }) {
  const { network, settings, show, reload } = useNotifications(initial);
  const { email, email_by: way } = settings;
  const toast = useToast();
  const setting = useAsyncAction();
  const removing = useAsyncAction({ failed: "The address is still set" });
  const [changing, setChanging] = useState(false);
  const send = (address: string) =>
    setting.run(async () => {
      show(await api(network).post<NotificationsResource>("/api/notifications/email", { address }));
      setChanging(false);
      toast.success("Link sent", `Open it to confirm ${address}.`);
    });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    return send(String(new FormData(event.currentTarget).get("address") ?? ""));
  };
  const remove = () =>
    removing.run(async () => {
      await api(network).delete("/api/notifications/email");
      await reload();
      toast.success("Address removed");
    });
  return (
    <Card
      title="Email"
      description="One address for this network. It is stored encrypted, and used for nothing else."
      action={
        way === "inbox" && (
          <Link href={`/${network}/inbox`} className={buttonClass("secondary", "small")}>
            Open local inbox
          </Link>
        )
      }
    >
      {way === "none" && !email ? (
        <Callout title="This installation sends no email.">
          No mail server is configured. Push notifications may still work.
        </Callout>
      ) : email && !changing ? (
        <div className="grid gap-4">
          <div className="grid gap-1.5">
            <p className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
              <span className="wrap-anywhere font-medium">{email.address}</span>
              <Badge tone={STATES[email.state].tone}>{STATES[email.state].word}</Badge>
            </p>
            <p className="max-w-prose text-pretty text-muted text-sm">{meaning(email)}</p>
          </div>
          {setting.error && <ErrorCallout isUnknown={setting.isUnknown}>{setting.error}</ErrorCallout>}
          <div className="flex flex-wrap gap-2">
            {email.state !== "confirmed" && (
              <Button busy={setting.busy} onClick={() => send(email.address)}>
                Send link again
              </Button>
            )}
            <Button data-early onClick={() => setChanging(true)}>
              Change address
            </Button>
            <Button tone="ghost" busy={removing.busy} onClick={remove}>
              Remove
            </Button>
          </div>
        </div>
      ) : (
        <form onSubmit={submit} className="grid max-w-md gap-4">
          <Field
            label="Email address"
            error={setting.isUnknown ? undefined : setting.error}
            warning={setting.error}
            hint="We send it a link first. Nothing else before you open it."
          >
            {(control) => (
              <Input
                {...control}
                name="address"
                type="email"
                required
                autoComplete="email"
                maxLength={254}
                placeholder="ada@example.com"
                defaultValue={email?.address}
              />
            )}
          </Field>
          <div className="flex flex-wrap gap-2">
            <Button type="submit" tone="primary" busy={setting.busy}>
              Send confirmation link
            </Button>
            {email && (
              <Button tone="ghost" onClick={() => setChanging(false)}>
                Cancel
              </Button>
            )}
          </div>
        </form>
      )}
    </Card>
  );
}
