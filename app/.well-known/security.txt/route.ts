import { env } from "@/lib/base/env";

export const dynamic = "force-dynamic";

/** How long the file stays valid, in milliseconds. RFC 9116 recommends less than a year. */
const GOOD_MS = 180 * 24 * 3_600_000;

/** Returns where to report a vulnerability of this installation. */
export function GET(): Response {
  const { securityContact, origin } = env();
  const headers = { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" };
  if (!securityContact)
    return new Response("The operator of this service has named no contact.\n", { status: 404, headers });
  const lines = [
    `Contact: ${securityContact}`,
    `Expires: ${new Date(Date.now() + GOOD_MS).toISOString()}`,
    "Preferred-Languages: en",
    `Canonical: ${origin}/.well-known/security.txt`,
  ];
  return new Response(`${lines.join("\n")}\n`, { headers });
}
