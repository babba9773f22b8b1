import path from "node:path";
import { isOfAnotherVersion } from "@/db/is-of-another-version";
import { migrate } from "@/db/migrate";
import { roleOf } from "@/db/roles";
import { deployLocal } from "../deploy-local";
import { ensureBuild, prepareDevelopment } from "./build";
import { type ChainAddresses, childEnv } from "./child-env";
import {
  LOCAL_CHAIN_IDS,
  type LocalChainId,
  type Port,
  type StackConfig,
  StackError,
  siteUrl,
  webPort,
} from "./config";
import { privateFolder } from "./files";
import { fleet } from "./fleet";
import { isOtherLedger } from "./is-other-ledger";
import { LocalChain } from "./local-chain";
import { startMaintenance } from "./maintenance";
import { requireFreePorts } from "./ports";
import { endStalePostgres, LocalPostgres } from "./postgres";
import { endLeftovers, forgetPid, isOurs, recordedPid, recordPid, sleep } from "./processes";
import { program } from "./program";
import { PROGRAMS } from "./programs";
import { loadSecrets, moveAside, type Secrets } from "./secrets";
import { Service } from "./service";
import { WebFront } from "./web-front";

const READY_MS = 240_000;

/** The running stack. Starts its parts in order and stops them in reverse order. */
export class Stack {
  private postgres?: LocalPostgres;
  private readonly chains = new Map<LocalChainId, LocalChain>();
  private services: Service[] = [];
  private front?: WebFront;
  private endMaintenance?: () => void;
  private owner = false;
  private readonly build = new AbortController();

  constructor(
    private readonly config: StackConfig,
    private readonly say: (line: string) => void,
    private readonly onGivenUp: (error: StackError) => void,
  ) {}

  async start(): Promise<void> {
    const { config, say } = this;
    privateFolder(path.join(config.data, "logs"));
    this.takeOwnership();
    await this.requireReadableDatabase();
    await Promise.all(LOCAL_CHAIN_IDS.map((id) => this.requireLedger(id)));
    const leftovers = await endLeftovers(config.data);
    await endStalePostgres(config.data);
    if (leftovers.length > 0) say(`ended what an interrupted run left behind: ${leftovers.join(", ")}`);
    const aside = moveAside(config.data);
    if (aside) {
      say(`moved the accounts and money of another version of Halcyon, which this one cannot read, to ${aside}`);
    }
    const secrets = loadSecrets(config.data);
    await requireFreePorts(this.ports());
    const [dist, databaseUrl, chains] = await Promise.all([
      config.development ? prepareDevelopment() : ensureBuild(say, this.build.signal),
      this.startDatabase(secrets),
      this.startChains(secrets.createdAt, secrets.faucetKey),
    ]);
    const env = childEnv(config, secrets, databaseUrl, chains, dist);
    const [web, worker] = await Promise.all([program(PROGRAMS.web), program(PROGRAMS.worker)]);
    const common = { data: config.data, say, onGivenUp: this.onGivenUp };
    this.services = fleet(config, env).map(({ kind, ...one }) => {
      return new Service({ ...common, ...one, script: kind === "web" ? web : worker });
    });
    for (const service of this.services) service.start();
    await this.startFront();
    await this.untilReady();
    await seedDemo(env, say);
  }

  async stop(): Promise<void> {
    if (!this.owner) return;
    this.build.abort();
    // Requests in progress end with the process that handles them.
    await Promise.all(this.services.map((service) => service.stop()));
    await this.front?.stop();
    this.endMaintenance?.();
    await Promise.all([...this.chains.values()].map((chain) => chain.stop()));
    await this.postgres?.stop();
    forgetPid(this.config.data, "postgres");
    forgetPid(this.config.data, "supervisor");
  }

  private takeOwnership(): void {
    const { data, web } = this.config;
    const other = recordedPid(data, "supervisor");
    if (other && other !== process.pid && isOurs(other, "scripts/")) {
      throw new StackError(
        `Halcyon already runs on ${data} (process ${other}, http://localhost:${web.port} unless moved). Stop it first, or set HALCYON_DATA and the ports to run a second one.`,
      );
    }
    recordPid(data, "supervisor", process.pid);
    this.owner = true;
  }

  private ports(): Port[] {
    const { config } = this;
    const { processes, web } = config;
    const behind = processes.web === 1 ? [] : Array.from({ length: processes.web }, (_, at) => webPort(config, at));
    return [
      web,
      ...behind.map((port) => ({ ...web, port, service: "a web process behind the proxy" })),
      ...(config.databaseUrl ? [] : [config.postgres]),
      ...LOCAL_CHAIN_IDS.filter((id) => !config.rpcUrl[id]).map((id) => config.chains[id]),
    ];
  }

  /** Refuses an external database that contains data of another version, before anything starts. */
  private async requireReadableDatabase(): Promise<void> {
    const { databaseUrl, migrationDatabaseUrl } = this.config;
    if (!databaseUrl || !(await isOfAnotherVersion(migrationDatabaseUrl ?? databaseUrl))) return;
    throw new StackError(
      "The database of DATABASE_URL holds the accounts of another version of Halcyon, which this one cannot read: set DATABASE_URL (and MIGRATION_DATABASE_URL) to an empty database, then start again.",
    );
  }

