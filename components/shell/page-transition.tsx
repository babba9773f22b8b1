"use client";

import { useRouter } from "next/navigation";
import { createContext, type ReactNode, useCallback, useContext, useMemo, useTransition } from "react";
import { SkeletonPage } from "@/components/ui/skeleton";
import { leaveFor } from "./leaving";

interface Transition {
  pending: boolean;
  go(href: string): void;
}

const TransitionContext = createContext<Transition>({ pending: false, go: () => {} });

/** Lets links below it go to a page with {@link useGo}, and {@link Page} show that one is on its way. */
export function PageTransition({ children }: { children: ReactNode }) {
  const router = useRouter();
  const [pending, start] = useTransition();
  const go = useCallback((href: string) => leaveFor(href, () => start(() => router.push(href))), [router]);
  const transition = useMemo(() => ({ pending, go }), [pending, go]);
  return <TransitionContext value={transition}>{children}</TransitionContext>;
}

/** Goes to a page of the dashboard at once; its place shows until it is there. */
export function useGo(): (href: string) => void {
  return useContext(TransitionContext).go;
}

/**
 * The page, or its place while the next one is fetched. Not Next's `loading.tsx`: that leaves a script to put the content
 * of a first load in, and pages shall be whole without JavaScript.
 */
export function Page({ children }: { children: ReactNode }) {
  const { pending } = useContext(TransitionContext);
  return (
    <>
      {pending && (
        <div className="motion-safe:animate-appear">
          <SkeletonPage />
        </div>
      )}
      <div hidden={pending}>{children}</div>
    </>
  );
}
