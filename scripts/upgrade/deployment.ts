import { type ChildProcess, spawn } from "node:child_process";
import { createWriteStream, mkdirSync } from "node:fs";
import path from "node:path";
import { freePort } from "@/test/services/free-port";
import { deployLocal } from "../deploy-local";
import { takeFolder } from "../kill/take-folder";
import { childEnv } from "../stack/child-env";
import { LOCAL_CHAIN_IDS, type LocalChainId, ROOT, readConfig, type StackConfig, StackError } from "../stack/config";
import { LocalChain } from "../stack/local-chain";
import { LocalPostgres } from "../stack/postgres";
import { forgetPid, recordPid, sleep } from "../stack/processes";
import { loadSecrets } from "../stack/secrets";
import { WebFront } from "../stack/web-front";
import { endOf } from "./end-of";
import type { Release } from "./release";

const READY_MS = 180_000;
const PROBE_MS = 100;
/** How long a process keeps serving after SIGTERM, and how long its current requests may take after that. */
const SHUTDOWN = { SHUTDOWN_NOTICE_SECONDS: "2", SHUTDOWN_DRAIN_SECONDS: "30" };
const DATA = path.join(ROOT, ".halcyon-upgrade");

/** A web or worker process of one version, started by that version's own command. */
export interface Member {
  kind: "web" | "worker";
  version: Release;
  /** Where it reports whether it is ready; a web process also serves here. */
  url: string;
  /**
   * Sends SIGTERM. Resolves with how the process ended, once it has; 0 is expected. One that doesn't end is killed in
   * the end.
   */
  drain(): Promise<number | string | null>;
}

/**
 * What all versions share: one PostgreSQL, the chains, and a load balancer that asks each web process whether it is
 * ready. Initially no version of the product runs in it.
 */
export class Deployment {
  readonly members: Member[] = [];
  /** The version whose web processes get the requests of signed-in users; undefined: either version. */
  sessionsAt?: Release;
  private readonly ready = new Set<Member>();
  private readonly children = new Set<ChildProcess>();
  private probing = true;
  private probes?: Promise<void>;

  private constructor(
    readonly url: string,
    private readonly postgres: LocalPostgres,
    private readonly chains: readonly LocalChain[],
    private readonly env: Record<string, string>,
    private readonly front: WebFront,
  ) {}

  static async start(say: (line: string) => void): Promise<Deployment> {
    // It is this run's until its process ends.
    await takeFolder(DATA);
    mkdirSync(path.join(DATA, "logs"), { recursive: true });
    const config = await ownConfig();
    const secrets = loadSecrets(DATA);
    const { postgresPassword: password, postgresAppPassword: appPassword } = secrets;
    const postgres = new LocalPostgres({ data: DATA, port: config.postgres.port, password, appPassword, say });
    await postgres.start();
    const started: LocalChain[] = [];
    const addresses = await Promise.all(
      LOCAL_CHAIN_IDS.map(async (chainId) => {
        const { faucetKey, createdAt: genesisTime } = secrets;
        const chain = new LocalChain({
          chainId,
          port: config.chains[chainId].port,
          data: DATA,
          genesisTime,
          faucetKey,
          say,
        });
        started.push(chain);
        await chain.start();
        const deployed = await deployLocal({ rpcUrl: chain.url, chainId, deployerKey: faucetKey });
        return [chainId, { rpcUrl: chain.url, ...deployed }] as const;
      }),
    );
    const chains = Object.fromEntries(addresses) as Record<LocalChainId, (typeof addresses)[number][1]>;
    // Each version gets the variables that docs/guides/self-hosting.md names. A build sets its own HALCYON_DIST.
    const { HALCYON_DIST: _, ...env } = childEnv(config, secrets, postgres.appUrl, chains, "");
    let deployment: Deployment | undefined;
    const front = new WebFront({ port: config.web.port, host: "127.0.0.1" }, (address) => {
      return deployment?.targets(address) ?? [];
    });
    await front.start();
    const url = `http://localhost:${config.web.port}`;
    const shared = { ...env, ...SHUTDOWN, TRUSTED_PROXIES: "1", HOST: "127.0.0.1" };
    deployment = new Deployment(url, postgres, started, shared, front);
    deployment.probes = deployment.probe();
    return deployment;
  }

