"use client";

import { ChevronDown, CircleUserRound, LogOut, Settings, SunMoon } from "lucide-react";
import { shortened } from "@/components/ui/address";
import { buttonClass } from "@/components/ui/button";
import { Menu } from "@/components/ui/menu";
import { useToast } from "@/components/ui/toast";
import { useSignOut } from "@/components/vault/use-sign-out";
import type { Network } from "@/lib/base/network";
import { useGo } from "./page-transition";
import { useSwitchTheme } from "./use-switch-theme";

/** Shows who is signed in, with the actions that apply on every page. */
export function AccountMenu({
  handle,
  address,
  network,
  setTheme,
}: {
  handle: string | null;
  address: string;
  network: Network;
  /** Stores the form's `theme` for this browser. */
  setTheme: (form: FormData) => Promise<void>;
}) {
  const go = useGo();
  const toast = useToast();
  const signOut = useSignOut();
  const switchTheme = useSwitchTheme(setTheme);
  return (
    <Menu
      trigger={
        <button
          type="button"
          data-early
          className={buttonClass("ghost", "small", "-mr-1.5 min-w-0 shrink! sm:max-w-40")}
        >
          {/* On a phone there is room for two of its letters. The menu shows all of it. */}
          <CircleUserRound size={18} aria-hidden="true" className="shrink-0 sm:hidden" />
          <span className="truncate max-sm:sr-only">{handle ?? shortened(address)}</span>
          <ChevronDown size={14} aria-hidden="true" className="shrink-0" />
        </button>
      }
      head={
        <>
          <p className="font-medium">{handle ?? "No account yet"}</p>
          <p className="font-mono text-muted text-xs">{shortened(address)}</p>
        </>
      }
      actions={[
        {
          label: "Settings",
          icon: <Settings size={15} aria-hidden="true" />,
          onSelect: () => go(`/${network}/settings`),
        },
        {
          label: "Light or dark",
          icon: <SunMoon size={15} aria-hidden="true" />,
          onSelect: switchTheme,
        },
        {
          label: "Sign out",
          icon: <LogOut size={15} aria-hidden="true" />,
          onSelect: () => signOut().catch(toast.failure),
        },
      ]}
    />
  );
}
