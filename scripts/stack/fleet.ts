import { availableParallelism } from "node:os";
import { type StackConfig, webPort } from "./config";

/** Variables withheld from workers, which serve no requests: secrets of sessions and agents' wallets. */
const NOT_FOR_WORKERS = Object.fromEntries(
  ["SERVER_PEPPER", "SERVER_PEPPER_PREVIOUS", "NEXTAUTH_SECRET", "NEXTAUTH_SECRET_PREVIOUS"].flatMap((name) => [
    [name, ""],
    [`${name}_FILE`, ""],
    [`${name}_KMS`, ""],
  ]),
);

/** A process to start. */
export interface Member {
  kind: "web" | "worker";
  /** `web`, `web-2`, …: the name of its log and pid file. */
  name: string;
  env: Record<string, string>;
}

/** Returns the web and worker processes that `npm start` runs, each with its own ports. */
export function fleet(config: StackConfig, env: Record<string, string>): Member[] {
  const { processes, metrics } = config;
  const named = (kind: Member["kind"], position: number) => (position === 0 ? kind : `${kind}-${position + 1}`);
  const metricsAt = (port: number) => ({ METRICS_HOST: "127.0.0.1", METRICS_PORT: String(port) });
  const webs = Array.from({ length: processes.web }, (_, position): Member => {
    const ports = { PORT: String(webPort(config, position)), ...metricsAt(metrics.web + 2 * position) };
    return { kind: "web", name: named("web", position), env: { ...env, ...ports, ...behindProxy(processes.web) } };
  });
  const workers = Array.from({ length: processes.worker }, (_, position): Member => {
    const own = { PORT: "", ...NOT_FOR_WORKERS, ...metricsAt(metrics.worker + 2 * position) };
    return { kind: "worker", name: named("worker", position), env: { ...env, ...own } };
  });
  return [...webs, ...workers];
}

/** Returns the settings of several web processes: they are behind our own proxy and share the cores. */
function behindProxy(webs: number): Record<string, string> {
  if (webs === 1) return {};
  return {
    HOST: "127.0.0.1",
    TRUSTED_PROXIES: String(Number(process.env.TRUSTED_PROXIES || 0) + 1),
    PROVER_WORKERS: process.env.PROVER_WORKERS || String(Math.max(1, Math.floor(availableParallelism() / webs))),
  };
}
