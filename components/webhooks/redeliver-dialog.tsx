"use client";

import { type FormEvent, useState } from "react";
import type { Api } from "@/components/api/api";
import { messageOf } from "@/components/api/message-of";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Dialog } from "@/components/ui/dialog";
import { Field, Input, Select } from "@/components/ui/field";
import { useToast } from "@/components/ui/toast";
import { useWebhookCall } from "./use-webhook-call";

const HOUR_MS = 3_600_000;
const SPANS = [
  { name: "The last hour", value: "1" },
  { name: "The last 24 hours", value: "24" },
  { name: "The last 7 days", value: "168" },
  { name: "A moment of your choice", value: "" },
];

/** Asks until nothing is left: the service queues so many at a time. */
async function redeliver(api: Api, webhookId: string, since: string): Promise<number> {
  let queued = 0;
  for (;;) {
    const path = `/api/webhooks/${webhookId}/redeliver`;
    const answer = await api.post<{ queued: number; has_more: boolean }>(path, { since });
    queued += answer.queued;
    if (!answer.has_more) return queued;
  }
}

/** Sends again what has failed since a time. */
export function RedeliverDialog({
  webhookId,
  open,
  onClose,
}: {
  webhookId: string;
  open: boolean;
  onClose: () => void;
}) {
  const call = useWebhookCall();
  const toast = useToast();
  const [span, setSpan] = useState("24");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const moment = String(new FormData(event.currentTarget).get("since") ?? "");
    // The field has no zone: it is read as UTC, like every time of these pages.
    const since = span === "" ? Date.parse(`${moment}Z`) : Date.now() - Number(span) * HOUR_MS;
    setBusy(true);
    setError(undefined);
    try {
      const queued = await call((api) => redeliver(api, webhookId, new Date(since).toISOString()));
      if (queued === 0) toast.success("Nothing to send again", "Every event since then has arrived.");
      else toast.success(`${queued.toLocaleString("en")} ${queued === 1 ? "event is" : "events are"} sent again`);
      onClose();
    } catch (thrown) {
      setError(thrown);
    } finally {
      setBusy(false);
    }
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
              {SPANS.map(({ name, value }) => (
                <option key={name} value={value}>
                  {name}
                </option>
              ))}
            </Select>
          )}
        </Field>
        {span === "" && (
          <Field label="Moment, UTC">
            {(control) => <Input {...control} type="datetime-local" name="since" required />}
          </Field>
        )}
        {error !== undefined && <Callout tone="danger">{messageOf(error)}</Callout>}
        <div className="flex justify-end">
          <Button type="submit" tone="primary" busy={busy}>
            Redeliver
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
