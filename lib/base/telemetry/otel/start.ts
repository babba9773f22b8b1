import { type Env, env } from "@/lib/base/env";
import { hub } from "@/lib/base/telemetry/hub";
import { log } from "@/lib/base/telemetry/log";

/**
 * Starts the exporters that METRICS_PORT and OTEL_EXPORTER_OTLP_ENDPOINT ask for. Without either, no exporter is
 * loaded. If the port is in use, that is only logged: payments continue without metrics.
 */
export async function startTelemetry(
  role: "web" | "worker",
  settings: Pick<Env, "metrics" | "otlp"> = env(),
): Promise<void> {
  const { metrics, otlp } = settings;
  if (!metrics && !otlp) return;
  const { openTelemetry } = await import("./open-telemetry");
  hub().telemetry = await openTelemetry({ role, metrics, otlp }, (error) =>
    log().warn({ err: error, ...metrics }, "no metrics: their port cannot be opened"),
  );
}

const PATIENCE_MS = 2_000;

/** Exports what is still pending, for at most two seconds. */
export async function stopTelemetry(): Promise<void> {
  const { telemetry } = hub();
  if (!telemetry) return;
  hub().telemetry = undefined;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS);
  });
  await Promise.race([telemetry.stop().catch(() => {}), late]);
  clearTimeout(timer);
}
