/*
 * The guide "Deploy" as an operator follows it: their own PostgreSQL and nodes, the deployed ledger, two roles, each
 * process by its own command, a proxy with TLS, a backup by the documented role and its restore. Statements, variables
 * and files come from the guides; only addresses, secrets and names are filled in. Needs PostgreSQL 15 and the proxies
 * from Debian's packages (postgresql-15, nginx, caddy).
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chownSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { numberToHex } from "viem";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { afterEach, describe, expect, it } from "vitest";
import { type Caller, halcyon, ok } from "@/e2e/halcyon";
import { foundryBinary, postgresBinaries } from "@/scripts/stack/binaries";
import { ROOT } from "@/scripts/stack/config";
import { removeFolder } from "@/scripts/stack/files";
import { OUTSIDE_SERVICES, OWN_SECRETS } from "@/scripts/stack/outside-services";
import { rpc } from "@/scripts/stack/rpc";
import { freePort } from "../services/free-port";

const read = (file: string) => readFileSync(path.join(ROOT, file), "utf8");
const guide = read("docs/guides/self-hosting.md");
const backups = read("docs/guides/backups.md");
const { scripts: SCRIPTS } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
const has = (program: string, argument: string) => spawnSync(program, [argument]).error === undefined;
const isRoot = process.getuid?.() === 0;

const SERVERS = [
  ["18", postgresBinaries()],
  ["15", "/usr/lib/postgresql/15/bin"],
] as const;
const PROXIES = { 18: "nginx", 15: "caddy" } as const;

/** Returns the code blocks below a heading of a document, up to the next heading (not a comment in a block of a shell). */
function blocksBelow(document: string, heading: string): string[] {
  const [, section = ""] = document.split(`\n${heading}\n`);
  const [own = ""] = section.split(/^##+ /m);
  return [...own.matchAll(/^```.*\n([\s\S]*?)^```/gm)].map(([, block = ""]) => block);
}

/** Returns the variables of a table's cell or of a shell block, as the guide names them. */
const variablesIn = (text: string) => [...text.matchAll(/[A-Z][A-Z0-9_]{3,}/g)].map(([name]) => name);

const running = new Set<ChildProcess>();
const folders: string[] = [];
afterEach(async () => {
  await Promise.all([...running].map((child) => end(child)));
  for (const folder of folders.splice(0)) removeFolder(folder);
});

async function end(child: ChildProcess, signal: NodeJS.Signals = "SIGTERM"): Promise<void> {
  running.delete(child);
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill(signal);
  await gone;
}

/** Starts a program that goes on. What it prints is shown if it ends by itself. */
function begin(command: string, args: string[], env: NodeJS.ProcessEnv = process.env): ChildProcess {
  const child = spawn(command, args, { cwd: ROOT, env, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk) => (said = (said + chunk).slice(-4_000)));
  child.once("exit", (code) => {
    if (running.has(child) && code !== 0) console.error(`${command} ${args.join(" ")} ended with ${code}: ${said}`);
  });
  running.add(child);
  return child;
}

async function until(what: string, holds: () => Promise<boolean> | boolean): Promise<void> {
  for (const end = Date.now() + 300_000; Date.now() < end; await sleep(200)) {
    if (await Promise.resolve(holds()).catch(() => false)) return;
  }
  throw new Error(`${what} did not happen within five minutes`);
}

/** A server of PostgreSQL that an operator runs. */
class OperatorsPostgres {
  readonly data: string;
  private child?: ChildProcess;

  constructor(
    private readonly programs: string,
    folder: string,
    readonly port: number,
    readonly password: string,
  ) {
    this.data = path.join(folder, "postgres");
  }

  /** PostgreSQL refuses to run as root. */
  private as(args: string[]): [string, string[]] {
    const [program = "", ...rest] = args;
    const file = path.join(this.programs, program);
    return isRoot ? ["runuser", ["-u", "postgres", "--", file, ...rest]] : [file, rest];
  }

  create(): void {
    const passwordFile = `${this.data}.password`;
    writeFileSync(passwordFile, this.password);
    handOver(passwordFile);
    mkdirSync(this.data, { mode: 0o700 });
    handOver(this.data);
    const args = ["initdb", `--pgdata=${this.data}`, "--username=postgres", "--auth=scram-sha-256"];
    execFileSync(...this.as([...args, `--pwfile=${passwordFile}`]), { stdio: "ignore" });
  }

  async start(): Promise<void> {
    const args = ["postgres", "-D", this.data, "-p", String(this.port), "-k", "", "-c", "listen_addresses=127.0.0.1"];
    const child = begin(...this.as(args));
    this.child = child;
    await until("PostgreSQL's start", async () => {
      const sql = this.connect("postgres");
      try {
        return (await sql`select not pg_is_in_recovery() as ready`)[0]?.ready === true;
      } finally {
        await sql.end({ timeout: 5 });
      }
    });
  }

  async stop(): Promise<void> {
    // Of runuser only the child is PostgreSQL, and a signal to it would not stop that.
    const pid = Number(readFileSync(path.join(this.data, "postmaster.pid"), "utf8").split("\n")[0]);
    const gone = this.child && once(this.child, "exit");
    if (this.child) running.delete(this.child);
    process.kill(pid, "SIGINT");
    await gone;
  }

  connect(database: string): postgres.Sql {
    const { port, password } = this;
    return postgres({ host: "127.0.0.1", port, database, username: "postgres", password, max: 1, onnotice: () => {} });
  }

  /** Runs a guide's statements with passwords in place of `…`, each by itself, as a person types them. */
  async type(database: string, statements: string, passwords: string[]): Promise<void> {
    const left = [...passwords];
    const sql = this.connect(database);
    try {
      for (const statement of statements.split(/;\n/).filter((one) => one.trim() !== "")) {
        await sql.unsafe(statement.replace("…", () => left.shift() ?? ""));
      }
    } finally {
      await sql.end();
    }
    expect(left).toEqual([]);
  }
}

function handOver(file: string): void {
  if (!isRoot) return;
  const [uid, gid] = ["-u", "-g"].map((flag) => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" })));
  chownSync(file, uid ?? 0, gid ?? 0);
}

/** Puts the programs where PostgreSQL's own user can read them. */
function readable(programs: string, folder: string): string {
  if (!isRoot || !programs.includes("node_modules")) return programs;
  const copy = path.join(folder, "native");
  cpSync(path.dirname(programs), copy, { recursive: true, verbatimSymlinks: true });
  return path.join(copy, "bin");
}

/** A development chain of the operator's own, and the variables that `npm run deploy` prints for it. */
async function chainWithLedger(
  chainId: number,
  deployer: { key: string; file: string },
): Promise<Record<string, string>> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const args = ["--chain-id", String(chainId), "--port", String(port), "--block-time", "1", "--slots-in-an-epoch", "1"];
  begin(foundryBinary("anvil"), ["--silent", ...args]);
  await until("the node's start", async () => (await rpc(url, "eth_chainId", [])) === numberToHex(chainId));
  await rpc(url, "anvil_setBalance", [privateKeyToAddress(deployer.key as `0x${string}`), numberToHex(10n ** 24n)]);
  const printed = execFileSync("npm", ["run", "-s", "deploy", "--", "--rpc", url, "--local"], {
    cwd: ROOT,
    encoding: "utf8",
    env: { ...process.env, DEPLOYER_KEY_FILE: deployer.file },
    stdio: ["ignore", "pipe", "pipe"],
  });
  return Object.fromEntries(
    printed
      .trim()
      .split("\n")
      .map((line) => line.split(/=(.*)/).slice(0, 2)),
  );
}

/** Starts the guide's proxy in front of the web processes, with a certificate of its own for localhost. */
async function startProxy(name: "nginx" | "caddy", folder: string, ports: readonly number[]): Promise<Proxy> {
  const [key, certificate] = [path.join(folder, "key.pem"), path.join(folder, "certificate.pem")];
  const names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
  const make = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", ...names, "-keyout", key, "-out", certificate];
  execFileSync("openssl", make, { stdio: "ignore" });
  const port = await freePort();
  const site = read(name === "nginx" ? "deploy/proxy/nginx.conf" : "deploy/proxy/Caddyfile")
    .replaceAll("127.0.0.1:3000", `127.0.0.1:${ports[0]}`)
    .replaceAll("127.0.0.1:3001", `127.0.0.1:${ports[1]}`);
  if (name === "nginx") {
    const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
      (one) => `${one}_temp_path ${folder}/${one};`,
    );
    const own = site
      .replaceAll("pay.example.com", "localhost")
      .replace(/ssl_certificate .*;/, `ssl_certificate ${certificate};`)
      .replace(/ssl_certificate_key .*;/, `ssl_certificate_key ${key};`)
      // The service's own port, and no port 80 or IPv6, which a machine may not have.
      .replace(/server \{\n {4}listen 80;[\s\S]*?\n\}\n/, "")
      .replace(/ {4}listen \[::\]:443.*\n/, "")
      .replace("listen 443", `listen 127.0.0.1:${port}`)
      // A browser's Host header has the port, which a service at 443 has not.
      .replace("proxy_set_header Host $host;", "proxy_set_header Host $http_host;");
    const file = path.join(folder, "nginx.conf");
    const user = isRoot ? "user root; " : "";
    writeFileSync(
      file,
      `${user}pid ${folder}/pid; error_log stderr; events {} http { access_log off; ${temporary.join(" ")}\n${own}}`,
    );
    begin("nginx", ["-p", folder, "-c", file, "-g", "daemon off;"]);
  } else {
    const options = "{\n\tadmin off\n\tauto_https off\n}\n";
    const own = site.replace("pay.example.com {", `https://localhost:${port} {\n\ttls ${certificate} ${key}`);
    const file = path.join(folder, "Caddyfile");
    writeFileSync(file, options + own);
    begin("caddy", ["run", "--adapter", "caddyfile", "--config", file], { ...process.env, HOME: folder });
  }
  return { url: `https://localhost:${port}`, certificate };
}

