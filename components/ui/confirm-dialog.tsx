"use client";

import { type ReactNode, useRef } from "react";
import { Button } from "./button";
import { Dialog } from "./dialog";
import { ErrorCallout } from "./error-callout";
import { useAsyncAction } from "./use-async-action";

/**
 * Asks before something that can't be undone. Both buttons say what they do. The focus starts on the one that changes nothing. Stays open while `onConfirm` runs, and shows
 * its error.
 */
export function ConfirmDialog({
  open,
  onClose,
  title,
  description,
  children,
  keep,
  confirm,
  tone = "danger",
  width = "small",
  disabled = false,
  failed,
  unknown,
  onConfirm,
  onDone = onClose,
}: {
  open: boolean;
  onClose: () => void;
  title: ReactNode;
  description?: ReactNode;
  children?: ReactNode;
  /** The label of the button that changes nothing, such as "Keep key". */
  keep: string;
  /** The label of the button that does it, such as "Revoke key". */
  confirm: string;
  tone?: "danger" | "primary";
  width?: "small" | "medium";
  /** Set while the subject of the question is unknown or not agreed to. */
  disabled?: boolean;
  /** The title of the error, unless it is not known whether it was done. */
  failed?: string;
  /** What to say while it is not known whether it was done, if there is more to say than of others. */
  unknown?: string;
  onConfirm: () => Promise<unknown>;
  /** Called after `onConfirm` succeeded; by default closes the dialog. */
  onDone?: () => void;
}) {
  const back = useRef<HTMLButtonElement>(null);
  const { busy, error, isUnknown, run } = useAsyncAction();
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
      initialFocus={back}
      footer={
        <>
          <Button ref={back} onClick={onClose} disabled={busy}>
            {keep}
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
          <ErrorCallout isUnknown={isUnknown} failed={failed}>
            {(isUnknown && unknown) || error}
          </ErrorCallout>
        )}
      </div>
    </Dialog>
  );
}
