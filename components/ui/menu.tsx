"use client";

import { type ComponentType, cloneElement, useEffect, useState } from "react";
import type { MenuProps } from "./menu-body";
import { NotLoaded } from "./not-loaded";

let loaded: ComponentType<MenuProps> | undefined;

/** A menu of actions behind a button. Its code is loaded when the first one opens; meanwhile the button stays. */
export function Menu(props: MenuProps) {
  const [state, setState] = useState<"unused" | "loading" | "failed" | "ready">("unused");
  useEffect(() => {
    if (state !== "loading") return;
    let wanted = true;
    import("./menu-body").then(
      ({ MenuBody }) => {
        loaded = MenuBody;
        if (wanted) setState("ready");
      },
      () => wanted && setState("failed"),
    );
    return () => {
      wanted = false;
    };
  }, [state]);
  const Body = loaded;
  if (state === "ready" && Body) return <Body {...props} />;
  const show = () => setState(Body ? "ready" : "loading");
  const attributes = { "data-early": true, "aria-haspopup": "menu", onClick: show };
  return (
    <>
      {cloneElement(props.trigger, attributes as Partial<unknown>)}
      {state === "failed" && <NotLoaded onRetry={() => setState("loading")} onClose={() => setState("unused")} />}
    </>
  );
}
