/** Returns the security headers of every response. HSTS (RFC 6797) is set only if the configured origin is https. */
export function securityHeaders(https: boolean): Record<string, string> {
  return {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "strict-origin-when-cross-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
    ...(https ? { "Strict-Transport-Security": "max-age=63072000; includeSubDomains" } : {}),
  };
}

/** Public documents that scripts of any site may read, without credentials. */
const SHARED = ["/openapi.json"];

/**
 * Returns headers that add to or replace {@link securityHeaders} for a path: who may read the response, and what is
 * sent as referrer.
 */
export function sharingHeaders(path: string): Record<string, string> {
  // These addresses contain what is asked for, so no referrer is sent.
  if (path.startsWith("/pay/") || path.startsWith("/notifications/") || /^\/(test|live)\/connect$/.test(path))
    return { "Referrer-Policy": "no-referrer" };
  if (!SHARED.includes(path)) return {};
  return { "Access-Control-Allow-Origin": "*", "Cross-Origin-Resource-Policy": "cross-origin" };
}

/** Origins that WalletConnect's client uses; allowed only if the operator has configured it. */
export const WALLETCONNECT_ORIGINS = ["https://relay.walletconnect.org", "wss://relay.walletconnect.org"];

interface PagePolicyOptions {
  https: boolean;
  /** React's development build uses eval. */
  development: boolean;
  /** Other origins that pages and their workers may connect to, because clients read the chain themselves. */
  connect: readonly string[];
}

/** What a page may run: what carries its nonce, or scripts of our origin and the inline ones with these hashes. */
type Runs = { nonce: string } | { hashes: readonly string[] };

/**
 * Returns the Content Security Policy (CSP level 3) of a page. Inline scripts run only by nonce or by hash. WebAssembly
 * is allowed for proofs, which are made in workers of our own origin.
 *
 * @param runs a nonce is new for every response, and Next.js sets it on its own scripts. Hashes are of a page that is
 *   the same for everyone and shows nothing that anyone has entered. Browsers do not all know hashes of files, so such
 *   a page loads scripts from our origin, where only files of the build are scripts
 */
export function pagePolicy(runs: Runs, options: PagePolicyOptions): string {
  const { https, development, connect } = options;
  const byNonce = "nonce" in runs ? `'nonce-${runs.nonce}'` : undefined;
  const scripts = byNonce ? [byNonce, "'strict-dynamic'"] : "hashes" in runs ? runs.hashes : [];
  const rules = [
    "default-src 'self'",
    ["script-src 'self'", ...scripts, "'wasm-unsafe-eval'", ...(development ? ["'unsafe-eval'"] : [])].join(" "),
    ["style-src 'self'", ...(development ? ["'unsafe-inline'"] : byNonce ? [byNonce] : [])].join(" "),
    "img-src 'self' data:",
    "font-src 'self'",
    ["connect-src 'self'", ...connect].join(" "),
    "worker-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    ...(https ? ["upgrade-insecure-requests"] : []),
  ];
  return rules.join("; ");
}

/** The policy of responses that are not pages: nothing may run. */
export const API_POLICY = "default-src 'none'; frame-ancestors 'none'";
