"use client";

import { AppRouterContext } from "next/dist/shared/lib/app-router-context.shared-runtime";
import { type ComponentProps, type MouseEvent, useContext } from "react";
import { NavigateContext } from "./navigate";

/** Addresses of the dashboard. */
const DASHBOARD = /^\/(test|live)(?![^/?#])/;

/**
 * Whether a path is of another page in the same frame. Filters and dialogs change the address of the page that is shown.
 * The other network has another frame.
 */
export const isAnotherPage = (there: string, here: string): boolean =>
  there !== here && there.split("/")[1] === here.split("/")[1];

type Press = Pick<MouseEvent, "metaKey" | "ctrlKey" | "shiftKey" | "altKey" | "button">;

/** Whether a press is for the browser, which opens another tab or window, or downloads. */
export const isForBrowser = ({ metaKey, ctrlKey, shiftKey, altKey, button }: Press): boolean =>
  metaKey || ctrlKey || shiftKey || altKey || button !== 0;

interface LinkProps extends ComponentProps<"a"> {
  href: string;
  /** Whether the address takes the place of the present one in the history. */
  replace?: boolean;
  /** Whether the page begins at its top. */
  scroll?: boolean;
  /** Called before the link is followed in this tab, unless it prevents that. */
  onNavigate?: (event: { preventDefault(): void }) => void;
}

/**
 * A link to a page of this site. The browser loads pages outside of the dashboard whole: they are the same for everyone,
 * and the server keeps them (lib/http/shared-responses.ts). Pages of the dashboard are rendered per request and not
 * fetched before a press. In the dashboard, a link to another of its pages shows at once that it loads. Otherwise
 * nothing would happen until it is there, as if the press had been lost.
 *
 * Next.js's own link does that and more, and is 4 kB of each page's scripts.
 */
export function Link({ href, replace = false, scroll = true, onNavigate, onClick, target, ...props }: LinkProps) {
  const go = useContext(NavigateContext);
  const router = useContext(AppRouterContext);
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    const there = new URL(href, location.href);
    const isOurs = !href.startsWith("/") || DASHBOARD.test(href);
    if (!router || !isOurs || there.origin !== location.origin) return;
    if (event.defaultPrevented || isForBrowser(event) || (target && target !== "_self")) return;
    event.preventDefault();
    let isPrevented = false;
    onNavigate?.({
      preventDefault: () => {
        isPrevented = true;
      },
    });
    if (isPrevented) return;
    const isToPage = !onNavigate && !replace && scroll && DASHBOARD.test(href);
    if (go && isToPage && isAnotherPage(there.pathname, location.pathname)) go(href);
    else router[replace ? "replace" : "push"](href, { scroll });
  };
  return <a {...props} href={href} target={target} onClick={follow} />;
}
