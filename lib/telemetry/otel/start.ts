import { type Env, env } from "@/lib/env";
import { log } from "@/lib/telemetry/log";
import { hub } from "../hub";

/**
 * Starts what METRICS_PORT and OTEL_EXPORTER_OTLP_ENDPOINT ask for; without either, nothing is even loaded. A port that
 * is taken is logged: payments continue without their metrics.
 */
export async function startTelemetry(
  role: "web" | "worker" | "prover",
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

/** Hands over what is still to be exported, for at most two seconds. */
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
