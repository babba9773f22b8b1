"use client";

import { useRouter } from "next/navigation";
import { createContext, type ReactNode, useContext, useMemo, useTransition } from "react";
import { SkeletonPage } from "@/components/ui/skeleton";

interface Transition {
  pending: boolean;
  go(href: string): void;
}

const TransitionContext = createContext<Transition>({ pending: false, go: () => {} });

/** Lets links below it go to a page with {@link useGo}, and {@link Page} show that one is on its way. */
export function PageTransition({ children }: { children: ReactNode }) {
  const router = useRouter();
  const [pending, start] = useTransition();
  const transition = useMemo(
    () => ({ pending, go: (href: string) => start(() => router.push(href)) }),
    [pending, router],
  );
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
