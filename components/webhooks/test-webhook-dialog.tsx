"use client";

import { type FormEvent, useState } from "react";
import { useNetwork } from "@/components/api/network-context";
import { useResource } from "@/components/api/use-resource";
import { Button, Spinner } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Dialog } from "@/components/ui/dialog";
import { Field, Options, Select } from "@/components/ui/field";
import { FormEnd } from "@/components/ui/form-end";
import { Link } from "@/components/ui/link";
import { useAsyncAction } from "@/components/ui/use-async-action";
import { EVENT_TYPES, type EventType } from "@/lib/events/catalogue";
import type { DeliveryResource } from "@/lib/events/webhooks/delivery-resource";
import type { WebhookDialogProps } from "./dialog-props";
import { deliveriesPath } from "./paths";
import { useWebhookCall } from "./use-webhook-call";
import { failureOf } from "./wording";

const POLL_MS = 1_000;

function Ended({ delivery }: { delivery: DeliveryResource }) {
  const { status, response_code, duration_ms, error } = delivery;
  if (status === "succeeded") {
    return (
      <Callout tone="success" title="Delivered.">
        Your receiver responded with {response_code} in {duration_ms} ms.
      </Callout>
    );
  }
  const { title, remedy, detail } = failureOf(error ?? "");
  return (
    <Callout tone="danger" title={`${title}.`}>
      {response_code === null ? detail : `Status ${response_code}.`} {remedy}
    </Callout>
  );
}

/** The outcome of a test. Waits until its single attempt has ended. */
function Result({ sent }: { sent: DeliveryResource }) {
  const network = useNetwork();
  const [waiting, setWaiting] = useState(true);
  const { data = sent } = useResource<DeliveryResource>(`/api/deliveries/${sent.delivery_id}`, {
    refetchInterval: waiting ? POLL_MS : false,
  });
  const pending = data.status === "pending";
  if (pending !== waiting) setWaiting(pending);
  return (
    <div className="grid gap-2" aria-live="polite">
      {pending ? (
        <p className="flex h-11 items-center gap-2.5 text-muted text-sm">
          <Spinner /> Sending to your receiver
        </p>
      ) : (
        <>
          <Ended delivery={data} />
          <Link
            href={`${deliveriesPath(network)}/${sent.delivery_id}`}
            className="w-fit text-accent text-sm underline-offset-4 hover:underline"
          >
            View request and response
          </Link>
        </>
      )}
    </div>
  );
}

interface TestWebhookProps extends WebhookDialogProps {
  /** The events that the webhook subscribes to. Offered first. */
  events: readonly EventType[];
}

/** Sends a sample event and shows the receiver's response. */
export function TestWebhookDialog({ webhookId, events, open, onClose }: TestWebhookProps) {
  const call = useWebhookCall();
  const [sent, setSent] = useState<DeliveryResource>();
  const { busy, error, isUnknown, run, reset } = useAsyncAction();
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const type = String(new FormData(event.currentTarget).get("event"));
    setSent(undefined);
    return run(async () => {
      setSent(await call((api) => api.post<DeliveryResource>(`/v1/webhooks/${webhookId}/test`, { event: type })));
    });
  };
  const close = () => {
    setSent(undefined);
    reset();
    onClose();
  };
  return (
    <Dialog
      open={open}
      onClose={close}
      title="Send test event"
      description="A signed sample with made-up content, marked “test”. It is tried once."
    >
      <form onSubmit={send} className="grid gap-4">
        <Field label="Event type">
          {(control) => (
            <Select
              {...control}
              name="event"
              defaultValue={events.includes("transfer.confirmed") ? "transfer.confirmed" : events[0]}
            >
              <Options choices={EVENT_TYPES.map((type) => ({ value: type, name: type }))} />
            </Select>
          )}
        </Field>
        {sent && <Result key={sent.delivery_id} sent={sent} />}
        <FormEnd error={error} isUnknown={isUnknown} busy={busy} verb={sent ? "Send another" : "Send test event"}>
          {sent && <Button onClick={close}>Done</Button>}
        </FormEnd>
      </form>
    </Dialog>
  );
}
