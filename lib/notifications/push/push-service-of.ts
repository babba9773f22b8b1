import { ApiError } from "@/lib/errors";
import { urlRefusal } from "@/lib/webhooks/check-url";

/** The push services of browsers: hosts, and hosts below these domains. A browser names its own; a script could name any. */
const SERVICES: readonly RegExp[] = [
  /^fcm\.googleapis\.com$/, // Chrome, Edge on Android, Opera, Samsung Internet
  /^updates\.push\.services\.mozilla\.com$/, // Firefox
  /^web\.push\.apple\.com$/, // Safari
  /^[a-z0-9-]+\.notify\.windows\.com$/, // Edge
];

/**
 * The push service of an endpoint.
 *
 * @param local the network's chain is the local stack's: a service on this machine is fine
 * @throws ApiError `invalid_request` for any other address
 */
export function pushServiceOf(endpoint: string, local: boolean): string {
  const refused = (why: string) =>
    new ApiError("invalid_request", `The endpoint ${why}. Send the subscription as your browser made it.`, {
      param: "endpoint",
    });
  const refusal = urlRefusal(endpoint, local);
  if (refusal !== null) throw refused(refusal);
  const { protocol, hostname, port } = new URL(endpoint);
  if (local && ["localhost", "127.0.0.1"].includes(hostname)) return hostname;
  if (protocol === "https:" && port === "" && SERVICES.some((service) => service.test(hostname))) return hostname;
  throw refused("is not one of a known push service");
}
