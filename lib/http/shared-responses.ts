import { createHash } from "node:crypto";
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { AskInside, WholeResponse } from "./ask-inside";
import { endInPieces } from "./least-rate";
import { takes } from "./packed-files";

/*
 * Pages and files that are the same for everyone are made once per process, the first time that someone asks, and kept,
 * text compressed as well. Only what shows how something is now is made again. Nothing of a request but its path and theme reaches what is kept, so no header can change
 * what others get.
 */

/** What is asked for. */
export interface SharedTarget {
  /** Of the response that is kept. Several addresses can share one: those of no page. */
  path: string;
  /** Whether a 404 is kept. Otherwise anyone could fill the memory with addresses. */
  missing?: boolean;
  /** Whether the page is sent without its scripts: it is text and links. */
  plain?: boolean;
  /** Whether it is made for each request, because it shows how something is now. */
  fresh?: boolean;
}

interface Kept {
  status: number;
  headers: OutgoingHttpHeaders;
  etag: string;
  bytes: Buffer;
  /** Only of text. */
  compressed?: { gzip: Buffer; br: Buffer };
}

/** Headers that belong to one connection or are set here. */
const NOT_KEPT = ["connection", "keep-alive", "transfer-encoding", "content-length", "date", "vary", "etag"];

/** The least quality at which Brotli beats gzip, at about gzip's cost. */
const BROTLI = { [constants.BROTLI_PARAM_QUALITY]: 5 };

/** An inline script (HTML, 13.2.5.4): it ends at the first closing tag. */
const INLINE = /<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g;

/** Returns the hash of each inline script, for the page's policy (CSP level 3, section 6.7.2.3). */
function hashesOf(html: string): string[] {
  const hashOf = (script: string) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`;
  return [...new Set([...html.matchAll(INLINE)].map(([, script = ""]) => hashOf(script)))];
}

/**
 * Joins the scripts with which Next.js sends a page's data, which follow each other. With a hash for each of them, the
 * policy would not fit into a proxy.
 */
function joinScripts(html: string): string {
  return html.replace(/(?<=\]\))<\/script><script>(?=self\.__next_f\.push\()/g, "\n;");
}

/** Scripts, and the links that load them early. */
const SCRIPTS = /<script\b[^>]*>[\s\S]*?<\/script>|<link\b(?=[^>]*\s(?:as="script"|rel="modulepreload"))[^>]*>/g;

/**
 * Responds with what is kept. Returns false if the request is not for anything that is the same for everyone.
 *
 * @param at the request's path
 */
type ServeShared = (request: IncomingMessage, response: ServerResponse, at: string) => Promise<boolean>;

/**
 * Returns a function that serves the responses that are the same for everyone.
 *
 * @param ask makes a response
 * @param targetOf returns what a path asks for; undefined if it is not the same for everyone
 * @param policyOf returns the policy of a page that runs only the inline scripts with these hashes
 */
export function sharedResponses(
  ask: AskInside,
  targetOf: (at: string) => Promise<SharedTarget | undefined>,
  policyOf: (hashes: readonly string[]) => string,
): ServeShared {
  const kept = new Map<string, Promise<Kept | undefined>>();

  async function make({ path, plain, fresh }: SharedTarget, theme: string | undefined): Promise<Kept | undefined> {
    const asking = ask(path, theme ? { host: "localhost", cookie: `theme=${theme}` } : { host: "localhost" });
    // Next.js itself responds to what fails here.
    const whole = await asking.catch(() => undefined);
    if (!whole || whole.status >= 500 || whole.headers["set-cookie"] !== undefined) return undefined;
    return keep(whole, policyOf, { plain, fresh });
  }

  /** Makes each response once, also for those who ask at the same time. */
  function responseTo(target: SharedTarget, theme: string | undefined): Promise<Kept | undefined> {
    const { path, missing, fresh } = target;
    if (fresh) return make(target, theme);
    const key = `${theme ?? ""} ${path}`;
    const known = kept.get(key);
    if (known) return known;
    const making = make(target, theme);
    kept.set(key, making);
    const forget = () => kept.delete(key);
    making.then((one) => (!one || (one.status >= 400 && !missing)) && forget(), forget);
    return making;
  }

  return async (request, response, at) => {
    if (request.method !== "GET" && request.method !== "HEAD") return false;
    const target = await targetOf(at);
    if (!target) return false;
    // A file has an ending.
    const theme = /\.[a-z]+$/.test(target.path) ? undefined : themeIn(request.headers.cookie);
    const found = await responseTo(target, theme);
    if (!found) return false;
    send(request, response, found);
    return true;
  };
}

/** Returns the theme that the layout of all pages reads from its cookie (components/ui/theme-of.ts). */
function themeIn(cookies = ""): string | undefined {
  return /(?:^|;\s*)theme=(light|dark)(?=;|$)/.exec(cookies)?.[1];
}

async function keep(
  { status, headers, body }: WholeResponse,
  policyOf: (hashes: readonly string[]) => string,
  { plain, fresh }: Pick<SharedTarget, "plain" | "fresh">,
): Promise<Kept> {
  const type = headers["content-type"] ?? "";
  const isPage = type.startsWith("text/html");
  const html = isPage ? body.toString() : undefined;
  const text = html && (plain ? html.replace(SCRIPTS, "") : joinScripts(html));
  const bytes = text === undefined ? body : Buffer.from(text);
  const policy = policyOf(text === undefined ? [] : hashesOf(text));
  const etag = `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`;
  const own = Object.fromEntries(Object.entries(headers).filter(([name]) => !NOT_KEPT.includes(name)));
  return {
    status,
    etag,
    headers: {
      ...own,
      ETag: etag,
      "Content-Security-Policy": policy,
      // Next.js forbids to keep pages, because most of them are someone's own.
      ...(isPage && !fresh ? { "Cache-Control": "private, no-cache" } : {}),
      Vary: isPage ? "Accept-Encoding, Cookie" : "Accept-Encoding",
    },
    bytes,
    ...(/^text\/|json|xml|javascript/.test(type) ? { compressed: await compressed(bytes) } : {}),
  };
}

async function compressed(bytes: Buffer): Promise<{ gzip: Buffer; br: Buffer }> {
  const params = { ...BROTLI, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  const [zipped, br] = await Promise.all([promisify(gzip)(bytes), promisify(brotliCompress)(bytes, { params })]);
  return { gzip: zipped, br };
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, etag, bytes, compressed: text }: Kept,
): void {
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) response.setHeader(name, value);
  const isKnown = status === 200 && knows(request, etag);
  if (isKnown || request.method === "HEAD") {
    response.writeHead(isKnown ? 304 : status).end();
    return;
  }
  const encoding = text && (["br", "gzip"] as const).find((name) => takes(request, name));
  const content = encoding ? text[encoding] : bytes;
  if (encoding) response.setHeader("Content-Encoding", encoding);
  endInPieces(response.writeHead(status, { "Content-Length": content.length }), content);
}

/** Reports whether a client has this version (RFC 9110, section 13.1.2: the weak comparison). */
function knows(request: IncomingMessage, etag: string): boolean {
  const known = request.headers["if-none-match"] ?? "";
  return known === "*" || known.split(",").some((one) => one.trim().replace(/^W\//, "") === etag);
}
