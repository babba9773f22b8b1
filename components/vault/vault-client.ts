import type { Hex } from "viem";
import type { SignatureRequest } from "@/components/wallet/signature-request";
import { HalcyonError } from "@/sdk/api/errors";
import type { PendingPayment } from "@/sdk/attempts/pending-payment";
import { fromVaultError, isSignedOut, VaultLocked } from "./errors";
import type { UnlockOpener } from "./methods/unlock";
import type { FromVault, InputOf, MethodName, OutputOf, ToVault, VaultError, VaultOwner } from "./protocol";

export type VaultStatus = "locked" | "unlocking" | "unlocked";

/** What the page shows of the vault. A new object at each change. */
export interface VaultSnapshot {
  status: VaultStatus;
  /** Someone waits for the account to be unlocked: the dialog is open. */
  prompting: boolean;
  /** What the wallet is asked to sign now. */
  request: { id: number; signature: SignatureRequest } | null;
}

export interface RunOptions {
  onProgress?: (done: number, total: number) => void;
  signal?: AbortSignal;
  /**
   * Called before each signed document of a payment leaves the browser, always with the whole record: keep it (by `id`)
   * until the outcome is known. Once it has been called, a rejection with anything but `NothingMoved` leaves the
   * outcome open, also `VaultLocked` and an abort: look again with `checkPayment`.
   */
  onPending?: (pending: PendingPayment) => void;
}

interface Run {
  resolve(output: unknown): void;
  reject(error: Error): void;
  onProgress?: RunOptions["onProgress"];
  onPending?: RunOptions["onPending"];
}

