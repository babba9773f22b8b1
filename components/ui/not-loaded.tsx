"use client";

import { X } from "lucide-react";
import { createPortal } from "react-dom";
import { Button } from "./button";

/**
 * Says, over the page, that code which the page loads on demand did not come: the connection is gone, or the product
 * was updated and the code of the page's version with it. The page stays, with everything typed on it.
 */
export function NotLoaded({
  onRetry,
  onClose,
}: {
  onRetry: () => void;
  /** Left out if what is missing is always there, such as a notice about money. */
  onClose?: (() => void) | undefined;
}) {
  // Not in its place: a blurred bar would keep it inside.
  return createPortal(
    <div
      role="alert"
      className="fixed inset-x-4 bottom-4 z-60 mx-auto flex max-w-lg gap-3 rounded-xl border border-line-strong bg-raised p-4 text-left font-normal text-ink text-sm shadow-overlay"
    >
      <div className="min-w-0 flex-1">
        <p className="font-medium">This part of the page could not be loaded.</p>
        <p className="mt-1 text-pretty text-muted">
          Check your connection and try again. If Halcyon was updated meanwhile, only loading the page again helps:
          first copy what you typed and want to keep.
        </p>
        <div className="mt-3 flex flex-wrap gap-2">
          <Button tone="primary" size="small" onClick={onRetry}>
            Try again
          </Button>
          <Button size="small" onClick={() => location.reload()}>
            Load the page again
          </Button>
        </div>
      </div>
      {onClose && (
        <button
          type="button"
          aria-label="Close"
          onClick={onClose}
          className="-mt-1 -mr-1.5 grid size-8 shrink-0 place-items-center rounded-md text-muted hover:bg-sunken hover:text-ink pointer-coarse:size-11"
        >
          <X size={16} aria-hidden="true" />
        </button>
      )}
    </div>,
    document.body,
  );
}
