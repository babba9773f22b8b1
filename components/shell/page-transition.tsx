"use client";

import { usePathname, useRouter } from "next/navigation";
import { createContext, type ReactNode, useCallback, useContext, useMemo, useState, useTransition } from "react";
import { leaveFor } from "@/components/ui/leaving";
import { type PageShape, SkeletonPage } from "@/components/ui/skeleton";
import { NAVIGATION } from "./navigation";

interface Transition {
  /** The address of the page on its way; null while none is. */
  to: string | null;
  go(href: string): void;
}

const TransitionContext = createContext<Transition>({ to: null, go: () => {} });

/** Lets links below it go to a page with {@link useGo}, and {@link Page} show that one is on its way. */
export function PageTransition({ children }: { children: ReactNode }) {
  const router = useRouter();
  const [pending, start] = useTransition();
  const [to, setTo] = useState("");
  const go = useCallback(
    (href: string) =>
      leaveFor(href, () => {
        setTo(href);
        start(() => router.push(href));
      }),
    [router],
  );
  const transition = useMemo(() => ({ to: pending ? to : null, go }), [pending, to, go]);
  return <TransitionContext value={transition}>{children}</TransitionContext>;
}

/** Goes to a page of the dashboard at once; its place shows until it is there. */
export function useGo(): (href: string) => void {
  return useContext(TransitionContext).go;
}

/** The path of the page on its way, else of the one on screen. */
export function useWhere(): string {
  const here = usePathname();
  return useContext(TransitionContext).to?.replace(/[?#].*/, "") ?? here;
}

/** What the page at an address is called, if it is a place of the navigation. */
function titleOf(href: string): string | undefined {
  const path = href.replace(/[?#].*/, "").replace(/^\/[a-z]+/, "");
  return NAVIGATION.flatMap(({ pages }) => pages).find((page) => page.path === path)?.name;
}

/** What the page at an address is made of, roughly. */
function shapeOf(href: string): PageShape {
  const [, , ...rest] = href.replace(/[?#].*/, "").split("/");
  if (rest.join("") === "") return "overview";
  if (rest[0] === "balances") return "balances";
  const isForm = rest[0] === "settings" && rest[1] !== "audit-log";
  return isForm || rest.at(-1) === "new" || /^[a-z]+_/.test(rest.at(-1) ?? "") ? "cards" : "list";
}

/**
 * The page, or its place while the next one is fetched. Not Next's `loading.tsx`: that leaves a script to put the
 * content of a first load in, and pages must be whole without JavaScript.
 */
export function Page({ children }: { children: ReactNode }) {
  const { to } = useContext(TransitionContext);
  return (
    <>
      {to !== null && (
        <div className="motion-safe:animate-appear">
          <SkeletonPage shape={shapeOf(to)} title={titleOf(to)} />
        </div>
      )}
      <div hidden={to !== null}>{children}</div>
    </>
  );
}
