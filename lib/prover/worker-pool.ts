import type { Hex } from "viem";
import { UnsatisfiedCircuit } from "@/circuits/witness/unsatisfied-circuit";
import { RoundRobin } from "@/lib/base/round-robin";
import type { CircuitInput, CircuitName, ProofResult } from "@/lib/ledger/prepare/witness";
import { ProverUnsupported } from "./kernel/prover-unsupported";
import {
  type CheckedProof,
  type CheckingProver,
  ProverBusy,
  ProverFailed,
  type ProverJob,
  type ProverReply,
} from "./prover";

/** A thread that runs jobs, independent of the platform's kind of worker. */
interface ProverThread {
  post(job: ProverJob): void;
  terminate(): void;
}

/** Starts a thread. Calls `onDeath` once if the thread ends by itself. */
export type StartThread = (onReply: (reply: ProverReply) => void, onDeath: () => void) => ProverThread;

// Applies Omit to each member of the union.
type JobBody = ProverJob extends infer J ? (J extends ProverJob ? Omit<J, "id"> : never) : never;

/** A finished job: what it was, how long it waited and ran (in milliseconds), and how it ended. */
export interface JobReport {
  kind: ProverJob["kind"];
  circuit: CircuitName;
  waitedMs: number;
  ranMs: number;
  outcome: "done" | "failed";
}

interface Pending {
  job: ProverJob;
  account: string;
  askedAt: number;
  /** When it was given to a thread. */
  startedAt: number;
  resolve(reply: ProverReply): void;
  reject(error: Error): void;
  /** For a proof: the callbacks that wait for its verification. */
  check?: Pick<Pending, "resolve" | "reject">;
}

interface Slot {
  thread: ProverThread;
  current: Pending | null;
}

/**
 * For this long after an account's last job, no other account may take all threads. So an account that pays again and
 * again does not wait. A longer time would leave a core idle, only to save an account from waiting for at most one
 * proof.
 */
const KEPT_MS = 500;

/**
 * Distributes jobs to a fixed number of long-lived threads, which accounts with waiting jobs share equally by time, not by
 * number (see `RoundRobin`): a proof of sixteen payments takes as long as three of an agent's. While several accounts have
 * jobs, no account gets all threads, so a single job does not wait for two proofs of another account. At
 * most `queueLimit` jobs wait, at most half of them for one account; further jobs are refused with `ProverBusy`. If a
 * thread dies, its job fails with `ProverFailed` and a new thread replaces it.
 */
export class WorkerPool implements CheckingProver {
  private readonly slots: Slot[] = [];
  private readonly queue = new RoundRobin<Pending>();
  /** How many threads died and will be started again with the next job. */
  private vacant = 0;
  private nextId = 1;
  private closed = false;
  /** The least time in milliseconds that a kind of job has taken: without what loading a circuit and waiting add. */
  private readonly leastMs = new Map<string, number>();
  /** The account of the newest job and its time, and the time of the newest job of any other account. */
  private last = { account: "", at: Number.NEGATIVE_INFINITY, othersAt: Number.NEGATIVE_INFINITY };

  constructor(
    private readonly start: StartThread,
    private readonly size: number,
    private readonly queueLimit: number,
    private readonly onDone: (report: JobReport) => void = () => {},
    /** Returns the account of the job being submitted. "" means no account, which may fill the queue. */
    private readonly accountOf: () => string = () => "",
    private readonly now: () => number = () => performance.now(),
  ) {
    for (let i = 0; i < size; i++) this.slots.push(this.newSlot());
  }

  private newSlot(): Slot {
    const slot: Slot = {
      current: null,
      thread: this.start(
        (reply) => this.onReply(slot, reply),
        () => this.onDeath(slot),
      ),
    };
    return slot;
  }

  private onReply(slot: Slot, reply: ProverReply): void {
    const pending = slot.current;
    if (!pending || pending.job.id !== reply.id) return;
    this.report(pending, "error" in reply ? "failed" : "done");
    if ("proven" in reply && pending.check) {
      // The thread continues with the verification.
      const { job, account, check } = pending;
      const { circuit } = job;
      const { proof, publicSignals } = reply.proven;
      const [now, verify] = [this.now(), { id: job.id, kind: "verify" as const, circuit, proof, publicSignals }];
      slot.current = { job: verify, account, askedAt: now, startedAt: now, ...check };
      pending.resolve(reply);
      return;
    }
    slot.current = null;
    pending.resolve(reply);
    this.dispatch();
  }

  private report({ job, askedAt, startedAt }: Pending, outcome: JobReport["outcome"]): void {
    const { kind, circuit } = job;
    const ranMs = this.now() - startedAt;
    if (outcome === "done") this.leastMs.set(typeOf(job), Math.min(ranMs, this.leastMs.get(typeOf(job)) ?? ranMs));
    this.onDone({ kind, circuit, waitedMs: startedAt - askedAt, ranMs, outcome });
  }

