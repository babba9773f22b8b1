"use client";

import { Dialog } from "@/components/ui/dialog";
import { useToast } from "@/components/ui/toast";
import type { WebhookResource } from "@/lib/events/webhooks/webhook-resource";
import { useWebhookCall } from "./use-webhook-call";
import { WebhookForm } from "./webhook-form";

/** Changes a webhook's address and events. */
export function EditWebhookDialog({
  webhook,
  local,
  open,
  onClose,
}: {
  webhook: WebhookResource;
  local: boolean;
  open: boolean;
  onClose: () => void;
}) {
  const call = useWebhookCall();
  const toast = useToast();
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Edit webhook"
      description="A new address also gets the deliveries that are still queued. The secret stays as it is."
    >
      <WebhookForm
        initial={webhook}
        local={local}
        verb="Save changes"
        onSubmit={async (settings) => {
          await call((api) => api.patch(`/v1/webhooks/${webhook.webhook_id}`, settings));
          toast.success("Webhook changed", "It takes effect with the next delivery.");
          onClose();
        }}
      />
    </Dialog>
  );
}
