import type { Hex } from "viem";
import { UnsatisfiedCircuit } from "@/circuits/witness/unsatisfied-circuit";
import type { CircuitInput, CircuitName, ProofResult } from "@/lib/ledger/prepare/witness";
import { Turns } from "@/lib/turns";
import { ProverUnsupported } from "./kernel/prover-unsupported";
import {
  type CheckedProof,
  type CheckingProver,
  ProverBusy,
  ProverFailed,
  type ProverJob,
  type ProverReply,
} from "./prover";

/** A thread that takes jobs, of whichever kind the platform has. */
interface ProverThread {
  post(job: ProverJob): void;
  terminate(): void;
}

/** Starts a thread. `onDeath` is called once when it ends by itself. */
export type StartThread = (onReply: (reply: ProverReply) => void, onDeath: () => void) => ProverThread;

// Omit over a union, member by member.
type JobBody = ProverJob extends infer J ? (J extends ProverJob ? Omit<J, "id"> : never) : never;

/** A job that is done: what it was, how long it waited and ran (milliseconds), and how it ended. */
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
  /** Of handing it to a thread. */
  startedAt: number;
  resolve(reply: ProverReply): void;
  reject(error: Error): void;
  /** Of a proof that is made: who waits for its check. */
  check?: Pick<Pending, "resolve" | "reject">;
}

interface Slot {
  thread: ProverThread;
  current: Pending | null;
}

/**
 * For how long after its last job an account finds a thread that no other account alone has taken: who pays again and
 * again does not wait. Longer would leave a core idle, for an account that waits for one proof at most.
 */
const KEPT_MS = 500;

/**
 * Hands jobs to a fixed number of warm threads, in turn by account (see `Turns`). While more than one account has jobs,
 * none has all threads: who comes with a single job does not wait for two proofs of another. At most `queueLimit` jobs
 * wait, of one account at most half of them; more are refused with `ProverBusy`, and leave room for others. When a
 * thread dies, its job fails with `ProverFailed` and a new thread takes its place.
 */
export class WorkerPool implements CheckingProver {
  private readonly slots: Slot[] = [];
  private readonly queue = new Turns<Pending>();
  /** Threads that died and are started again with the next job. */
  private vacant = 0;
  private nextId = 1;
  private closed = false;
  /** Who asked last and when, and when anyone else did. */
  private last = { account: "", at: Number.NEGATIVE_INFINITY, othersAt: Number.NEGATIVE_INFINITY };

  constructor(
    private readonly start: StartThread,
    private readonly size: number,
    private readonly queueLimit: number,
    private readonly onDone: (report: JobReport) => void = () => {},
    /** Whose job this is that is being asked for; "" is no one's, and may fill the queue. */
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
      // The thread goes on with the check.
      const { job, account, check } = pending;
      const { circuit } = job;
      const { proof, publicSignals } = reply.proven;
      const [now, verify] = [performance.now(), { id: job.id, kind: "verify" as const, circuit, proof, publicSignals }];
      slot.current = { job: verify, account, askedAt: now, startedAt: now, ...check };
      pending.resolve(reply);
      return;
    }
    slot.current = null;
    pending.resolve(reply);
    this.dispatch();
  }

  private report({ job: { kind, circuit }, askedAt, startedAt }: Pending, outcome: JobReport["outcome"]): void {
    this.onDone({ kind, circuit, waitedMs: startedAt - askedAt, ranMs: performance.now() - startedAt, outcome });
  }

  /** How many jobs wait for a thread, and how many threads are at work. */
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
    // A fresh thread only when there is work for it: one that dies while starting is not started over and over.
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
      free.current = pending;
      pending.startedAt = performance.now();
      free.thread.post(pending.job);
    }
  }

  /** Whether an account may have one more thread now. */
  private mayStart(account: string): boolean {
    const { last, size } = this;
    const othersAt = account === last.account ? last.othersAt : last.at;
    if (account === "" || size === 1 || this.now() - othersAt > KEPT_MS) return true;
    // Where this says no, one of its jobs is running: its end looks again.
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
      this.queue.push(account, { job, account, askedAt: performance.now(), startedAt: 0, resolve, reject, check });
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
    // A caller that is refused the proof waits for no check.
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

function errorOf(reply: ProverReply): Error {
  const error = "error" in reply ? reply.error : "ProverFailed";
  if (error === "UnsatisfiedCircuit") return new UnsatisfiedCircuit();
  if (error === "ProverUnsupported") return new ProverUnsupported();
  return new ProverFailed("a worker could not do the job");
}
