"use client";

import { usePathname, useRouter } from "next/navigation";
import { createContext, type ReactNode, useCallback, useContext, useMemo, useState, useTransition } from "react";
import { forgetTyped } from "@/components/money/typed-elsewhere";
import { leaveFor } from "@/components/ui/leaving";
import { NavigateContext } from "@/components/ui/navigate";
import { type PageShape, SkeletonPage } from "@/components/ui/skeleton";
import { NAVIGATION } from "./navigation";

interface Transition {
  /** The address of the page being loaded, or null. */
  to: string | null;
  go(href: string): void;
}

const TransitionContext = createContext<Transition>({ to: null, go: () => {} });

/** Lets the links below navigate with {@link useGo}, and lets {@link Page} show that a page is loading. */
export function PageTransition({ children }: { children: ReactNode }) {
  const router = useRouter();
  const [pending, start] = useTransition();
  const [to, setTo] = useState("");
  const go = useCallback(
    (href: string) => {
      // Its form never opened, and no other may show the amount.
      forgetTyped();
      leaveFor(href, () => {
        setTo(href);
        start(() => router.push(href));
      });
    },
    [router],
  );
  const transition = useMemo(() => ({ to: pending ? to : null, go }), [pending, to, go]);
  return (
    <TransitionContext value={transition}>
      <NavigateContext value={go}>{children}</NavigateContext>
    </TransitionContext>
  );
}

/** Returns a function that opens a page of the dashboard. A skeleton shows at once until the page arrives. */
export function useGo(): (href: string) => void {
  return useContext(TransitionContext).go;
}

/** Returns the path of the page being loaded, otherwise of the current page. */
export function useWhere(): string {
  const here = usePathname();
  return useContext(TransitionContext).to?.replace(/[?#].*/, "") ?? here;
}

/** Returns the title of the page at an address, if it is in the navigation. */
function titleOf(href: string): string | undefined {
  const path = href.replace(/[?#].*/, "").replace(/^\/[a-z]+/, "");
  return NAVIGATION.flatMap(({ pages }) => pages).find((page) => page.path === path)?.name;
}

/** Returns the rough shape of the page at an address, for its skeleton. */
function shapeOf(href: string): PageShape {
  const [, , ...rest] = href.replace(/[?#].*/, "").split("/");
  if (rest.join("") === "") return "overview";
  if (rest[0] === "balances") return "balances";
  const [first] = rest;
  const last = rest.at(-1) ?? "";
  const isForm = first === "statements" || (first === "settings" && last !== "audit-log");
  return isForm || last === "new" || last === "policy" || /^[a-z]+_/.test(last) ? "cards" : "list";
}

/**
 * Shows the page, or a skeleton while the next one is fetched. Next's `loading.tsx` is no alternative: it inserts the
 * content of a first load with a script, but pages must be complete without JavaScript.
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
