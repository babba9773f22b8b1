import { spawn } from "node:child_process";
import path from "node:path";
import { startOtlpSink } from "@/test/services/otlp-sink";
import { ROOT } from "../stack/config";
import { removeFolder } from "../stack/files";
import { OUTSIDE_SERVICES, OWN_SECRETS } from "../stack/outside-services";
import { appUrl, ownerUrl } from "../stack/postgres";
import { endLeftovers } from "../stack/processes";
import { loadSecrets } from "../stack/secrets";

const DATA = path.join(ROOT, ".halcyon-test");
/**
 * Not the configuration of the person who runs the tests (their wallet and pins). Outside of the data folder, which is
 * searched for leaks.
 */
const CONFIG = path.join(ROOT, ".cache", "test-config");
/** Different from the defaults, so that the tests can run while the product does. */
const PORTS = {
  PORT: "3200",
  HALCYON_PG_PORT: "25632",
  HALCYON_RPC_PORT_46630: "28745",
  HALCYON_RPC_PORT_4663: "28746",
  HALCYON_METRICS_PORT: "29464",
};
const OWN = [...OWN_SECRETS, "EVENT_RETENTION_DAYS"];

/**
 * Starts the whole product on its own ports with its own empty data, passes its address to the tests, and stops it. The
 * settings of the person who runs the tests (a real database, a public chain) never reach it.
 */
export async function withProduct<T>(use: (env: Record<string, string>) => Promise<T>): Promise<T> {
  const ports = Object.fromEntries(
    Object.entries(PORTS).map(([name, port]) => [name, process.env[`HALCYON_TEST_${name}`] ?? port]),
  );
  const env: Record<string, string> = { ...ports, HALCYON_DATA: DATA };
  const clean = { ...process.env };
  for (const name of [...OUTSIDE_SERVICES, ...OWN]) delete clean[name];
  await endLeftovers(DATA);
  for (const folder of [DATA, CONFIG]) removeFolder(folder);
  // Inside the data folder, so that the search for leaks covers exported telemetry too.
  const otlpFile = path.join(DATA, "exported", "otlp.jsonl");
  const collector = await startOtlpSink(otlpFile);
  const child = spawn(process.execPath, [path.join(ROOT, "scripts/start.mjs")], {
    cwd: ROOT,
    env: { ...clean, ...env, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const stop = async () => {
    child.kill("SIGTERM");
    await gone;
    await collector.stop();
  };
  const interrupted = () => void stop().then(() => process.exit(130));
  process.once("SIGINT", interrupted);
  process.once("SIGTERM", interrupted);
  try {
    await new Promise<void>((resolve, reject) => {
      child.stdout.on("data", (chunk: Buffer) => {
        process.stdout.write(chunk);
        if (chunk.includes("Ctrl-C stops everything.")) resolve();
      });
      child.once("exit", () => reject(new Error("the product did not start; its words are above")));
    });
    const secrets = loadSecrets(DATA);
    const postgresPort = Number(ports.HALCYON_PG_PORT);
    return await use({
      ...env,
      HALCYON_CONFIG_DIR: CONFIG,
      HALCYON_OTLP_FILE: otlpFile,
      HALCYON_URL: `http://localhost:${ports.PORT}`,
      RPC_URL_46630: `http://127.0.0.1:${ports.HALCYON_RPC_PORT_46630}`,
      DATABASE_URL: appUrl(secrets.postgresAppPassword, postgresPort),
      MIGRATION_DATABASE_URL: ownerUrl(secrets.postgresPassword, postgresPort),
      RPC_URL_4663: `http://127.0.0.1:${ports.HALCYON_RPC_PORT_4663}`,
    });
  } finally {
    process.off("SIGINT", interrupted);
    process.off("SIGTERM", interrupted);
    await stop();
  }
}
