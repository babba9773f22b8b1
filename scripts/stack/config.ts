import path from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");

export const LOCAL_CHAIN_IDS = [46630, 4663] as const;
export type LocalChainId = (typeof LOCAL_CHAIN_IDS)[number];

/** A port of the stack, and the variable that changes it. */
export interface Port {
  port: number;
  variable: string;
  service: string;
}

/** The configuration of `npm start`: where its state is, its ports, and which parts are replaced by real services. */
export interface StackConfig {
  /** Absolute path of the folder with everything the stack stores. */
  data: string;
  /** Whether to serve the site from its sources with hot reload, without a build. */
  development: boolean;
  web: Port;
  /** How many processes of each kind. With several web processes, a proxy listens on the web port. */
  processes: { web: number; worker: number };
  postgres: Port;
  chains: Record<LocalChainId, Port>;
  /**
   * Ports of `/metrics` on 127.0.0.1 for the first process of each kind; further processes use every second port after
   * them. A process whose port is taken has no metrics.
   */
  metrics: { web: number; worker: number };
  /** Absolute path of the folder in which the embedded PostgreSQL archives its log. */
  walArchive?: string;
  /** Addresses from the environment. Each replaces an embedded part. */
  databaseUrl?: string;
  /** For the role that owns the tables of `databaseUrl`. Without it, the role of `databaseUrl` also migrates. */
  migrationDatabaseUrl?: string;
  rpcUrl: Partial<Record<LocalChainId, string>>;
  ledger: Partial<Record<LocalChainId, `0x${string}`>>;
}

function port(variable: string, fallback: number, service: string): Port {
  const text = process.env[variable];
  const value = text ? Number(text) : fallback;
  if (!Number.isInteger(value) || value < 1 || value > 65_535) {
    throw new StackError(`${variable} must be a port number from 1 to 65535; it is "${text}".`);
  }
  return { port: value, variable, service };
}

const MOST_PROCESSES = 16;

/** Returns how many processes an argument such as `--web 2` asks for. */
function count(argument: string): number {
  const at = process.argv.indexOf(argument);
  const value = at < 0 ? 1 : Number(process.argv[at + 1]);
  if (Number.isInteger(value) && value >= 1 && value <= MOST_PROCESSES) return value;
  throw new StackError(`${argument} wants a number from 1 to ${MOST_PROCESSES}: npm start -- --web 2 --workers 2`);
}

function processes(development: boolean): StackConfig["processes"] {
  const counts = { web: count("--web"), worker: count("--workers") };
  if (development && counts.web > 1) throw new StackError("npm run dev runs one web process. Use npm start for more.");
  return counts;
}

/** Returns the port of the web process at a position: the site's own, or, with several, those after the proxy's. */
export function webPort({ web, processes: { web: many } }: StackConfig, position: number): number {
  return many === 1 ? web.port : web.port + 1 + position;
}

/** Returns the site's address. */
export function siteUrl(config: Pick<StackConfig, "web">): string {
  return process.env.NEXTAUTH_URL || `http://localhost:${config.web.port}`;
}

/** A problem that the user can solve, shown without a stack trace. */
export class StackError extends Error {
  override readonly name = "StackError";
}

function databases(): Pick<StackConfig, "databaseUrl" | "migrationDatabaseUrl"> {
  const databaseUrl = process.env.DATABASE_URL || undefined;
  const migrationDatabaseUrl = process.env.MIGRATION_DATABASE_URL || undefined;
  if (migrationDatabaseUrl && !databaseUrl) {
    throw new StackError("MIGRATION_DATABASE_URL is set, so DATABASE_URL must be too: the role of web and worker.");
  }
  return { databaseUrl, migrationDatabaseUrl };
}

/** Reads the stack's configuration from the environment. All variables are optional. */
export function readConfig(): StackConfig {
  const given = (name: string) => process.env[name] || undefined;
  const web = port("PORT", 3000, "the web server");
  // 9464 for port 3000: Prometheus's registered port for OpenTelemetry. It moves along with the web port.
  const development = process.argv.includes("--development");
  const metrics = port("HALCYON_METRICS_PORT", Math.min(web.port + 6_464, 65_534), "metrics").port;
  return {
    data: path.resolve(ROOT, given("HALCYON_DATA") ?? ".halcyon"),
    development,
    web,
    processes: processes(development),
    metrics: { web: metrics, worker: metrics + 1 },
    postgres: port("HALCYON_PG_PORT", 25_432, "PostgreSQL"),
    chains: {
      46630: port("HALCYON_RPC_PORT_46630", 28_545, "the local chain 46630"),
      4663: port("HALCYON_RPC_PORT_4663", 28_546, "the local chain 4663"),
    },
    walArchive: given("HALCYON_WAL_ARCHIVE") && path.resolve(ROOT, given("HALCYON_WAL_ARCHIVE") ?? ""),
    ...databases(),
    rpcUrl: { 46630: given("RPC_URL_46630"), 4663: given("RPC_URL_4663") },
    ledger: {
      46630: given("LEDGER_ADDRESS_46630") as `0x${string}` | undefined,
      4663: given("LEDGER_ADDRESS_4663") as `0x${string}` | undefined,
    },
  };
}