interface Proxy {
  url: string;
  certificate: string;
}

/** Sends a request through the proxy. */
function asked(
  proxy: Proxy,
  place: string,
  options: { method?: string; headers?: Record<string, string>; body?: string },
) {
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const { body, ...rest } = options;
    const sent = request(`${proxy.url}${place}`, { ...rest, ca: readFileSync(proxy.certificate) }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk) => (text += chunk));
      response.once("end", () => resolve({ status: response.statusCode ?? 0, text }));
    });
    sent.once("error", reject).end(body);
  });
}

describe.each(SERVERS)("with PostgreSQL %s", (version, binaries) => {
  const proxyName = PROXIES[version];
  const missing = [existsSync(path.join(binaries, "postgres")) || binaries, has(proxyName, "-v") || proxyName].filter(
    (one) => one !== true,
  );

  it(`the guide leads to a service that pays, behind ${proxyName}, and that a backup brings back`, async () => {
    if (missing.length > 0) throw new Error(`Install ${missing.join(" and ")} first.`);
    const folder = mkdtempSync("/tmp/halcyon-operator-");
    folders.push(folder);
    execFileSync("chmod", ["755", folder]);
    const secret = () => Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("hex");

    // What you need, and two roles.
    const [ownerPassword, appPassword, backupPassword] = [secret(), secret(), secret()];
    const server = new OperatorsPostgres(readable(binaries, folder), folder, await freePort(), secret());
    server.create();
    await server.start();
    const [roles = ""] = blocksBelow(guide, "## Create two database roles");
    await server.type("postgres", roles, [ownerPassword, appPassword]);

    // Deploy the ledger.
    const key = generatePrivateKey();
    const deployer = { key, file: path.join(folder, "deployer-key") };
    writeFileSync(deployer.file, `${key}\n`, { mode: 0o600 });
    const chains = { ...(await chainWithLedger(46630, deployer)), ...(await chainWithLedger(4663, deployer)) };

    // Configure the service: every variable of the guide, and the two for development chains.
    const ports = [await freePort(), await freePort()] as const;
    const proxy = await startProxy(proxyName, folder, ports);
    const values: Record<string, string> = {
      ...chains,
      DATABASE_URL: `postgres://halcyon_app:${appPassword}@127.0.0.1:${server.port}/halcyon`,
      MIGRATION_DATABASE_URL: `postgres://halcyon:${ownerPassword}@127.0.0.1:${server.port}/halcyon`,
      NEXTAUTH_URL: proxy.url,
      HOST: "127.0.0.1",
      TRUSTED_PROXIES: "1",
      RELAYER_SEED: secret(),
      SERVER_PEPPER: secret(),
      NEXTAUTH_SECRET: secret(),
      SECRETS_KEY: secret(),
    };
    const [configured = ""] = blocksBelow(guide, "## Configure the service");
    const named = [...configured.matchAll(/^export (\w+)=/gm)].map(([, name = ""]) => name);
    expect(named.sort()).toEqual(Object.keys(values).sort());
    const bare = { ...process.env };
    for (const name of [...OUTSIDE_SERVICES, ...OWN_SECRETS, ...named]) delete bare[name];
    const development = { HALCYON_LOCAL_CHAINS: "46630,4663", FAUCET_KEY: key };
    const all: Record<string, string> = { ...values, ...development };

    // Run each process yourself, each with the variables that the table names for it.
    const environmentOf = (command: string, more: Record<string, string> = {}) => {
      const [, cell = ""] = new RegExp(`^\\| \`npm run ${command}\` \\|[^|]*\\|([^|]*)\\|`, "m").exec(guide) ?? [];
      const listed = variablesIn(cell);
      const gets = (name: string) => (/all but/.test(cell) ? !listed.includes(name) : listed.includes(name));
      return { ...bare, ...Object.fromEntries(Object.entries(all).filter(([name]) => gets(name))), ...more };
    };
    const once = (command: string) =>
      execFileSync("npm", ["run", "-s", command], { cwd: ROOT, env: environmentOf(command), stdio: "pipe" });
    const process_ = (command: "web" | "worker", port: number, health: number) => {
      const own: Record<string, string> = command === "web" ? { PORT: String(port) } : {};
      // Metrics of several processes on one machine.
      const more = { ...own, METRICS_PORT: String(health), HEALTH_PORT: String(health + 1) };
      // As the guide's units do: npm would end without the process that it started.
      const [node = "", ...args] = (SCRIPTS[command] ?? "").split(" ");
      return begin(node, args, environmentOf(command, more));
    };
    once("build");
    once("migrate");
    once("maintain");
    const health = [await freePort(), await freePort(), await freePort()] as const;
    const startWebs = () => ports.map((port, at) => process_("web", port, health[at] ?? 0));
    const startWorker = () => process_("worker", 0, health[2]);
    let webs = startWebs();
    let worker = startWorker();
    const ready = (port: number) => async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).ok;
    await Promise.all(ports.map((port) => until("a web process's start", ready(port))));

    // People: their own clients, through the proxy.
    const config = (name: string) => ({
      NODE_EXTRA_CA_CERTS: proxy.certificate,
      HALCYON_CONFIG_DIR: path.join(folder, name),
    });
    const [alice, bob]: Caller[] = ["alice", "bob"].map((name) => {
      return { url: proxy.url, walletKey: generatePrivateKey(), env: config(name) };
    });
    if (!alice || !bob) throw new Error("unreachable");
    await ok(alice, "signup", "--handle", "alice");
    await ok(bob, "signup", "--handle", "bob");
    await ok(alice, "faucet", "--amount", "100");
    await ok(alice, "make-available");
    alice.apiKey = (await ok<{ api_key: string }>(alice, "keys", "create", "--label", "walk")).api_key;
    const pay = (amount: string, ...more: string[]) =>
      ok<{ transfer_id: string; status: string }>(alice, "send", "--to", "@bob", "--amount", amount, ...more);
    const first = await pay("25", "--idempotency-key", "rent");
    expect(first.status).toBe("confirmed");
    expect((await pay("1", "--client-signed")).status).toBe("confirmed");

    // A body larger than a proxy takes by itself reaches the service, which refuses it by its own rules.
    const large = await asked(proxy, "/v1/payouts", {
      method: "POST",
      headers: { authorization: `Bearer ${alice.apiKey}`, "content-type": "application/json" },
      body: JSON.stringify({ rows: "x".repeat(3 << 20) }),
    });
    expect(JSON.parse(large.text)).toMatchObject({ error: { code: expect.any(String) } });

    // One web process leaves, another comes: no request fails.
    const paying = (async () => {
      for (let n = 0; n < 4; n++) await pay("1");
    })();
    await end(webs[0] as ChildProcess);
    await paying;
    webs[0] = process_("web", ports[0], health[0]);
    await until("the web process's return", ready(ports[0]));

    // Back up with the documented role, as PostgreSQL's user.
    const rights = blocksBelow(backups, "## Back up").find((block) => block.startsWith("create role")) ?? "";
    await server.type("halcyon", rights, [backupPassword]);
    const copies = path.join(folder, "backup");
    mkdirSync(copies);
    handOver(copies);
    const copy = path.join(copies, "today");
    const role = `BACKUP_DATABASE_URL=postgres://halcyon_backup:${backupPassword}@127.0.0.1:${server.port}/halcyon`;
    const command = ["env", role, "npm", "run", "-s", "backup", "--", copy];
    const [program = "", ...args] = isRoot ? ["runuser", "-u", "postgres", "--", ...command] : command;
    execFileSync(program, args, { cwd: ROOT, env: bare, stdio: "pipe" });

    // Restore, in the order of the guide, after a payment that the backup lacks.
    expect((await pay("2", "--idempotency-key", "later")).status).toBe("confirmed");
    await Promise.all([...webs, worker].map((child) => end(child)));
    await server.stop();
    rmSync(server.data, { recursive: true });
    execFileSync("cp", ["-a", path.join(copy, "base"), server.data]);
    await server.start();
    worker = startWorker();
    await until("the index's catching up", async () => {
      const text = await (await fetch(`http://127.0.0.1:${health[2]}/metrics`)).text();
      const lags = [...text.matchAll(/^halcyon_index_lag_seconds\{.*\} (\S+)$/gm)].map(([, lag]) => Number(lag));
      return lags.length === 2 && lags.every((lag) => lag === 0);
    });
    webs = startWebs();
    await Promise.all(ports.map((port) => until("a web process's start", ready(port))));

    // What the backup lacks is paused, not paid again; the owner's sync gives it back.
    const again = ["send", "--to", "@bob", "--amount", "2", "--idempotency-key", "later"];
    expect(JSON.parse((await halcyon(alice, ...again)).stderr)).toMatchObject({ error: { code: "sync_required" } });
    await ok(alice, "sync");
    expect((await pay("2", "--idempotency-key", "later")).status).toBe("confirmed");
    expect((await pay("25", "--idempotency-key", "rent")).transfer_id).toBe(first.transfer_id);
    const { transfers } = await ok<{ transfers: { amount: string }[] }>(bob, "transfers");
    const amounts = transfers.map(({ amount }) => amount).sort();
    expect(amounts).toEqual(["1", "1", "1", "1", "1", "2", "25"]);
  });
});
