"use client";

import { Dialog as Base } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import { type ReactNode, type RefObject, useRef } from "react";
import { classNames } from "./class-names";

const WIDTHS = { small: "sm:max-w-sm", medium: "sm:max-w-lg", large: "sm:max-w-2xl" };

export interface DialogProps {
  open: boolean;
  /** Called for Escape, the close button and a click outside. */
  onClose: () => void;
  title: ReactNode;
  description?: ReactNode;
  children?: ReactNode;
  footer?: ReactNode;
  width?: keyof typeof WIDTHS;
  /** False while work is running that must not be interrupted by accident. */
  dismissible?: boolean;
  initialFocus?: RefObject<HTMLElement | null>;
}

/** The content of `Dialog`, which needs Base UI. */
export function DialogBody({
  open,
  onClose,
  title,
  description,
  children,
  footer,
  width = "medium",
  dismissible = true,
  initialFocus,
}: DialogProps) {
  const popup = useRef<HTMLDivElement>(null);
  return (
    <Base.Root open={open} onOpenChange={(next) => !next && dismissible && onClose()}>
      <Base.Portal>
        {/* The same z-index as the dialogs, so that a second dialog's backdrop covers the first dialog. */}
        <Base.Backdrop className="fixed inset-0 z-50 bg-scrim transition-opacity duration-150 data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Base.Popup
          ref={popup}
          // A disabled control can't have the focus, and without it the keys would still go to the page below.
          initialFocus={
            initialFocus && (() => (initialFocus.current?.matches(":disabled") ? popup : initialFocus).current)
          }
          className={classNames(
            "fixed inset-x-0 bottom-0 z-50 flex max-h-[92dvh] flex-col overflow-clip rounded-t-2xl border border-line bg-raised shadow-overlay outline-none",
            "transition-[transform,opacity] duration-150 data-ending-style:translate-y-4 data-starting-style:translate-y-4 data-ending-style:opacity-0 data-starting-style:opacity-0",
            "sm:inset-x-auto sm:top-[12vh] sm:bottom-auto sm:left-1/2 sm:max-h-[78vh] sm:w-full sm:-translate-x-1/2 sm:rounded-2xl",
            WIDTHS[width],
          )}
        >
          <header className="flex items-start justify-between gap-4 px-5 pt-5">
            <div className="min-w-0">
              <Base.Title className="font-semibold text-base">{title}</Base.Title>
              {description && (
                <Base.Description className="mt-1 text-pretty text-muted text-sm">{description}</Base.Description>
              )}
            </div>
            {dismissible && (
              <Base.Close
                aria-label="Close"
                className="-mt-1 -mr-1.5 grid size-8 shrink-0 place-items-center rounded-md text-muted hover:bg-sunken hover:text-ink pointer-coarse:size-11"
              >
                <X size={16} aria-hidden="true" />
              </Base.Close>
            )}
          </header>
          <div className="min-h-0 flex-1 overflow-y-auto px-5 py-4">{children}</div>
          {footer && (
            <footer className="flex flex-wrap justify-end gap-2 border-line border-t px-5 py-3.5">{footer}</footer>
          )}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
