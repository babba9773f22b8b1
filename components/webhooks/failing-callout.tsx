"use client";

import { RotateCcw } from "lucide-react";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Time } from "@/components/ui/time";
import { useToast } from "@/components/ui/toast";
import { useAsyncAction } from "@/components/ui/use-async-action";
import type { HealthResource } from "@/lib/events/webhooks/list-health";
import { NextAttempt } from "./next-attempt";
import { useWebhookCall } from "./use-webhook-call";
import { failureOf, reasonOfFailing, waitingInWords } from "./wording";

/**
 * Says that an endpoint fails, since when, why, and when the next retry is, with a button to retry now. Times stand on
 * lines of their own: the browser writes them longer than the server, and nothing may wrap then.
 */
export function FailingCallout({ webhookId, health }: { webhookId: string; health: HealthResource }) {
  const call = useWebhookCall();
  const toast = useToast();
  const { busy, run } = useAsyncAction({ failed: "Nothing was sent" });
  const { failing_since, waiting, next_attempt_at, last } = health;
  const retry = () =>
    run(async () => {
      await call((api) => api.post(`/api/webhooks/${webhookId}/retry`, {}));
      toast.success("Trying again", "As soon as one delivery arrives, the others follow.");
    });
  return (
    <Callout
      tone="danger"
      title={`Failing: ${reasonOfFailing(health)}`}
      action={
        waiting > 0 && (
          <Button size="small" busy={busy} icon={<RotateCcw size={14} aria-hidden="true" />} onClick={retry}>
            Retry now
          </Button>
        )
      }
    >
      {last?.error && failureOf(last.error).remedy}{" "}
      {waiting > 0 ? waitingInWords(waiting) : "Nothing waits for it now."}
      <span className="block">
        Failing since <Time value={failing_since ?? ""} />
      </span>
      {next_attempt_at && (
        <span className="block">
          Next attempt: <NextAttempt value={next_attempt_at} />
        </span>
      )}
    </Callout>
  );
}
