"use client";

import { useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { ErrorCallout } from "@/components/ui/error-callout";
import { useAsyncAction } from "@/components/ui/use-async-action";
import type { WebhookDialogProps } from "./dialog-props";
import { SecretOnce } from "./secret-once";
import { useWebhookCall } from "./use-webhook-call";

interface Rotated {
  secret: string;
  previous_secret_expires_at: string | null;
}

/** Gives a webhook a new secret after a confirmation, and shows it once. */
export function RotateSecretDialog({ webhookId, open, onClose }: WebhookDialogProps) {
  const call = useWebhookCall();
  const cancel = useRef<HTMLButtonElement>(null);
  const { busy, error, isUnknown, run, reset } = useAsyncAction();
  const [rotated, setRotated] = useState<Rotated>();
  const close = () => {
    setRotated(undefined);
    reset();
    onClose();
  };
  const rotate = () =>
    run(async () => {
      setRotated(await call((api) => api.post<Rotated>(`/v1/webhooks/${webhookId}/rotate-secret`)));
    });
  return (
    <Dialog
      open={open}
      onClose={close}
      dismissible={!busy && rotated === undefined}
      initialFocus={cancel}
      title={rotated ? "Copy the new secret" : "Rotate the signing secret?"}
      footer={
        !rotated && (
          <>
            <Button ref={cancel} onClick={close} disabled={busy}>
              Cancel
            </Button>
            <Button tone="primary" busy={busy} onClick={rotate}>
              Rotate secret
            </Button>
          </>
        )
      }
    >
      {rotated ? (
        <SecretOnce secret={rotated.secret} previousUntil={rotated.previous_secret_expires_at} onClose={close} />
      ) : (
        <div className="grid gap-3 text-pretty text-muted text-sm">
          <p>
            Deliveries are signed with both secrets for 24 hours, so that your receiver can use either. After that the
            old one no longer works.
          </p>
          <p>If the secret of an earlier rotation is still signing, it stops now.</p>
          {error && (
            <ErrorCallout isUnknown={isUnknown}>
              {error}
              {isUnknown && (
                <>
                  {" "}
                  Reload this page: if it shows two secrets, the old one for another 24 hours, it was rotated. Then
                  rotate again when you can put the new secret into your receiver at once: the one it uses now stops
                  then.
                </>
              )}
            </ErrorCallout>
          )}
        </div>
      )}
    </Dialog>
  );
}
