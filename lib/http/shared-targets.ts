import { NETWORKS } from "@/lib/network";
import { NOT_FOUND_PAGE } from "./front";
import type { SharedTarget } from "./shared-responses";

const PAGES = ["/", "/terms"];

const FILES = [
  "/.well-known/oauth-authorization-server",
  ...NETWORKS.map((network) => `/.well-known/oauth-protected-resource/mcp/${network}`),
  "/apple-icon.png",
  "/docs.md",
  "/docs/search.json",
  "/docs/webhook-vectors.json",
  "/favicon.ico",
  "/icon.svg",
  "/llms-full.txt",
  "/llms.txt",
  "/manifest.webmanifest",
  "/openapi.json",
  "/prover/worker.js",
  "/robots.txt",
  "/sitemap.xml",
  "/third-party-notices.txt",
  "/vault/worker.js",
];

/** Circuits and keys, with or without their content's hash. A wrong hash is a 404, which is not kept. */
const CIRCUITS = /^\/circuits\/[\w.-]+$/;

/**
 * Returns what a path asks for, if that is the same for everyone.
 *
 * @param docs the pages below /docs, those that have moved too; read once, when the first is asked for
 * @param isNowhere reports whether a path belongs to no page
 */
export function sharedTargets(docs: () => Promise<readonly string[]>, isNowhere: (at: string) => boolean) {
  const fixed = new Set([...PAGES, ...FILES]);
  let pages: Promise<Set<string>> | undefined;
  const isDocs = async (at: string): Promise<boolean> => {
    pages ??= docs().then((found) => new Set(found));
    pages.catch(() => {
      pages = undefined;
    });
    return (await pages).has(at.replace(/\.md$/, ""));
  };
  return async (at: string): Promise<SharedTarget | undefined> => {
    if (fixed.has(at) || CIRCUITS.test(at)) return { path: at };
    if (isNowhere(at)) return { path: NOT_FOUND_PAGE, missing: true };
    if (at !== "/docs" && !/^\/docs\/.*[^/]$/.test(at)) return undefined;
    if (await isDocs(at)) return { path: at };
    // One page for all addresses below /docs without one. Those of errors mark another entry of the menu.
    const folder = at.startsWith("/docs/errors/") ? "/docs/errors" : "/docs";
    return { path: `${folder}/-${at.endsWith(".md") ? ".md" : ""}`, missing: true };
  };
}
