"use client";

import { Dialog } from "@base-ui/react/dialog";
import { Menu as MenuIcon, X } from "lucide-react";
import { useState } from "react";
import type { Network } from "@/lib/network";
import { Logo } from "./logo";
import { NavLinks } from "./nav-links";

const ICON_BUTTON =
  "grid size-9 place-items-center rounded-md text-muted hover:bg-sunken hover:text-ink pointer-coarse:size-11";

/** The navigation on narrow screens: a drawer that closes when a page was chosen. */
export function MobileNavigation({ network, pending }: { network: Network; pending: number }) {
  const [open, setOpen] = useState(false);
  return (
    <Dialog.Root open={open} onOpenChange={(next) => setOpen(next)}>
      <Dialog.Trigger aria-label="Open navigation" className={`${ICON_BUTTON} -ml-2 lg:hidden`}>
        <MenuIcon size={18} aria-hidden="true" />
      </Dialog.Trigger>
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
          <NavLinks network={network} pending={pending} onNavigate={() => setOpen(false)} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
