"use client";

import { type ComponentType, useEffect, useState } from "react";
import { flushSync } from "react-dom";
import type { DialogProps } from "./dialog-body";
import { NotLoaded } from "./not-loaded";

interface Shown {
  Body: ComponentType<DialogProps>;
  /** Counts how often it was opened. */
  opening: number;
  open: boolean;
}

/**
 * A modal dialog; on a phone a sheet from below. The focus moves in, stays inside and returns. Its code is loaded when
 * the first one opens. If that fails, a notice in its place says so, and the page below keeps what was typed.
 *
 * While a dialog is open, Base UI hides what was on the page before from assistive technology. Two dialogs that open in
 * one step would hide each other; so would one that opens again, while it still closes, over another dialog. Therefore
 * each dialog opens in a step of its own, after the one that asked before it, and each time as a new element.
 */
export function Dialog(props: DialogProps) {
  const { open } = props;
  const [shown, setShown] = useState<Shown>();
  const [notice, setNotice] = useState<"shown" | "closed">();
  if (!open && notice) setNotice(undefined);
  if (!open && shown?.open) setShown({ ...shown, open: false });
  useEffect(() => {
    if (!open || notice) return;
    let wanted = true;
    import("./dialog-body").then(
      ({ DialogBody }) => {
        if (!wanted) return;
        flushSync(() => setShown((before) => ({ Body: DialogBody, opening: (before?.opening ?? 0) + 1, open: true })));
      },
      () => wanted && setNotice("shown"),
    );
    return () => {
      wanted = false;
    };
  }, [open, notice]);
  const close = () => {
    setNotice("closed");
    props.onClose();
  };
  if (notice === "shown") return <NotLoaded onRetry={() => setNotice(undefined)} onClose={close} />;
  return shown ? <shown.Body {...props} key={shown.opening} open={open && shown.open} /> : null;
}
