/*
 * PostgreSQL from npm. PostgreSQL refuses to run as root, so under root it runs as the system user `postgres`
 * (made when absent), which keeps the right to look through folders it does not own when the project lies in
 * one like /root.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import postgres from "postgres";
import { postgresBinaries } from "./binaries";
import { StackError } from "./config";
import { endProcess, isOurs, isZombie, recordPid, sleep } from "./processes";

export interface LocalPostgresOptions {
  data: string;
  port: number;
  /** Of the role that owns everything. */
  password: string;
  /** Of the role of web and worker. */
  appPassword: string;
  /** `name=value` each, of postgresql.conf; they go before our own. */
  settings?: readonly string[];
  /** Address of a server whose changes it follows and serves for reading; its folder holds a copy of that one's files. */
  primary?: string;
  /** Folder that gets the write-ahead log piece by piece, to restore to any moment; absent: none is kept. */
  walArchive?: string;
  say: (line: string) => void;
}

interface Runner {
  command: string;
  prefix: string[];
  uid?: number;
  gid?: number;
}

/** What PostgreSQL logs on SIGTERM, in the locale it is started with. */
const SMART_SHUTDOWN = "received smart shutdown request";
const DATABASE = "halcyon";
const OWNER = "halcyon";
const APP = "halcyon_app";

/** Address of the embedded database for the role that owns and migrates it. */
export function ownerUrl(password: string, port: number): string {
  return `postgres://${OWNER}:${password}@127.0.0.1:${port}/${DATABASE}`;
}

/** Address of the embedded database for web and worker, which only read and write rows. */
export function appUrl(password: string, port: number): string {
  return `postgres://${APP}:${password}@127.0.0.1:${port}/${DATABASE}`;
}

export class LocalPostgres {
  /** For the role that owns and migrates. */
  readonly ownerUrl: string;
  /** For web and worker. */
  readonly appUrl: string;
  private readonly folder: string;
  private child?: ChildProcess;
  private stopping = false;
  private watch?: Promise<void>;
  private lastLines = "";

  constructor(private readonly options: LocalPostgresOptions) {
    this.folder = path.join(options.data, "postgres");
    this.ownerUrl = ownerUrl(options.password, options.port);
    this.appUrl = appUrl(options.appPassword, options.port);
  }

  /** Initialises at the first start, starts, and keeps it running; resolves when the database accepts queries. */
  async start(): Promise<void> {
    if (!existsSync(path.join(this.folder, "PG_VERSION"))) this.initialise();
    await this.launch();
    if (!this.options.primary) await this.createDatabase();
    this.watch = this.keepRunning();
  }

  /** Gives its files to the user it runs as: someone else has put them there. */
  handOver(): void {
    give(this.folder, chooseRunner(this.folder));
  }

  /** Fast shutdown (SIGINT): open transactions are rolled back, everything committed is on disk. */
  async stop(): Promise<void> {
    this.stopping = true;
    if (this.child?.pid) await endProcess(this.child.pid, this.folder, "SIGINT", 15_000);
    await this.watch;
  }

  private initialise(): void {
    rmSync(this.folder, { recursive: true, force: true });
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    const runner = chooseRunner(this.folder);
    if (runner.uid !== undefined && runner.gid !== undefined) chownSync(this.folder, runner.uid, runner.gid);
    const passwordFile = path.join(this.options.data, "postgres-password.tmp");
    writeFileSync(passwordFile, `${this.options.password}\n`, { mode: 0o600 });
    if (runner.uid !== undefined && runner.gid !== undefined) chownSync(passwordFile, runner.uid, runner.gid);
    const flags = ["--auth=scram-sha-256", "--encoding=UTF8", "--locale=C", `--username=${OWNER}`];
    try {
      const args = [`--pgdata=${this.folder}`, ...flags, `--pwfile=${passwordFile}`];
      execFileSync(runner.command, [...runner.prefix, path.join(this.binaries(), "initdb"), ...args], {
        stdio: ["ignore", "ignore", "pipe"],
        env: { ...process.env, LC_ALL: "C" },
      });
    } finally {
      rmSync(passwordFile, { force: true });
    }
  }

