import { headers } from "next/headers";

/** A script that runs as soon as the browser reads it, before all that are loaded. */
export async function InlineScript({ children }: { children: string }) {
  // The nonce of this response's content security policy, which server.ts adds to the request.
  const [, nonce] = /'nonce-([^']+)'/.exec((await headers()).get("content-security-policy") ?? "") ?? [];
  return <script nonce={nonce}>{children}</script>;
}
