"use client";

import { Send } from "lucide-react";
import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import { useNetwork } from "@/components/api/network-context";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field, Options, Select } from "@/components/ui/field";
import { FormEnd } from "@/components/ui/form-end";
import { useAsyncAction } from "@/components/ui/use-async-action";
import type { DeliveryResource } from "@/lib/events/webhooks/delivery-resource";
import { deliveriesPath } from "./paths";
import { useWebhookCall } from "./use-webhook-call";

/** A webhook to which an event can be sent. */
interface SendDestination {
  webhook_id: string;
  url: string;
}

/** Sends an event to a webhook, whether or not it was sent there before. */
export function SendEvent({ eventId, webhooks }: { eventId: string; webhooks: readonly SendDestination[] }) {
  const network = useNetwork();
  const router = useRouter();
  const call = useWebhookCall();
  const [open, setOpen] = useState(false);
  const { busy, error, isUnknown, run } = useAsyncAction();
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const to = String(new FormData(event.currentTarget).get("webhook"));
    return run(async () => {
      const sent = await call((api) => api.post<DeliveryResource>(`/v1/webhooks/${to}/replay/${eventId}`));
      setOpen(false);
      router.push(`${deliveriesPath(network)}/${sent.delivery_id}`);
    });
  };
  return (
    <>
      <Button data-early size="small" icon={<Send size={14} aria-hidden="true" />} onClick={() => setOpen(true)}>
        Send to a webhook
      </Button>
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        dismissible={!busy}
        width="small"
        title="Send this event"
        description="Now, with the same event ID, so a receiver can ignore an event it has handled."
      >
        <form onSubmit={send} className="grid gap-4">
          <Field label="Webhook">
            {(control) => (
              <Select {...control} name="webhook">
                <Options choices={webhooks.map(({ webhook_id, url }) => ({ value: webhook_id, name: url }))} />
              </Select>
            )}
          </Field>
          <FormEnd error={error} isUnknown={isUnknown} busy={busy} verb="Send event" />
        </form>
      </Dialog>
    </>
  );
}
