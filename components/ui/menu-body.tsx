"use client";

import { Menu as Base } from "@base-ui/react/menu";
import type { ReactElement, ReactNode } from "react";
import { classNames } from "./class-names";

/** An action of a menu. */
export interface MenuAction {
  label: ReactNode;
  onSelect: () => void;
  icon?: ReactNode;
  danger?: boolean;
  disabled?: boolean;
}

export interface MenuProps {
  /** The button that opens the menu. */
  trigger: ReactElement;
  actions: MenuAction[];
  /** Shown above the actions. */
  head?: ReactNode;
}

/** What `Menu` renders once it is first used. Opens at once. */
export function MenuBody({ trigger, actions, head }: MenuProps) {
  return (
    <Base.Root defaultOpen>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        {/* Above messages: that of the last action appears where the menus of the last rows open. */}
        <Base.Positioner align="end" sideOffset={6} className="z-70">
          <Base.Popup className="min-w-48 rounded-xl border border-line bg-raised p-1 shadow-overlay outline-none transition-opacity duration-100 data-ending-style:opacity-0 data-starting-style:opacity-0">
            {head && <div className="mb-1 border-line border-b px-2.5 py-2 text-sm">{head}</div>}
            {actions.map(({ label, onSelect, icon, danger, disabled }, index) => (
              <Base.Item
                key={typeof label === "string" ? label : index}
                onClick={onSelect}
                disabled={disabled}
                className={classNames(
                  "flex cursor-default select-none items-center gap-2.5 rounded-md px-2.5 py-1.5 text-sm outline-none pointer-coarse:py-3",
                  "data-disabled:opacity-50 data-highlighted:bg-sunken",
                  danger ? "text-danger" : "text-ink",
                )}
              >
                {icon}
                {label}
              </Base.Item>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
