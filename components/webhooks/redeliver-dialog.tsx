"use client";

import { type FormEvent, useState } from "react";
import type { Api } from "@/components/api/api";
import { writtenCount } from "@/components/ui/count";
import { Dialog } from "@/components/ui/dialog";
import { Field, Input, Options, Select } from "@/components/ui/field";
import { FormEnd } from "@/components/ui/form-end";
import { useReader } from "@/components/ui/time";
import { useToast } from "@/components/ui/toast";
import { useAsyncAction } from "@/components/ui/use-async-action";
import type { WebhookDialogProps } from "./dialog-props";
import { useWebhookCall } from "./use-webhook-call";

const HOUR_MS = 3_600_000;
const SPANS = [
  { name: "The last hour", value: "1" },
  { name: "The last 24 hours", value: "24" },
  { name: "The last 7 days", value: "168" },
  { name: "Custom time", value: "" },
];

/**
 * Queues failed deliveries again until none are left: the service takes a limited number at a time. Returns how many.
 */
async function redeliver(api: Api, webhookId: string, since: string): Promise<number> {
  let queued = 0;
  for (;;) {
    const path = `/v1/webhooks/${webhookId}/redeliver`;
    const response = await api.post<{ queued: number; has_more: boolean }>(path, { since });
    queued += response.queued;
    if (!response.has_more) return queued;
  }
}

/** Sends again what has failed since a time. */
export function RedeliverDialog({ webhookId, open, onClose }: WebhookDialogProps) {
  const call = useWebhookCall();
  const toast = useToast();
  const { zone } = useReader();
  const [span, setSpan] = useState("24");
  const { busy, error, isUnknown, run } = useAsyncAction();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const moment = String(new FormData(event.currentTarget).get("since") ?? "");
    // The field has no time zone. It is read in the reader's, like every time on these pages.
    const since = span === "" ? Date.parse(moment) : Date.now() - Number(span) * HOUR_MS;
    return run(async () => {
      const queued = await call((api) => redeliver(api, webhookId, new Date(since).toISOString()));
      if (queued === 0) toast.success("Nothing to send again", "Every event since then has arrived.");
      else toast.success(`${writtenCount(queued)} ${queued === 1 ? "event is" : "events are"} sent again`);
      onClose();
    });
  };
  return (
    <Dialog
      open={open}
      onClose={onClose}
      dismissible={!busy}
      title="Redeliver failed events"
      description="Sends each event again, once, that failed since then and has not arrived meanwhile."
    >
      <form onSubmit={submit} className="grid gap-4">
        <Field label="Failed since">
          {(control) => (
            <Select {...control} value={span} onChange={(event) => setSpan(event.target.value)}>
              <Options choices={SPANS} />
            </Select>
          )}
        </Field>
        {span === "" && (
          <Field label={`Time, ${zone}`}>
            {(control) => <Input {...control} type="datetime-local" name="since" required />}
          </Field>
        )}
        <FormEnd error={error} isUnknown={isUnknown} busy={busy} verb="Redeliver" />
      </form>
    </Dialog>
  );
}
