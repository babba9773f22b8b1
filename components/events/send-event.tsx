"use client";

import { Send } from "lucide-react";
import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import { messageOf } from "@/components/api/message-of";
import { useNetwork } from "@/components/shell/network-context";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Dialog } from "@/components/ui/dialog";
import { Field, Select } from "@/components/ui/field";
import { deliveriesPath } from "@/components/webhooks/paths";
import { useWebhookCall } from "@/components/webhooks/use-webhook-call";
import type { DeliveryResource } from "@/lib/webhooks/delivery-resource";

/** A webhook that an event can be sent to. */
export interface Destination {
  webhook_id: string;
  url: string;
}

/** Sends an event to a webhook, whether or not it was sent there before. */
export function SendEvent({ eventId, webhooks }: { eventId: string; webhooks: readonly Destination[] }) {
  const network = useNetwork();
  const router = useRouter();
  const call = useWebhookCall();
  const [open, setOpen] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const to = String(new FormData(event.currentTarget).get("webhook"));
    setBusy(true);
    setError(undefined);
    try {
      const sent = await call((api) => api.post<DeliveryResource>(`/api/webhooks/${to}/replay/${eventId}`));
      router.push(`${deliveriesPath(network)}/${sent.delivery_id}`);
    } catch (thrown) {
      setError(thrown);
      setBusy(false);
    }
  };
  return (
    <>
      <Button size="small" icon={<Send size={14} aria-hidden="true" />} onClick={() => setOpen(true)}>
        Send to a webhook
      </Button>
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        dismissible={!busy}
        width="small"
        title="Send this event"
        description="Now, with the same event ID: a receiver that has handled it can tell."
      >
        <form onSubmit={send} className="grid gap-4">
          <Field label="Webhook">
            {(control) => (
              <Select {...control} name="webhook">
                {webhooks.map(({ webhook_id, url }) => (
                  <option key={webhook_id} value={webhook_id}>
                    {url}
                  </option>
                ))}
              </Select>
            )}
          </Field>
          {error !== undefined && <Callout tone="danger">{messageOf(error)}</Callout>}
          <div className="flex justify-end">
            <Button type="submit" tone="primary" busy={busy}>
              Send event
            </Button>
          </div>
        </form>
      </Dialog>
    </>
  );
}
