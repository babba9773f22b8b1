import type { AddressLimit } from "@/lib/base/env";
import { NETWORKS } from "@/lib/base/network";

/** From a request's arrival until its response has to begin, in milliseconds. */
const DEADLINE_MS = 30_000;

/**
 * What guards the requests of some paths. `route` is what each route below them does for itself, by its declaration
 * (lib/http/route.ts).
 */
export interface Door {
  /** `{name}` is one segment; `*` at the end is the rest, which may be empty. */
  paths: readonly string[];
  /** What a request costs the process's thread (see {@link CPU}). */
  cpu: keyof typeof CPU;
  /** The methods that it takes. Only pages of the dashboard have an action (app/set-theme.ts). */
  methods: "read" | "action" | "route";
  /**
   * What is limited by client address: every request, but those with a session of this service by its wallet where
   * `priority` says so (lib/http/page-limit.ts); the same but for files that are compressed at build time; the same, but
   * what is over the limit is served later; or what the route declares.
   */
  address: "public" | "beyond built files" | "later" | "route";
  /**
   * The limit of a client address that the routes' POSTs count against before anything else, where they need Next.js's
   * router. Of an address that this process knows to have used it up, they are refused before it: the router costs more
   * than the rest of a refusal.
   */
  posts?: AddressLimit;
  /** The same for POSTs whose key or token is missing or not valid, where that is looked up behind the router. */
  unknownKeys?: AddressLimit;
  /** The largest body, in KiB. */
  bodyKib: number | "route";
  /** Whether requests with a key or session wait in their account's line (lib/http/account-concurrency.ts). */
  line: "route" | "none";
  /**
   * The priority when the process has too much to do: by key or by session, with the method, or the lowest. Of `either`,
   * a key counts where a request has both.
   */
  priority: "key" | "session" | "either" | "public";
  /** Until when a request counts in admission; `never` if it is never refused. */
  counts: "until it responds" | "until it has responded" | "never";
  /** In how many milliseconds the response has to begin; null if it may take any time. */
  deadlineMs: number | null;
}

/**
 * What a request may cost the one thread that serves all of them, in milliseconds of CPU as `npm run bench -- pages`
 * measures it, by how its response comes about; and what keeps one client from taking more than its share.
 */
export const CPU = {
  /** The same for everyone: made once and kept (lib/http/shared-responses.ts). At its address's rate. */
  kept: { mostMs: 2 },
  /** Sent as it is. At its address's rate, if it was not compressed at build time. */
  file: { mostMs: 4 },
  /** Made for each request. At a quarter of its address's or wallet's rate; who asks faster waits. */
  rendered: { mostMs: 30 },
  /** Looked up by the process itself. Served later when an address asks too often. */
  probe: { mostMs: 2 },
  /**
   * What its route does. Without a key or session at the rate that the route declares; with one in the account's line,
   * in which two requests are worked on at once while others ask. Proofs are computed by other threads, in turns.
   */
  route: { mostMs: null },
} as const satisfies Record<string, { mostMs: number | null }>;

/** The limit of bodies without an API key or session, in KiB. */
export const OPEN_BODY_KIB = 16;

const PAGE = {
  cpu: "rendered",
  methods: "read",
  address: "public",
  bodyKib: OPEN_BODY_KIB,
  line: "none",
  priority: "public",
  counts: "until it responds",
  deadlineMs: DEADLINE_MS,
} as const;
const SHARED = { ...PAGE, cpu: "kept" } as const;
const API = {
  cpu: "route",
  methods: "route",
  address: "route",
  bodyKib: "route",
  line: "route",
  priority: "key",
  counts: "until it responds",
  deadlineMs: DEADLINE_MS,
} as const;
const OPEN_API = { ...API, line: "none", priority: "public" } as const;

/** What the server in front serves. The first row that names a path counts; a path that none names gets 404. */
export const DOORS = {
  rest: { ...API, paths: ["/v1/*"], priority: "either" },
  // Links that lead to a page. Mail programs also send a POST to the second, which counts there once more.
  links: { ...OPEN_API, paths: ["/oauth/authorize", "/api/notifications/unsubscribe"], address: "public" },
  stream: { ...API, paths: ["/api/stream"], line: "none", priority: "session", counts: "never", deadlineMs: null },
  // Signing in and out moves no money, whatever else the browser sends.
  signIn: { ...OPEN_API, paths: ["/api/auth/*"], posts: "sign_in" },
  session: { ...API, paths: ["/api/*"], priority: "session" },
  // The tools work while the response is sent, and wait for others.
  mcp: { ...API, paths: ["/mcp/*"], unknownKeys: "failed_keys", counts: "until it has responded", deadlineMs: null },
  oauth: { ...OPEN_API, paths: ["/oauth/*"], posts: "oauth" },
  x402: { ...OPEN_API, paths: ["/x402/*"] },
  probes: { ...PAGE, paths: ["/healthz", "/readyz"], cpu: "probe", address: "later", counts: "never" },
  documentation: {
    ...SHARED,
    paths: [
      "/docs",
      "/docs/*",
      "/docs.md",
      "/docs/search.json",
      "/docs/webhook-vectors.json",
      "/llms-full.txt",
      "/llms.txt",
      "/openapi.json",
    ],
  },
  site: { ...SHARED, paths: ["/", "/terms"] },
  wellKnown: {
    ...SHARED,
    paths: [
      "/.well-known/oauth-authorization-server",
      ...NETWORKS.map((network) => `/.well-known/oauth-protected-resource/mcp/${network}`),
    ],
  },
  files: {
    ...SHARED,
    paths: [
      "/apple-icon.png",
      "/favicon.ico",
      "/icon.svg",
      "/manifest.webmanifest",
      "/prover/worker.js",
      "/robots.txt",
      "/sitemap.xml",
      "/third-party-notices.txt",
      "/vault/worker.js",
    ],
  },
  circuits: { ...SHARED, paths: ["/circuits/{file}"] },
  // With their content's hash in the address. Many people of one address load many of them at once, and each that is
  // compressed at build time costs next to nothing.
  built: {
    ...PAGE,
    cpu: "file",
    address: "beyond built files",
    paths: ["/_next/static/*", "/prover/{file}", "/vault/{file}"],
  },
  unchanging: { ...PAGE, cpu: "file", paths: ["/.well-known/security.txt", "/og.png", "/push.js", "/screens/{file}"] },
  visitors: {
    ...PAGE,
    paths: [
      "/notifications/confirm",
      "/notifications/unsubscribe",
      "/pay/{id}",
      "/proof-of-funds",
      "/receipt",
      "/sign-in",
      "/status",
      "/system-status",
      "/view/{id}",
    ],
  },
  dashboard: { ...PAGE, paths: NETWORKS.map((network) => `/${network}/*`), methods: "action", priority: "session" },
} as const satisfies Record<string, Door>;

/** The guards of a path that no row names: one page for all of them. */
export const NOWHERE: Door = { ...SHARED, paths: [] };

const ROWS = Object.values<Door>(DOORS).flatMap((door) =>
  door.paths.map((pattern) => ({ door, expression: expressionOf(pattern) })),
);

/** Returns the guards of a path (without query); undefined if no row names it. Next.js redirects from a slash at the end. */
export function doorOf(path: string): Door | undefined {
  return ROWS.find(({ expression }) => expression.test(path))?.door;
}

function expressionOf(pattern: string): RegExp {
  const source = pattern
    .replace(/[.]/g, "\\.")
    .replace(/\{\w+\}/g, "[^/]+")
    .replace(/\/\*$/, "(?:/.*)?");
  return new RegExp(`^${source}/?$`);
}
