import { ApiError } from "@/lib/base/errors";
import { urlRefusal } from "@/lib/events/webhooks/check-url";

/** Hosts of the browsers' push services. The endpoint comes from the client, which could name any host. */
const SERVICES: readonly RegExp[] = [
  /^fcm\.googleapis\.com$/, // Chrome, Edge on Android, Opera, Samsung Internet
  /^updates\.push\.services\.mozilla\.com$/, // Firefox
  /^web\.push\.apple\.com$/, // Safari
  /^[a-z0-9-]+\.notify\.windows\.com$/, // Edge
];

/**
 * Returns the push service of an endpoint.
 *
 * @param local whether the network is a local chain, which allows a push service on this machine
 * @throws ApiError `invalid_request` for any other host
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
