"use client";

import { type ComponentType, useEffect, useState } from "react";
import { NotLoaded } from "./not-loaded";

/** Code that is loaded once for all uses. */
interface Code<P> {
  load: () => Promise<ComponentType<P>>;
  loaded?: ComponentType<P>;
}

interface Closable {
  /** Whether it is wanted now; true if the component has no such property. */
  open?: boolean;
  onClose?: () => void;
}

function OnDemand<P extends object>({ code, props }: { code: Code<P>; props: P }) {
  const { open = true, onClose } = props as Closable;
  const [Loaded, setLoaded] = useState(() => code.loaded);
  const [state, setState] = useState<"loading" | "failed" | "closed">("loading");
  if (!open && state !== "loading") setState("loading");
  const isWanted = open && !Loaded && state === "loading";
  useEffect(() => {
    if (!isWanted) return;
    let wanted = true;
    code.load().then(
      (component) => {
        code.loaded = component;
        if (wanted) setLoaded(() => component);
      },
      () => wanted && setState("failed"),
    );
    return () => {
      wanted = false;
    };
  }, [code, isWanted]);
  if (Loaded) return <Loaded {...props} />;
  if (state !== "failed") return null;
  const close =
    onClose &&
    (() => {
      setState("closed");
      onClose();
    });
  return <NotLoaded onRetry={() => setState("loading")} onClose={close} />;
}

/**
 * Returns a component whose code is loaded when it is first shown, in the browser only. Until then it shows nothing. If
 * the code can't be loaded, a notice over the page says so and offers to try again. `dynamic` of Next would replace the
 * whole page with the error page instead, and what was typed on it would be lost.
 *
 * @param load imports the component
 */
export function onDemand<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  const code: Code<P> = { load };
  return (props: P) => <OnDemand code={code} props={props} />;
}
