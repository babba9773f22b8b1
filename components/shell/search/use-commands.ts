"use client";

import { ArrowRightLeft, Clock, Inbox, Keyboard, Lock, LockOpen, LogOut, SunMoon } from "lucide-react";
import { useNetwork } from "@/components/api/network-context";
import { keepTimes } from "@/components/shell/kept-times";
import { PAGES } from "@/components/shell/navigation";
import { useTimesInUtc } from "@/components/ui/times-in-utc";
import { useToast } from "@/components/ui/toast";
import { useSignOut } from "@/components/vault/use-sign-out";
import { useVault } from "@/components/vault/vault-provider";
import { SEARCH_ACTIONS } from "./actions";
import type { Item, ItemGroup } from "./item";
import { ranked } from "./rank";

/** Finds pages and actions by a typed text, which is not sent. */
export function useCommands(
  text: string,
  {
    go,
    inbox,
    switchTheme,
    help,
  }: { go: (href: string) => void; inbox: boolean; switchTheme: () => void; help: () => void },
): ItemGroup[] {
  const network = useNetwork();
  const vault = useVault();
  const toast = useToast();
  const signOut = useSignOut();
  const inUtc = useTimesInUtc();
  const other = network === "test" ? "live" : "test";
  const pages: Item[] = PAGES.map(({ name: label, path, keywords, icon }) => {
    return { id: `page ${label}`, label, keywords, icon, choose: () => go(`/${network}${path}`) };
  });
  const local: Item = {
    id: "inbox",
    label: "Open the local inbox",
    keywords: "email mail messages notifications",
    icon: Inbox,
    choose: () => go(`/${network}/inbox`),
  };
  const lock: Item = { id: "lock", label: "Lock amounts", keywords: "hide keys", icon: Lock, choose: vault.lock };
  const unlock: Item = {
    id: "unlock amounts",
    label: "Unlock amounts",
    keywords: "decrypt show",
    icon: LockOpen,
    choose: () => void vault.unlock().catch(() => {}),
  };
  const doable: Item[] = [
    ...SEARCH_ACTIONS.map(({ label, path, keywords, icon }) => {
      const href = path.startsWith("//") ? path.slice(1) : `/${network}${path}`;
      return { id: `do ${label}`, label, keywords, icon, choose: () => go(href) };
    }),
    ...(inbox ? [local] : []),
    // After a reload payments can be read: there is something to lock and something to unlock.
    ...(vault.reads ? [lock] : []),
    ...(vault.status === "unlocked" ? [] : [unlock]),
    {
      id: "network",
      label: `Switch to ${other}`,
      keywords: "network test live",
      icon: ArrowRightLeft,
      choose: () => go(`/${other}`),
    },
    {
      id: "utc",
      label: inUtc ? "Show times in your time zone" : "Show times in UTC",
      keywords: "utc time zone clock",
      icon: Clock,
      choose: () => keepTimes(!inUtc),
    },
    { id: "theme", label: "Switch between light and dark", keywords: "theme", icon: SunMoon, choose: switchTheme },
    { id: "keys", label: "Keyboard shortcuts", keywords: "help keys ?", icon: Keyboard, choose: help },
    {
      id: "sign out",
      label: "Sign out",
      keywords: "log out leave end session",
      icon: LogOut,
      choose: () => void signOut().catch(toast.failure),
    },
  ];
  // Rank pages and actions together, so that a match by name comes before a match by keyword.
  if (text.trim() !== "") return [{ value: "Pages and actions", items: ranked([...pages, ...doable], text) }];
  return [
    { value: "Go to", items: pages },
    { value: "Do", items: doable },
  ];
}
