"use client";

import { type ReactNode, useRef } from "react";
import { Button } from "./button";
import { Callout } from "./callout";
import { Dialog } from "./dialog";
import { useAsyncAction } from "./use-async-action";

/**
 * Asks before something that cannot be undone. Focus starts on Cancel. Stays open while `onConfirm` runs and shows its
 * error.
 */
export function ConfirmDialog({
  open,
  onClose,
  title,
  description,
  children,
  confirm,
  tone = "danger",
  width = "small",
  disabled = false,
  failed,
  onConfirm,
  onDone = onClose,
}: {
  open: boolean;
  onClose: () => void;
  title: ReactNode;
  description?: ReactNode;
  children?: ReactNode;
  /** The verb, such as "Revoke key". */
  confirm: string;
  tone?: "danger" | "primary";
  width?: "small" | "medium";
  /** What it asks about is not known yet, or not agreed to. */
  disabled?: boolean;
  /** Title of its error. */
  failed?: string;
  onConfirm: () => Promise<unknown>;
  /** Called once `onConfirm` has done it; closes the dialog when left out. */
  onDone?: () => void;
}) {
  const cancel = useRef<HTMLButtonElement>(null);
  const { busy, error, run } = useAsyncAction();
  const go = () =>
    run(async () => {
      await onConfirm();
      onDone();
    });
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={title}
      description={description}
      width={width}
      dismissible={!busy}
      initialFocus={cancel}
      footer={
        <>
          <Button ref={cancel} onClick={onClose} disabled={busy}>
            Cancel
          </Button>
          <Button tone={tone} busy={busy} disabled={disabled} onClick={go}>
            {confirm}
          </Button>
        </>
      }
    >
      <div className="grid gap-3 text-pretty text-muted text-sm">
        {children}
        {error && (
          <Callout tone="danger" title={failed}>
            {error}
          </Callout>
        )}
      </div>
    </Dialog>
  );
}
