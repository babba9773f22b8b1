"use client";

import { Dialog } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import type { Network } from "@/lib/base/network";
import { ICON_BUTTON } from "./icon-button";
import { Logo } from "./logo";
import { NavLinks } from "./nav-links";

/** The navigation as a drawer from the left, over the page. */
export function NavigationDrawer({
  network,
  pending,
  open,
  onClose,
}: {
  network: Network;
  pending: number;
  open: boolean;
  onClose: () => void;
}) {
  return (
    <Dialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-scrim transition-opacity duration-150 data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Dialog.Popup className="fixed inset-y-0 left-0 z-50 flex w-72 max-w-[85vw] flex-col gap-6 overflow-y-auto border-line border-r bg-paper px-3 py-4 shadow-overlay transition-transform duration-150 data-ending-style:-translate-x-full data-starting-style:-translate-x-full">
          <div className="flex items-center justify-between pl-2.5">
            <Dialog.Title>
              <Logo />
            </Dialog.Title>
            <Dialog.Close aria-label="Close navigation" className={ICON_BUTTON}>
              <X size={18} aria-hidden="true" />
            </Dialog.Close>
          </div>
          <NavLinks network={network} pending={pending} onNavigate={onClose} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
