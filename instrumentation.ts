import type { Instrumentation } from "next";
import { log } from "@/lib/telemetry/log";

/**
 * What Next could not serve, by the route's pattern and the digest that the person sees. Neither the address nor the
 * error's text: both may quote what was sent.
 */
export const onRequestError: Instrumentation.onRequestError = (err, _request, { routePath, routeType }) => {
  const { digest } = err as { digest?: unknown };
  log().error(
    { err, route: routePath, kind: routeType, digest: typeof digest === "string" ? digest : undefined },
    "request failed",
  );
};
