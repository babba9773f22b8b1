/*
 * PostgreSQL from npm. PostgreSQL refuses to run as root, so under root it runs as the system user `postgres` (created
 * if absent). That user keeps the right to traverse folders it does not own, in case the project is in one like /root.
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
  /** Password of the role that owns everything. */
  password: string;
  /** Password of the role of web and worker. */
  appPassword: string;
  /** Settings for postgresql.conf, `name=value` each, inserted before our own. */
  settings?: readonly string[];
  /** Folder in which the write-ahead log is archived, to restore to any moment. If absent, there is no archive. */
  walArchive?: string;
  /** Receives what PostgreSQL logs, as it comes. */
  logged?: (text: string) => void;
  say: (line: string) => void;
}

interface Runner {
  command: string;
  prefix: string[];
  uid?: number;
  gid?: number;
}

/** How long it may take to be ready, and to end before it is killed: generous, because a busy machine needs that. */
const READY_MS = 240_000;
const STOP_MS = 60_000;
/** PostgreSQL's log message on SIGTERM, in the locale with which it is started. */
const SMART_SHUTDOWN = "received smart shutdown request";
const DATABASE = "halcyon";
const OWNER = "halcyon";
const APP = "halcyon_app";

/** Returns the embedded database's address for the role that owns and migrates it. */
export function ownerUrl(password: string, port: number): string {
  return `postgres://${OWNER}:${password}@127.0.0.1:${port}/${DATABASE}`;
}

/** Returns the embedded database's address for web and worker, which only read and write rows. */
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

  /** Initializes the database at the first start, starts it and keeps it running. Resolves when it accepts queries. */
  async start(): Promise<void> {
    if (!existsSync(path.join(this.folder, "PG_VERSION"))) this.initialise();
    await this.launch();
    await this.createDatabase();
    this.watch = this.keepRunning();
  }

  /** Gives the database's files to the user it runs as, after someone else has put them there. */
  handOver(): void {
    give(this.folder, chooseRunner(this.folder));
  }

  /** Shuts down fast (SIGINT): open transactions are rolled back, and everything committed is on disk. */
  async stop(): Promise<void> {
    this.stopping = true;
    if (this.child?.pid) await endProcess(this.child.pid, this.folder, "SIGINT", STOP_MS);
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

  /**
   * Returns the folder of PostgreSQL's programs. It must be readable for the user that PostgreSQL runs as, so under a
   * closed folder the programs are copied elsewhere.
   */
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
    const { data, port, settings = [], walArchive } = this.options;
    const runner = chooseRunner(this.folder);
    if (walArchive) {
      mkdirSync(walArchive, { recursive: true, mode: 0o700 });
      give(walArchive, runner);
    }
    const all = [
      "listen_addresses=127.0.0.1",
      "unix_socket_directories=",
      "max_connections=200",
      ...archiving(walArchive),
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
      this.options.logged?.(String(chunk));
      this.finishStop(child);
    });
    if (child.pid) recordPid(data, "postgres", child.pid);
    await this.untilReady();
  }

  /**
   * Handles a SIGTERM from elsewhere. PostgreSQL would then refuse new connections and wait for the existing ones,
   * whose pools never close. A fast shutdown ends their transactions, and the database is started again.
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
    // A database that is being restored also accepts reads before it is ready.
    for (const end = performance.now() + READY_MS; ; await sleep(25)) {
      if (this.lastLines.includes("database system is ready to accept connections")) return;
      if (!this.running()) throw new StackError(`PostgreSQL did not start:\n${this.lastLines.trim()}`);
      if (performance.now() > end)
        throw new StackError(`PostgreSQL is not ready after ${READY_MS / 1000} s:\n${this.lastLines.trim()}`);
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

  /**
   * Creates the role of web and worker, also in an installation from before it existed. `restrictApp` sets its rights.
   */
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
      // PostgreSQL's last child processes hold the shared memory for a moment.
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

/** Stops the PostgreSQL that uses the folder, if a killed supervisor has left it running. */
export async function endStalePostgres(data: string): Promise<void> {
  const folder = path.join(data, "postgres");
  const file = path.join(folder, "postmaster.pid");
  if (!existsSync(file)) return;
  const pid = Number(readFileSync(file, "utf8").split("\n")[0]);
  if (pid && isOurs(pid, folder)) await endProcess(pid, folder, "SIGINT", STOP_MS);
  // The next PostgreSQL would take a zombie's pid for a running process. Its children end within moments.
  if (pid && isZombie(pid) && existsSync(file)) {
    await sleep(1_000);
    rmSync(file, { force: true });
  }
}

/**
 * Returns the settings for archiving. A segment is renamed only once it is completely copied. If it already exists with
 * the same content, that counts as success, because PostgreSQL repeats the request after a crash.
 */
function archiving(folder: string | undefined): string[] {
  if (!folder) return [];
  const to = `"${folder}/%f"`;
  const copy = `cp "%p" "${folder}/%f.partial" && mv "${folder}/%f.partial" ${to}`;
  const command = `if test -f ${to}; then cmp -s "%p" ${to}; else ${copy}; fi`;
  return ["archive_mode=on", "archive_timeout=60", `archive_command=${command}`];
}

/** Gives a folder and its contents to the user that PostgreSQL runs as. */
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

/** Returns how to run PostgreSQL's programs as an ordinary user that can access `folder`. */
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

/** Reports whether an ordinary user can enter every folder above this one. */
function worldReaches(folder: string): boolean {
  for (let at = path.dirname(folder); ; at = path.dirname(at)) {
    if ((statSync(at).mode & 0o001) === 0) return false;
    if (at === path.dirname(at)) return true;
  }
}
