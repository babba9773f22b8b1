"use client";

import { useRef, useState } from "react";
import { messageOf } from "@/components/api/message-of";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Dialog } from "@/components/ui/dialog";
import { SecretOnce } from "./secret-once";
import { useWebhookCall } from "./use-webhook-call";

interface Rotated {
  secret: string;
  previous_secret_expires_at: string | null;
}

/** Gives a webhook a new secret, once confirmed, and shows it once. */
export function RotateSecretDialog({
  webhookId,
  open,
  onClose,
}: {
  webhookId: string;
  open: boolean;
  onClose: () => void;
}) {
  const call = useWebhookCall();
  const cancel = useRef<HTMLButtonElement>(null);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const [rotated, setRotated] = useState<Rotated>();
  const close = () => {
    setRotated(undefined);
    setError(undefined);
    onClose();
  };
  const rotate = async () => {
    setBusy(true);
    setError(undefined);
    try {
      setRotated(await call((api) => api.post<Rotated>(`/api/webhooks/${webhookId}/rotate-secret`)));
    } catch (thrown) {
      setError(thrown);
    } finally {
      setBusy(false);
    }
  };
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
            Deliveries are signed with both secrets for 24 hours, so that your receiver may hold either. After that the
            old one is worth nothing.
          </p>
          <p>A secret that is still signing from an earlier rotation ends now.</p>
          {error !== undefined && <Callout tone="danger">{messageOf(error)}</Callout>}
        </div>
      )}
    </Dialog>
  );
}
