"use client";

import NextLink from "next/link";
import { type ComponentProps, useContext } from "react";
import { NavigateContext } from "./navigate";

/** Addresses of the dashboard. */
const DASHBOARD = /^\/(test|live)(?![^/?#])/;

/**
 * Whether a path is of another page in the same frame. Filters and dialogs change the address of the page that is shown.
 * The other network has another frame.
 */
export const isAnotherPage = (there: string, here: string): boolean =>
  there !== here && there.split("/")[1] === here.split("/")[1];

/**
 * A link to a page of this site. The browser loads pages outside of the dashboard whole: they are the same for everyone,
 * and the server keeps them (lib/http/shared-responses.ts). Pages of the dashboard are rendered per request and not
 * prefetched, because Next would prefetch every visible link, again after each change. In the dashboard, a link to
 * another of its pages shows at once that it loads. Otherwise nothing would happen until it is there, as if the press
 * had been lost.
 */
export function Link({ onNavigate, ...props }: ComponentProps<typeof NextLink>) {
  const go = useContext(NavigateContext);
  const { href, replace, scroll } = props;
  const isDashboard = typeof href === "string" && DASHBOARD.test(href);
  if (typeof href === "string" && href.startsWith("/") && !isDashboard)
    return <a {...(props as ComponentProps<"a">)} />;
  const isToPage = isDashboard && !replace && scroll !== false;
  const follow: typeof onNavigate = (event) => {
    if (!go || typeof href !== "string") return;
    if (!isAnotherPage(new URL(href, location.href).pathname, location.pathname)) return;
    event.preventDefault();
    go(href);
  };
  return <NextLink prefetch={false} onNavigate={onNavigate ?? (go && isToPage ? follow : undefined)} {...props} />;
}
