"use client";

import { usePathname, useRouter } from "next/navigation";
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useState,
  useTransition,
} from "react";
import { askServiceNow, DOUBT_MS, doubtService } from "@/components/api/service-watch";
import { useServiceSilent } from "@/components/api/use-service-silent";
import { forgetTyped } from "@/components/money/typed-elsewhere";
import { leaveFor } from "@/components/ui/leaving";
import { NavigateContext } from "@/components/ui/navigate";
import { type PageShape, SkeletonPage } from "@/components/ui/skeleton-page";
import { PAGES } from "./navigation";

/** How long a page may take before the one that was left is shown again, in milliseconds. */
const LATE_MS = 4_500;

interface Transition {
  /** Asks for the page being loaded again. */
  again(href: string): void;
  /** The address of the page being loaded, or null. */
  to: string | null;
  /** Whether it takes so long that the page that was left is shown meanwhile. */
  late: boolean;
  go(href: string): void;
}

const TransitionContext = createContext<Transition>({ to: null, late: false, go: () => {}, again: () => {} });

/** Returns whether the page being loaded, if any, is late. */
function useLate(pending: boolean): boolean {
  const [late, setLate] = useState(false);
  const silent = useServiceSilent();
  useEffect(() => {
    if (!pending) return;
    const timers = [setTimeout(() => void doubtService(), DOUBT_MS), setTimeout(() => setLate(true), LATE_MS)];
    return () => {
      for (const timer of timers) clearTimeout(timer);
      setLate(false);
      // It has arrived, perhaps: the next time the service is asked may be seconds away.
      askServiceNow();
    };
  }, [pending]);
  return pending && (late || silent);
}

/**
 * Asks for a page that does not come: first by the router, then by loading it in full. Next.js loads a page that failed
 * as a render in full by itself, but of one address only once in a row, and then waits for it for ever.
 */
export function askingAgain(ask: (href: string) => void, load: (href: string) => void) {
  let asked: string | null = null;
  return {
    /** A page was chosen. */
    chosen() {
      asked = null;
    },
    again(href: string) {
      if (asked === href) return load(href);
      asked = href;
      ask(href);
    },
  };
}

/** Lets the links below navigate with {@link useGo}, and lets {@link Page} show that a page is loading. */
export function PageTransition({ children }: { children: ReactNode }) {
  const router = useRouter();
  const [pending, start] = useTransition();
  const [to, setTo] = useState("");
  const open = useCallback(
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
  const { chosen, again } = useMemo(() => askingAgain(open, (href) => location.assign(href)), [open]);
  const go = useCallback(
    (href: string) => {
      chosen();
      open(href);
    },
    [chosen, open],
  );
  const late = useLate(pending);
  const transition = useMemo(() => ({ to: pending ? to : null, late, go, again }), [pending, to, late, go, again]);
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
  const { to, late } = useContext(TransitionContext);
  return (late ? null : to?.replace(/[?#].*/, "")) ?? here;
}

/** The page being loaded. */
interface ComingPage {
  href: string;
  /** Its name, if it is in the navigation. */
  name: string | undefined;
  late: boolean;
  /** Asks for it again. */
  again(): void;
}

/** Returns the page being loaded, if there is one. */
export function useComingPage(): ComingPage | null {
  const { to, late, again } = useContext(TransitionContext);
  return to === null ? null : { href: to, name: titleOf(to), late, again: () => again(to) };
}

/** Returns the title of the page at an address, if it is in the navigation. */
function titleOf(href: string): string | undefined {
  const path = href.replace(/[?#].*/, "").replace(/^\/[a-z]+/, "");
  return PAGES.find((page) => page.path === path)?.name;
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
 * Shows the page, or a skeleton while the next one is fetched, unless that takes long. Next's `loading.tsx` is no alternative: it inserts the
 * content of a first load with a script, but pages must be complete without JavaScript.
 */
export function Page({ children }: { children: ReactNode }) {
  const { to, late } = useContext(TransitionContext);
  const waits = to !== null && !late;
  return (
    <>
      {waits && (
        <div className="motion-safe:animate-appear">
          <SkeletonPage shape={shapeOf(to)} title={titleOf(to)} />
        </div>
      )}
      <div hidden={waits}>{children}</div>
    </>
  );
}