  /** Runs the migrations of a version with its own command, while everything else keeps running. */
  async migrate({ folder }: Release): Promise<void> {
    const child = spawn(process.execPath, ["scripts/serve.mjs", "migrate"], {
      cwd: folder,
      env: { ...process.env, ...this.env, MIGRATION_DATABASE_URL: this.postgres.ownerUrl },
      stdio: ["ignore", "ignore", "inherit"],
    });
    const status = await endOf(child, "the command that migrates");
    if (status !== 0) throw new StackError(`the migrations failed; their message is above (${status})`);
  }

  /** Starts a process of a version, and waits until it is ready. */
  async add(version: Release, kind: Member["kind"]): Promise<Member> {
    const port = String(await freePort());
    const name = `${kind}-${version.commit.slice(0, 8)}-${this.members.length}`;
    const own = kind === "web" ? { PORT: port } : { PORT: "", HEALTH_PORT: port };
    // The data folder as an argument marks the process as ours.
    const child = spawn(process.execPath, ["scripts/serve.mjs", kind, `--data=${DATA}`], {
      cwd: version.folder,
      env: { ...process.env, ...this.env, ...own, PROVER_WORKERS: "1" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const log = createWriteStream(path.join(DATA, "logs", `${name}.log`));
    child.stdout.pipe(log, { end: false });
    child.stderr.pipe(log, { end: false });
    this.children.add(child);
    if (child.pid) recordPid(DATA, name, child.pid);
    child.once("exit", () => {
      this.children.delete(child);
      forgetPid(DATA, name);
    });
    const member: Member = {
      kind,
      version,
      url: `http://localhost:${port}`,
      drain: () => {
        child.kill("SIGTERM");
        return endOf(child, `${name} (its log: ${DATA}/logs/${name}.log)`);
      },
    };
    this.members.push(member);
    for (const end = Date.now() + READY_MS; !(await isReady(member)); await sleep(PROBE_MS)) {
      const ended = child.exitCode !== null || child.signalCode !== null;
      if (ended || Date.now() > end) throw new StackError(`${name} is not ready; see ${DATA}/logs/${name}.log`);
    }
    return member;
  }

  async stop(): Promise<void> {
    this.probing = false;
    await this.probes;
    await this.front.stop();
    const left = [...this.children];
    for (const child of left) child.kill("SIGTERM");
    await Promise.all(left.map((child) => endOf(child, "a process that was left")));
    await Promise.all(this.chains.map((chain) => chain.stop({ snapshot: false })));
    await this.postgres.stop();
  }

  /** Sends requests to every process that reports that it is ready, like any load balancer. */
  private async probe(): Promise<void> {
    for (; this.probing; await sleep(PROBE_MS)) {
      await Promise.all(
        this.members.map(async (member) => {
          if (member.kind === "web" && (await isReady(member))) this.ready.add(member);
          else this.ready.delete(member);
        }),
      );
    }
  }

  private targets(address: string): number[] {
    const ready = [...this.ready];
    const chosen = address.startsWith("/v1/") ? undefined : this.sessionsAt;
    const members = chosen === undefined ? ready : ready.filter(({ version }) => version === chosen);
    return members.map(({ url }) => Number(new URL(url).port));
  }
}

async function isReady({ url }: Member): Promise<boolean> {
  return fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5_000) }).then(
    async (response) => {
      await response.arrayBuffer();
      return response.ok;
    },
    () => false,
  );
}

/** Returns a configuration without the user's own settings and ports. */
async function ownConfig(): Promise<StackConfig> {
  const config = readConfig();
  const at = async <T extends { port: number }>(port: T): Promise<T> => ({ ...port, port: await freePort() });
  return {
    ...config,
    data: DATA,
    web: await at(config.web),
    postgres: await at(config.postgres),
    chains: { 46630: await at(config.chains[46630]), 4663: await at(config.chains[4663]) },
  };
}
