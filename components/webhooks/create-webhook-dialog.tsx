"use client";

import { useState } from "react";
import { useNetwork } from "@/components/api/network-context";
import { Dialog } from "@/components/ui/dialog";
import { EVENT_TYPES } from "@/lib/events/catalogue";
import { webhooksPath } from "./paths";
import { SecretOnce } from "./secret-once";
import { useWebhookCall } from "./use-webhook-call";
import { WebhookForm } from "./webhook-form";

/** Creates a webhook and shows its secret once. Can't be closed by accident before the secret is copied. */
export function CreateWebhookDialog({ open, local, onClose }: { open: boolean; local: boolean; onClose: () => void }) {
  const call = useWebhookCall();
  const network = useNetwork();
  const [secret, setSecret] = useState<string>();
  const close = () => {
    setSecret(undefined);
    onClose();
  };
  return (
    <Dialog
      open={open || secret !== undefined}
      onClose={close}
      dismissible={secret === undefined}
      title={secret ? "Copy the signing secret" : "Add webhook"}
      description={secret ? undefined : "Your server gets each event you choose, as it happens."}
    >
      {secret ? (
        <SecretOnce secret={secret} onClose={close} />
      ) : (
        <WebhookForm
          initial={{ url: "", events: [...EVENT_TYPES], store_responses: network === "test" }}
          local={local}
          verb="Add webhook"
          list={webhooksPath(network)}
          onSubmit={async (settings) => {
            const created = await call((api) => api.post<{ secret: string }>("/v1/webhooks", settings));
            setSecret(created.secret);
          }}
        />
      )}
    </Dialog>
  );
}
