import type { IncomingMessage } from "node:http";
import { signInPath } from "@/lib/base/next-path";
import { pathOfTarget } from "@/lib/base/requested-page";
import { DOORS, type Door } from "./doors";

/**
 * Returns where a visitor who asks for a page of the dashboard is sent: the sign-in, which leads back. Next.js would
 * render the page first.
 *
 * @param wallet of the request's session, if it has one that this service made
 * @returns undefined if the request goes to its page
 */
export function visitorRedirect(
  { method, url }: Pick<IncomingMessage, "method" | "url">,
  door: Door,
  wallet: string | undefined,
): string | undefined {
  if (door !== DOORS.dashboard || wallet !== undefined) return undefined;
  return method === "GET" || method === "HEAD" ? signInPath(pathOfTarget(url)) : undefined;
}