  /** Returns how many jobs wait for a thread and how many threads are busy. */
  load(): { waiting: number; running: number } {
    return { waiting: this.queue.size(), running: this.slots.filter(({ current }) => current !== null).length };
  }

  private onDeath(slot: Slot): void {
    const index = this.slots.indexOf(slot);
    if (this.closed || index < 0) return;
    if (slot.current) {
      this.report(slot.current, "failed");
      slot.current.reject(new ProverFailed("a worker died"));
    }
    // Start a new thread only when there is work, so that one that dies at start isn't restarted in a loop.
    this.slots.splice(index, 1);
    this.vacant++;
    this.dispatch();
  }

  private dispatch(): void {
    while (this.queue.size() > 0) {
      let free = this.slots.find((slot) => slot.current === null);
      if (!free && this.vacant > 0) {
        this.vacant--;
        free = this.newSlot();
        this.slots.push(free);
      }
      const pending = free && this.queue.next((account) => this.mayStart(account))?.item;
      if (!free || !pending) return;
      this.queue.charge(pending.account, this.leastMs.get(typeOf(pending.job)) ?? 0);
      free.current = pending;
      pending.startedAt = this.now();
      free.thread.post(pending.job);
    }
  }

  /** Reports whether an account may use another thread now. */
  private mayStart(account: string): boolean {
    const { last, size } = this;
    const othersAt = account === last.account ? last.othersAt : last.at;
    if (account === "" || size === 1 || this.now() - othersAt > KEPT_MS) return true;
    // If not, one of the account's jobs is running. The queue is checked again when it ends.
    return this.slots.filter(({ current }) => current?.account === account).length < size - 1;
  }

  private noteAsked(account: string): void {
    const { last } = this;
    const othersAt = account === last.account ? last.othersAt : last.at;
    this.last = { account, at: this.now(), othersAt };
  }

  private run(body: JobBody, check?: Pending["check"]): Promise<ProverReply> {
    if (this.closed) return Promise.reject(new ProverFailed("it is closed"));
    const account = this.accountOf();
    this.noteAsked(account);
    const isFree = this.vacant > 0 || this.slots.some((slot) => slot.current === null);
    const waits = !isFree || !this.mayStart(account);
    const mine = account === "" ? this.queueLimit : Math.ceil(this.queueLimit / 2);
    const isFull = this.queue.size() >= this.queueLimit || this.queue.size(account) >= mine;
    if (waits && isFull) return Promise.reject(new ProverBusy());
    return new Promise((resolve, reject) => {
      const job = { ...body, id: this.nextId++ } as ProverJob;
      this.queue.push(account, { job, account, askedAt: this.now(), startedAt: 0, resolve, reject, check });
      this.dispatch();
    });
  }

  async prove(circuit: CircuitName, input: CircuitInput): Promise<ProofResult> {
    const reply = await this.run({ kind: "prove", circuit, input });
    if ("proven" in reply) return reply.proven;
    throw errorOf(reply);
  }

  async proveAndVerify(circuit: CircuitName, input: CircuitInput): Promise<CheckedProof> {
    let check: Pending["check"];
    const verified = new Promise<ProverReply>((resolve, reject) => {
      check = { resolve, reject };
    }).then((reply) => {
      if ("verified" in reply) return reply.verified;
      throw errorOf(reply);
    });
    // If proving fails, no one waits for the verification.
    verified.catch(() => {});
    const reply = await this.run({ kind: "prove", circuit, input, check: true }, check);
    if ("proven" in reply) return { ...reply.proven, verified };
    throw errorOf(reply);
  }

  async verify(circuit: CircuitName, proof: Hex, publicSignals: readonly bigint[]): Promise<boolean> {
    const reply = await this.run({ kind: "verify", circuit, proof, publicSignals });
    if ("verified" in reply) return reply.verified;
    throw errorOf(reply);
  }

  async close(): Promise<void> {
    this.closed = true;
    const pending = [...this.queue.clear(), ...this.slots.flatMap((slot) => slot.current ?? [])];
    for (const { reject } of pending) reject(new ProverFailed("it is closed"));
    for (const { thread } of this.slots.splice(0)) thread.terminate();
  }
}

const typeOf = ({ kind, circuit }: ProverJob) => `${kind} ${circuit}`;

function errorOf(reply: ProverReply): Error {
  const error = "error" in reply ? reply.error : "ProverFailed";
  if (error === "UnsatisfiedCircuit") return new UnsatisfiedCircuit();
  if (error === "ProverUnsupported") return new ProverUnsupported();
  return new ProverFailed("a worker could not do the job");
}