  /** PostgreSQL wants to read its own program as the user it runs as: below a closed folder it gets a copy outside. */
  private binaries(): string {
    const folder = postgresBinaries();
    if (!isRoot() || worldReaches(folder)) return folder;
    const native = path.dirname(folder);
    const { version } = JSON.parse(readFileSync(path.join(native, "..", "package.json"), "utf8")) as {
      version: string;
    };
    const copy = path.join(tmpdir(), `halcyon-postgres-${version}`);
    if (!existsSync(copy)) {
      const partial = `${copy}.${process.pid}`;
      cpSync(native, partial, { recursive: true, verbatimSymlinks: true });
      chmodSync(partial, 0o755);
      renameSync(partial, copy);
    }
    return path.join(copy, "bin");
  }

  private async launch(): Promise<void> {
    const { data, port, settings = [], walArchive, primary } = this.options;
    const runner = chooseRunner(this.folder);
    if (primary) {
      writeFileSync(path.join(this.folder, "standby.signal"), "");
      give(this.folder, runner);
    }
    if (walArchive) {
      mkdirSync(walArchive, { recursive: true, mode: 0o700 });
      give(walArchive, runner);
    }
    const all = [
      "listen_addresses=127.0.0.1",
      "unix_socket_directories=",
      "max_connections=200",
      ...archiving(walArchive),
      ...(primary ? [`primary_conninfo=${primary}`] : []),
      ...settings,
    ];
    const args = ["-D", this.folder, "-p", String(port), ...all.flatMap((setting) => ["-c", setting])];
    const child = spawn(runner.command, [...runner.prefix, path.join(this.binaries(), "postgres"), ...args], {
      stdio: ["ignore", "ignore", "pipe"],
      detached: true,
      env: { ...process.env, LC_ALL: "C" },
    });
    this.child = child;
    this.lastLines = "";
    child.stderr?.on("data", (chunk) => {
      this.lastLines = (this.lastLines + chunk).slice(-4_000);
      this.finishStop(child);
    });
    if (child.pid) recordPid(data, "postgres", child.pid);
    await this.untilReady();
  }

  /**
   * SIGTERM from elsewhere: PostgreSQL would refuse everyone new and wait for those it has, whose pools never leave. A
   * fast shutdown ends their transactions, and what keeps it running starts it again.
   */
  private finishStop(child: ChildProcess): void {
    if (this.stopping || !this.lastLines.includes(SMART_SHUTDOWN)) return;
    this.lastLines = "";
    this.options.say("PostgreSQL was told to stop; stopping and starting it again");
    if (child.pid) process.kill(child.pid, "SIGINT");
  }

  private running(): boolean {
    return this.child?.exitCode === null && this.child.signalCode === null;
  }

  private async untilReady(): Promise<void> {
    // One that is being restored accepts reads as well, before it is ready.
    const kind = this.options.primary ? "read-only connections" : "connections";
    for (const end = Date.now() + 60_000; ; await sleep(25)) {
      if (this.lastLines.includes(`database system is ready to accept ${kind}`)) return;
      if (!this.running()) throw new StackError(`PostgreSQL did not start:\n${this.lastLines.trim()}`);
      if (Date.now() > end) throw new StackError(`PostgreSQL is not ready after a minute:\n${this.lastLines.trim()}`);
    }
  }

  private async createDatabase(): Promise<void> {
    const admin = postgres(this.ownerUrl.replace(/\/[^/]*$/, "/postgres"), { max: 1, onnotice: () => {} });
    try {
      const [found] = await admin`select 1 from pg_database where datname = ${DATABASE}`;
      if (!found) await admin.unsafe(`create database ${DATABASE}`);
      await this.createApp(admin);
    } catch (error) {
      if ((error as { code?: string }).code !== "28P01") throw error;
      throw new StackError(`secrets.json does not hold the password of ${this.folder}. Restore it from its backup.`);
    } finally {
      await admin.end({ timeout: 1 });
    }
  }

