"use client";

import { Autocomplete } from "@base-ui/react/autocomplete";
import { Dialog } from "@base-ui/react/dialog";
import { Search, X } from "lucide-react";
import { useEffect, useState } from "react";
import { ICON_BUTTON } from "@/components/shell/icon-button";
import { useGo } from "@/components/shell/page-transition";
import type { Item, ItemGroup } from "./item";
import { useCommands } from "./use-commands";
import { useFound } from "./use-found";
import { useNames } from "./use-names";

interface PaletteProps {
  open: boolean;
  /** Whether email goes to a page of the local stack. */
  inbox: boolean;
  onClose: () => void;
  /** Called with whether it is on screen. The same function each time. */
  onScreen: (is: boolean) => void;
  switchTheme: () => void;
  /** Shows the keyboard shortcuts. */
  help: () => void;
}

/** Finds pages, actions, people, ids and payments by a few letters. Arrows and Enter choose. */
export function Palette(props: PaletteProps) {
  const { open, onClose } = props;
  return (
    <Dialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-scrim" />
        <Dialog.Popup className="fixed inset-x-3 top-3 z-50 mx-auto max-w-xl overflow-hidden rounded-2xl border border-line bg-raised shadow-overlay sm:top-[10vh]">
          <Dialog.Title className="sr-only">Search and commands</Dialog.Title>
          <Contents {...props} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** Mounted only while the palette is open, so that the typed text is gone afterwards. */
function Contents({ onClose, onScreen, ...rest }: PaletteProps) {
  const [text, setText] = useState("");
  useEffect(() => {
    onScreen(true);
    return () => onScreen(false);
  }, [onScreen]);
  const goTo = useGo();
  const go = (href: string) => goTo(href);
  const commands = useCommands(text, { ...rest, go });
  const names = useNames(text, go);
  const isNamed = names.some(({ items }) => items.some(({ label }) => label === text.trim()));
  const { groups: found, status } = useFound(text, go, isNamed);
  // Exact matches of an id or reference come first, then pages and actions, then the rest.
  const isExact = found[0]?.value === "Found" || found[0]?.value.startsWith("Reference ");
  const groups = (isExact ? [...found, ...commands, ...names] : [...commands, ...names, ...found]).filter(
    ({ items }) => items.length > 0,
  );
  const choose = (item: Item) => {
    if (!item.stays) onClose();
    item.choose();
  };
  const nothing = groups.length === 0 && status === undefined ? "No results." : undefined;
  return (
    <Autocomplete.Root
      open
      inline
      mode="none"
      items={groups}
      value={text}
      onValueChange={(value, { reason }) => reason !== "item-press" && setText(value)}
      autoHighlight="always"
      keepHighlight
      itemToStringValue={({ label }: Item) => label}
    >
      <div className="flex items-center gap-2.5 border-line border-b pr-1.5 pl-4">
        <Search size={16} aria-hidden="true" className="shrink-0 text-muted" />
        <Autocomplete.Input
          aria-label="Search and commands"
          placeholder="Search, go to a page, or run a command"
          autoComplete="off"
          spellCheck={false}
          className="h-12 w-full min-w-0 bg-transparent text-base outline-none placeholder:text-faint sm:text-sm"
        />
        <Dialog.Close aria-label="Close search" className={ICON_BUTTON}>
          <X size={16} aria-hidden="true" />
        </Dialog.Close>
      </div>
      <Autocomplete.List className="max-h-[min(26rem,calc(100dvh-12rem))] overflow-y-auto p-1.5 empty:p-0">
        {(group: ItemGroup) => (
          <Autocomplete.Group key={group.value} items={group.items} className="pb-1">
            <Autocomplete.GroupLabel className="px-2.5 pt-2 pb-1 font-medium text-muted text-xs">
              {group.value}
            </Autocomplete.GroupLabel>
            <Autocomplete.Collection>
              {(item: Item) => <Row key={item.id} item={item} onChoose={() => choose(item)} />}
            </Autocomplete.Collection>
          </Autocomplete.Group>
        )}
      </Autocomplete.List>
      <p role="status" className="px-4 py-5 text-center text-muted text-sm empty:hidden">
        {status ?? nothing}
      </p>
      <p className="border-line border-t px-4 py-2.5 text-pretty text-muted text-xs">
        Names, memos and amounts are searched in this browser. Only a complete id is looked up as you type.
      </p>
    </Autocomplete.Root>
  );
}

function Row({ item, onChoose }: { item: Item; onChoose: () => void }) {
  const { icon: Icon, label, detail } = item;
  return (
    <Autocomplete.Item
      value={item}
      onClick={onChoose}
      className="flex h-9 cursor-default items-center gap-2.5 rounded-md px-2.5 text-sm outline-none data-highlighted:bg-sunken pointer-coarse:h-11"
    >
      <Icon size={15} aria-hidden="true" className="shrink-0 text-muted" />
      <span className="min-w-0 truncate">{label}</span>
      {detail && <span className="ml-auto max-w-2/5 shrink-0 truncate text-muted text-xs">{detail}</span>}
    </Autocomplete.Item>
  );
}
