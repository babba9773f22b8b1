"use client";

import { Menu as MenuIcon } from "lucide-react";
import { useState } from "react";
import { onDemand } from "@/components/ui/on-demand";
import type { Network } from "@/lib/base/network";
import { ICON_BUTTON } from "./icon-button";
import { PendingDot } from "./nav-links";

const Drawer = onDemand(() => import("./navigation-drawer").then((module) => module.NavigationDrawer));

/** The navigation on narrow screens: a drawer that closes when a page is chosen. Loaded when it first opens. */
export function MobileNavigation({ network, pending }: { network: Network; pending: number }) {
  const [used, setUsed] = useState(false);
  const [open, setOpen] = useState(false);
  const show = () => {
    setUsed(true);
    setOpen(true);
  };
  return (
    <>
      <button
        type="button"
        data-early
        aria-label="Open navigation"
        aria-haspopup="dialog"
        onClick={show}
        className={`${ICON_BUTTON} relative -ml-2 lg:hidden`}
      >
        <MenuIcon size={18} aria-hidden="true" />
        <PendingDot initial={pending} />
      </button>
      {used && <Drawer network={network} pending={pending} open={open} onClose={() => setOpen(false)} />}
    </>
  );
}
