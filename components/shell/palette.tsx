"use client";

import { Autocomplete } from "@base-ui/react/autocomplete";
import { Dialog } from "@base-ui/react/dialog";
import { ArrowRight, Search } from "lucide-react";
import type { Network } from "@/lib/network";
import { NAVIGATION } from "./navigation";
import { useGo } from "./page-transition";

interface Command {
  label: string;
  path: string;
  keywords: string;
}

/** What can be done from anywhere; each opens the page with its form. */
const ACTIONS: Command[] = [
  { label: "Send a payment", path: "?do=send", keywords: "pay transfer" },
  { label: "Make money available", path: "?do=allocate", keywords: "allocate budget received deposited" },
  { label: "Withdraw to an address", path: "?do=withdraw", keywords: "release public" },
  { label: "Create an API key", path: "/developers/keys?do=create", keywords: "token secret" },
  { label: "Create an agent", path: "/agents/new", keywords: "bot policy" },
  { label: "Turn Guard on or off", path: "/settings/security#guard", keywords: "policies agents wallet" },
  { label: "Add a webhook", path: "/developers/webhooks?do=create", keywords: "endpoint" },
];

const COMMANDS: Command[] = [
  ...NAVIGATION.flatMap(({ pages }) => pages.map(({ name, path, keywords = "" }) => ({ label: name, path, keywords }))),
  ...ACTIONS,
];

/** Finds a place or an action by a few letters; arrows and Enter choose. */
export function Palette({ network, open, onClose }: { network: Network; open: boolean; onClose: () => void }) {
  const goTo = useGo();
  const go = ({ path }: Command) => {
    onClose();
    goTo(`/${network}${path}`);
  };
  return (
    <Dialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-scrim" />
        <Dialog.Popup className="fixed inset-x-4 top-[10vh] z-50 mx-auto max-w-lg overflow-hidden rounded-2xl border border-line bg-raised shadow-overlay">
          <Dialog.Title className="sr-only">Go to or do</Dialog.Title>
          <Autocomplete.Root
            open
            inline
            items={COMMANDS}
            autoHighlight="always"
            keepHighlight
            itemToStringValue={(command: Command) => `${command.label} ${command.keywords}`}
          >
            <div className="flex items-center gap-2.5 border-line border-b px-4">
              <Search size={16} aria-hidden="true" className="text-muted" />
              <Autocomplete.Input
                aria-label="Go to or do"
                placeholder="Where to?"
                className="h-12 w-full bg-transparent text-base outline-none placeholder:text-faint sm:text-sm"
              />
            </div>
            <Autocomplete.Empty className="px-4 py-6 text-center text-muted text-sm empty:hidden">
              Nothing is called that.
            </Autocomplete.Empty>
            <Autocomplete.List className="max-h-80 overflow-y-auto p-1.5 empty:p-0">
              {(command: Command) => (
                <Autocomplete.Item
                  key={command.label}
                  value={command}
                  onClick={() => go(command)}
                  className="flex h-9 cursor-default items-center justify-between rounded-md px-2.5 text-sm outline-none data-highlighted:bg-sunken pointer-coarse:h-11"
                >
                  {command.label}
                  <ArrowRight size={14} aria-hidden="true" className="text-faint" />
                </Autocomplete.Item>
              )}
            </Autocomplete.List>
          </Autocomplete.Root>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