  /** The role of web and worker, also of an installation that is older than it. What it may is `restrictApp`'s. */
  private async createApp(admin: postgres.Sql): Promise<void> {
    const [found] = await admin`select 1 from pg_roles where rolname = ${APP}`;
    if (!found) await admin.unsafe(`create role ${APP} login`);
    const [statement] = await admin<{ text: string }[]>`
      select format('alter role %I password %L', ${APP}::text, ${this.options.appPassword}::text) as text`;
    await admin.unsafe(statement?.text ?? "");
  }

  private async keepRunning(): Promise<void> {
    for (;;) {
      while (this.running()) await sleep(200);
      if (this.stopping) return;
      this.options.say("PostgreSQL stopped; starting it again");
      // Its last children hold the shared memory for a moment.
      for (let wait = 200; ; wait = Math.min(wait * 2, 5_000)) {
        await sleep(wait);
        if (this.stopping) return;
        try {
          await this.launch();
          break;
        } catch {
          this.options.say("PostgreSQL does not start yet; trying again");
        }
      }
      this.options.say("PostgreSQL is back");
    }
  }
}

/** A killed supervisor leaves PostgreSQL running: stops the one that owns the folder. */
export async function endStalePostgres(data: string): Promise<void> {
  const folder = path.join(data, "postgres");
  const file = path.join(folder, "postmaster.pid");
  if (!existsSync(file)) return;
  const pid = Number(readFileSync(file, "utf8").split("\n")[0]);
  if (pid && isOurs(pid, folder)) await endProcess(pid, folder, "SIGINT", 15_000);
  // The next PostgreSQL would take a zombie's number for a running one. Its children end within moments.
  if (pid && isZombie(pid) && existsSync(file)) {
    await sleep(1_000);
    rmSync(file, { force: true });
  }
}

/**
 * A segment counts as archived once a whole copy has its name. One that is there already is taken for done when it is
 * the same: PostgreSQL asks again after a crash.
 */
function archiving(folder: string | undefined): string[] {
  if (!folder) return [];
  const to = `"${folder}/%f"`;
  const copy = `cp "%p" "${folder}/%f.partial" && mv "${folder}/%f.partial" ${to}`;
  const command = `if test -f ${to}; then cmp -s "%p" ${to}; else ${copy}; fi`;
  return ["archive_mode=on", "archive_timeout=60", `archive_command=${command}`];
}

/** Gives a folder and all in it to the user that PostgreSQL runs as. */
function give(folder: string, { uid, gid }: Runner): void {
  if (uid === undefined || gid === undefined) return;
  chownSync(folder, uid, gid);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const below = path.join(folder, entry.name);
    if (entry.isDirectory()) give(below, { command: "", prefix: [], uid, gid });
    else chownSync(below, uid, gid);
  }
}

const isRoot = () => process.getuid?.() === 0;

function idOf(flag: "-u" | "-g"): number | undefined {
  try {
    return Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }));
  } catch {
    return undefined;
  }
}

/** How to run PostgreSQL's programs as an ordinary user that reaches `folder`. */
function chooseRunner(folder: string): Runner {
  if (!isRoot()) return { command: "env", prefix: [] };
  if (idOf("-u") === undefined) {
    execFileSync("groupadd", ["--force", "postgres"]);
    execFileSync("useradd", ["--system", "--no-create-home", "-g", "postgres", "postgres"]);
  }
  const uid = idOf("-u");
  const gid = idOf("-g");
  if (uid === undefined || gid === undefined) throw new StackError("Could not make the system user postgres.");
  const identity = [`--reuid=${uid}`, `--regid=${gid}`, "--clear-groups"];
  const capability = worldReaches(folder) ? [] : ["--inh-caps=+dac_override", "--ambient-caps=+dac_override"];
  return { command: "setpriv", prefix: [...identity, ...capability], uid, gid };
}

/** Whether an ordinary user may enter every folder above this one. */
function worldReaches(folder: string): boolean {
  for (let at = path.dirname(folder); ; at = path.dirname(at)) {
    if ((statSync(at).mode & 0o001) === 0) return false;
    if (at === path.dirname(at)) return true;
  }
}
