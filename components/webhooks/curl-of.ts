import type { SentRequest } from "@/lib/events/webhooks/sent-request";

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/**
 * Returns a delivery's request as a command for a POSIX shell. Signatures are not kept, so the command signs the body
 * with the secret in `WEBHOOK_SECRET` (`X-Service-Signature`, docs/guides/webhooks.md) and a receiver accepts it.
 */
export function curlOf({ method, url, headers, body }: SentRequest & { body: string }): string {
  const shown = Object.entries(headers).filter(([, value]) => value !== null);
  return [
    `BODY=${quoted(body)}`,
    `SIGNATURE=$(printf %s "$BODY" | openssl dgst -sha256 -hmac "$WEBHOOK_SECRET" -r | cut -d ' ' -f 1)`,
    `curl -X ${method} ${quoted(url)} \\`,
    ...shown.map(([name, value]) => `  -H ${quoted(`${name}: ${value}`)} \\`),
    `  -H "x-service-signature: $SIGNATURE" \\`,
    `  --data-raw "$BODY"`,
  ].join("\n");
}
