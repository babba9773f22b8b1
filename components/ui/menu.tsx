"use client";

import dynamic from "next/dynamic";
import { cloneElement, createContext, type ReactElement, useContext, useState } from "react";
import type { MenuProps } from "./menu-body";

const TriggerContext = createContext<ReactElement | null>(null);

/** Holds the button's place while the menu's code arrives. */
function Waiting() {
  return useContext(TriggerContext);
}

const MenuBody = dynamic(() => import("./menu-body").then((module) => module.MenuBody), {
  ssr: false,
  loading: Waiting,
});

/** A menu of actions behind a button. Its code is loaded when the first one is opened. */
export function Menu(props: MenuProps) {
  const [used, setUsed] = useState(false);
  const { trigger } = props;
  if (!used) {
    const attributes = { "aria-haspopup": "menu", onClick: () => setUsed(true) };
    return cloneElement(trigger, attributes as Partial<unknown>);
  }
  return (
    <TriggerContext value={trigger}>
      <MenuBody {...props} />
    </TriggerContext>
  );
}