  /** Refuses an external ledger of another version. It takes other calls, so no payment would ever succeed. */
  private async requireLedger(chainId: LocalChainId): Promise<void> {
    const { rpcUrl, ledger } = this.config;
    const [url, address] = [rpcUrl[chainId], ledger[chainId]];
    if (!url || !address || !(await isOtherLedger(url, address))) return;
    throw new StackError(
      `LEDGER_ADDRESS_${chainId} is not the address of a ledger of this version of Halcyon: set it to one that this version deployed, then start again.`,
    );
  }

  /** Starts the database and migrates it as the role that owns it. Returns the address for web and worker. */
  private async startDatabase({ postgresPassword, postgresAppPassword }: Secrets): Promise<string> {
    const { data, databaseUrl, migrationDatabaseUrl, postgres, walArchive } = this.config;
    if (databaseUrl) {
      await migrate(migrationDatabaseUrl ?? databaseUrl, databaseUrl);
      this.endMaintenance = await startMaintenance(migrationDatabaseUrl ?? databaseUrl, databaseUrl, this.say);
      const oneRole = roleOf(migrationDatabaseUrl ?? databaseUrl) === roleOf(databaseUrl);
      this.say(
        oneRole ? "database ready; web and worker own its tables: set MIGRATION_DATABASE_URL" : "database ready",
      );
      return databaseUrl;
    }
    const passwords = { password: postgresPassword, appPassword: postgresAppPassword };
    this.postgres = new LocalPostgres({ data, port: postgres.port, walArchive, ...passwords, say: this.say });
    await this.postgres.start();
    await migrate(this.postgres.ownerUrl, this.postgres.appUrl);
    this.endMaintenance = await startMaintenance(this.postgres.ownerUrl, this.postgres.appUrl, this.say);
    this.say("database ready");
    return this.postgres.appUrl;
  }

  private async startChains(
    genesisTime: number,
    faucetKey: `0x${string}`,
  ): Promise<Record<LocalChainId, ChainAddresses>> {
    const [test, live] = await Promise.all([
      this.startChain(46630, genesisTime, faucetKey),
      this.startChain(4663, genesisTime, faucetKey),
    ]);
    return { 46630: test, 4663: live };
  }

  private async startChain(
    chainId: LocalChainId,
    genesisTime: number,
    faucetKey: `0x${string}`,
  ): Promise<ChainAddresses> {
    const { data, chains, rpcUrl, ledger } = this.config;
    const outside = rpcUrl[chainId];
    if (outside) {
      const address = ledger[chainId];
      if (!address) {
        throw new StackError(
          `RPC_URL_${chainId} is set, so LEDGER_ADDRESS_${chainId} must be too: \`npm run deploy\` prints it.`,
        );
      }
      return { rpcUrl: outside, ledger: address };
    }
    const port = chains[chainId].port;
    const chain = new LocalChain({
      chainId,
      port,
      data,
      genesisTime,
      faucetKey,
      origin: new URL(siteUrl(this.config)).origin,
      finality: process.env[`FINALITY_${chainId}`],
      say: this.say,
      onGivenUp: this.onGivenUp,
    });
    this.chains.set(chainId, chain);
    await chain.start();
    const deployed = await deployLocal({ rpcUrl: chain.url, chainId, deployerKey: faucetKey });
    this.say(`chain ${chainId} ready, ledger ${deployed.ledger}`);
    return { rpcUrl: chain.url, ...deployed, ...(ledger[chainId] ? { ledger: ledger[chainId] } : {}) };
  }

  /** Starts the proxy in front of several web processes. */
  private async startFront(): Promise<void> {
    const { config } = this;
    if (config.processes.web === 1) return;
    const behind = Array.from({ length: config.processes.web }, (_, position) => webPort(config, position));
    this.front = new WebFront({ port: config.web.port, host: process.env.HOST || "127.0.0.1" }, () => behind);
    await this.front.start();
  }

  private async untilReady(): Promise<void> {
    const many = this.config.processes.web;
    await Promise.all(
      Array.from({ length: many }, (_, position) => this.untilStatusOk(webPort(this.config, position))),
    );
  }

  /** Waits until every part of /status is ready. The error says which part is missing. */
  private async untilStatusOk(port: number): Promise<void> {
    const url = `http://127.0.0.1:${port}/status`;
    let last = "the web server does not respond";
    for (const end = performance.now() + READY_MS; performance.now() < end; await sleep(100)) {
      try {
        const response = await fetch(url, { signal: AbortSignal.timeout(5_000) });
        const { status, parts } = (await response.json()) as {
          status: string;
          parts: Record<string, { state: string }>;
        };
        if (status === "ok") return;
        const missing = Object.entries(parts).filter(([, { state }]) => state !== "ok");
        last = missing.map(([name, { state }]) => `${name}: ${state}`).join(", ");
      } catch {
        // It is not listening yet.
      }
    }
    throw new StackError(`Not ready after ${READY_MS / 1000} s (${last}). See the logs in ${this.config.data}/logs.`);
  }
}

/**
 * Creates the accounts that a new installation needs: `@demo` and the recipient whose payments fail. Does nothing if
 * they exist.
 */
async function seedDemo(env: Record<string, string>, say: (line: string) => void): Promise<void> {
  Object.assign(process.env, env);
  // Imported only now, because these modules read the environment when they load.
  const { makeDemoAccounts } = await import("./demo-account");
  await makeDemoAccounts(say);
}
