"use client";

import { type ReactNode, useRef } from "react";
import { Button } from "./button";
import { Callout } from "./callout";
import { Dialog } from "./dialog";
import { useWork } from "./use-work";

/**
 * Asks before something that cannot be undone. Focus starts on Cancel. Stays open while `onConfirm` runs and shows its
 * error.
 */
export function ConfirmDialog({
  open,
  onClose,
  title,
  children,
  confirm,
  tone = "danger",
  onConfirm,
}: {
  open: boolean;
  onClose: () => void;
  title: ReactNode;
  children?: ReactNode;
  /** The verb, such as "Revoke key". */
  confirm: string;
  tone?: "danger" | "primary";
  onConfirm: () => Promise<unknown>;
}) {
  const cancel = useRef<HTMLButtonElement>(null);
  const { busy, error, run } = useWork();
  const go = () =>
    run(async () => {
      await onConfirm();
      onClose();
    });
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={title}
      width="small"
      dismissible={!busy}
      initialFocus={cancel}
      footer={
        <>
          <Button ref={cancel} onClick={onClose} disabled={busy}>
            Cancel
          </Button>
          <Button tone={tone} busy={busy} onClick={go}>
            {confirm}
          </Button>
        </>
      }
    >
      <div className="grid gap-3 text-pretty text-muted text-sm">
        {children}
        {error && <Callout tone="danger">{error}</Callout>}
      </div>
    </Dialog>
  );
}
