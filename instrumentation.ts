import type { Instrumentation } from "next";
import { log } from "@/lib/base/telemetry/log";

/**
 * Logs what Next.js could not serve, by route pattern and the digest shown to the user. Neither the URL nor the error's
 * text is logged, because both may quote input.
 */
export const onRequestError: Instrumentation.onRequestError = (err, _request, { routePath, routeType }) => {
  const { digest } = err as { digest?: unknown };
  log().error(
    { err, route: routePath, kind: routeType, digest: typeof digest === "string" ? digest : undefined },
    "request failed",
  );
};