/** A dedicated worker, as far as the client needs one. */
export interface VaultPort {
  postMessage(message: ToVault): void;
  terminate(): void;
  onmessage: ((event: MessageEvent<FromVault>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
}

/** Methods that open the vault themselves: they start a worker that has no keys yet. */
const OPENING: readonly MethodName[] = ["unlock", "enroll"];

const LOCKED: VaultSnapshot = { status: "locked", prompting: false, request: null };

/** The page's side of one vault: starts the worker, hands it runs and signatures, and ends it. */
export class VaultClient {
  private now = LOCKED;
  private port: VaultPort | null = null;
  private readonly listeners = new Set<() => void>();
  private readonly runs = new Map<number, Run>();
  private requests: { id: number; signature: SignatureRequest }[] = [];
  private prompt: { unlocked: Promise<boolean>; settle(unlocked: boolean): void } | null = null;
  private lastRun = 0;
  /** Why this vault is locked for good: its session has ended. */
  private over: Error | null = null;

  /**
   * @param start makes the worker
   * @param onSignedOut the service ended the session
   */
  constructor(
    readonly owner: VaultOwner,
    private readonly start: () => VaultPort,
    private readonly onSignedOut: () => void,
  ) {}

  readonly snapshot = (): VaultSnapshot => this.now;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  private change(part: Partial<VaultSnapshot>): void {
    this.now = { ...this.now, ...part, request: this.requests[0] ?? null };
    for (const listener of this.listeners) listener();
  }

  /**
   * Asks the person to unlock; false when they give up, and at once when the session has ended: it would lead nowhere.
   * Never rejects: the prompt shows what failed, and stays open.
   */
  unlock(): Promise<boolean> {
    if (this.over) return Promise.resolve(false);
    if (this.now.status === "unlocked") return Promise.resolve(true);
    if (!this.prompt) {
      let settle: (unlocked: boolean) => void = () => {};
      const unlocked = new Promise<boolean>((resolve) => {
        settle = resolve;
      });
      this.prompt = { unlocked, settle };
      this.change({ prompting: true });
    }
    return this.prompt.unlocked;
  }

  /** Closes the prompt without unlocking. */
  giveUp(): void {
    if (this.now.status === "unlocking") this.lock();
    else this.settlePrompt(false);
  }

  private settlePrompt(unlocked: boolean): void {
    this.prompt?.settle(unlocked);
    this.prompt = null;
    this.change({ prompting: false });
  }

  /** Decrypts the keys: what the prompt's button does. With an opener the account's wallet is not asked. */
  async open(opener?: UnlockOpener): Promise<void> {
    await this.perform("unlock", opener);
    this.settlePrompt(true);
  }

  /** Ends the worker and with it every key; what runs is rejected with `VaultLocked`. */
  lock(): void {
    this.end(new VaultLocked());
    this.settlePrompt(false);
  }

  private end(reason: Error): void {
    this.port?.terminate();
    this.port = null;
    this.requests = [];
    const runs = [...this.runs.values()];
    this.runs.clear();
    this.change({ status: "locked" });
    for (const run of runs) run.reject(reason);
  }

  /**
   * Runs a method; asks to unlock first. Rejects with `VaultLocked` when the person does not, and with the service's
   * own response once that has ended the session: to unlock would lead nowhere.
   */
  async run<M extends MethodName>(method: M, input: InputOf<M>, options: RunOptions = {}): Promise<OutputOf<M>> {
    if (this.over) throw this.over;
    if (!OPENING.includes(method) && !(await this.unlock())) throw new VaultLocked();
    return this.perform(method, input, options);
  }

  /** Runs a method without asking. Rejects with `VaultLocked` while locked. */
  async perform<M extends MethodName>(method: M, input: InputOf<M>, options: RunOptions = {}): Promise<OutputOf<M>> {
    options.signal?.throwIfAborted();
    const opening = OPENING.includes(method) && this.now.status !== "unlocked";
    if (!opening && this.now.status !== "unlocked") throw new VaultLocked();
    if (opening) {
      this.end(new VaultLocked());
      this.port = this.begin();
      this.change({ status: "unlocking" });
    }
    try {
      const output = await this.send(method, input, options);
      if (opening) this.change({ status: "unlocked" });
      return output as OutputOf<M>;
    } catch (error) {
      // Keys that failed the check are not kept.
      if (opening && this.now.status === "unlocking") this.end(new VaultLocked());
      if (isSignedOut(error)) {
        this.over = error as Error;
        this.lock();
        this.onSignedOut();
      }
      throw error;
    }
  }

  private begin(): VaultPort {
    const port = this.start();
    port.onmessage = ({ data }) => this.receive(data);
    port.onerror = () => {
      this.end(new HalcyonError("internal", "The vault stopped working. Reload the page and unlock again."));
      this.settlePrompt(false);
    };
    port.postMessage({ kind: "start", ...this.owner });
    return port;
  }

  private send(method: MethodName, input: unknown, { onProgress, onPending, signal }: RunOptions): Promise<unknown> {
    const id = ++this.lastRun;
    const cancel = () => {
      this.port?.postMessage({ kind: "cancel", id });
      this.runs.get(id)?.reject(signal?.reason as Error);
      this.runs.delete(id);
    };
    const output = new Promise<unknown>((resolve, reject) => {
      this.runs.set(id, { resolve, reject, onProgress, onPending });
      this.port?.postMessage({ kind: "run", id, method, input });
    });
    signal?.addEventListener("abort", cancel, { once: true });
    return output.finally(() => signal?.removeEventListener("abort", cancel));
  }

  private receive(message: FromVault): void {
    if (message.kind === "sign-request") {
      this.requests = [...this.requests, { id: message.id, signature: message.request }];
      this.change({});
      return;
    }
    const run = this.runs.get(message.id);
    if (message.kind === "progress") {
      run?.onProgress?.(message.done, message.total);
      return;
    }
    if (message.kind === "pending") {
      this.keep(message.id, message.pending);
      return;
    }
    this.runs.delete(message.id);
    if (message.kind === "result") run?.resolve(message.output);
    else run?.reject(fromVaultError(message.error));
  }

  /** A page that cannot keep the record ends the run here, before the document leaves: nothing happened. */
  private keep(id: number, pending: PendingPayment): void {
    // A run that the page has given up sends nothing more: it waits for a response that does not come.
    const run = this.runs.get(id);
    if (!run) return;
    try {
      run.onPending?.(pending);
      this.port?.postMessage({ kind: "kept", id });
    } catch (error) {
      this.runs.delete(id);
      run.reject(error as Error);
    }
  }

  /** Hands the wallet's signature (or transaction hash) to the worker. */
  signed(id: number, signature: Hex): void {
    this.settleRequest({ kind: "sign-answer", id, signature });
  }

  /** The wallet, or the person, did not sign. */
  refused(id: number, error: VaultError): void {
    this.settleRequest({ kind: "sign-refusal", id, error });
  }

  private settleRequest(decision: ToVault & { id: number }): void {
    this.requests = this.requests.filter(({ id }) => id !== decision.id);
    this.port?.postMessage(decision);
    this.change({});
  }
}
