import type { Hex } from "viem";
import { isSessionExpired, isSignedOut } from "@/components/api/session-errors";
import type { SignatureRequest } from "@/components/wallet/signature-request";
import { HalcyonError } from "@/sdk/api/errors";
import type { NetworkDocument } from "@/sdk/api/network-info";
import type { PendingPayment } from "@/sdk/payments/attempts/pending-payment";
import type { PayoutBatch } from "@/sdk/payments/payouts/pay-by-wallet";
import { fromVaultError, VaultLocked } from "./errors";
import type { UnlockDecrypter } from "./methods/unlock";
import type {
  FromVault,
  InputOf,
  MethodName,
  OutputOf,
  ShownFunds,
  VaultError,
  VaultOwner,
  VaultPower,
} from "./protocol";
import { allows, KEYLESS, leavesOpen, OPENING } from "./unlock-levels";
import type { VaultPort } from "./vault-port";

/**
 * `reading`: after a reload, amounts and memos can be read; everything else asks to unlock first. `showing`: after a
 * reload while the chain does not respond, only the balances that were decrypted last can be seen.
 */
type VaultStatus = VaultPower | "unlocking";

/** The vault's state for the page. Replaced by a new object at each change. */
export interface VaultSnapshot {
  status: VaultStatus;
  /** Whether amounts and memos of payments can be read, also while unlocking the rest. */
  reads: boolean;
  /** The balances that were decrypted last, unless locked. A page shows them until it has newer ones. */
  shown: ShownFunds | null;
  /** Whether the unlock dialog is open. */
  prompting: boolean;
  /** Whether the worker's script is loading, which takes a while on a slow connection. */
  loading: boolean;
  /** What the wallet is asked to sign now. */
  request: AskedSignature | null;
}

interface AskedSignature {
  /** No other of this page has it. */
  id: number;
  /** Its number among those of the same connection to the worker, from 1. */
  ordinal: number;
  /** The run that needs it. */
  run: number;
  /** Whether the run has asked for a signature before. */
  again: boolean;
  /** Whether the run rotates the account secret. */
  rotates: boolean;
  signature: SignatureRequest;
}

interface RunOptions {
  onProgress?: (done: number, total: number) => void;
  signal?: AbortSignal;
  /**
   * Called before each signed document of a payment leaves the browser, always with the complete record. Store it (by
   * `id`) until the outcome is known. After this call, any rejection except `NothingMoved` leaves the outcome open,
   * including `VaultLocked` and an abort: use `checkPayment`.
   */
  onPending?: (pending: PendingPayment) => void;
  /** Called before each signature of a payout with what it pays. */
  onBatch?: (batch: PayoutBatch) => void;
}

/** What a request says that is over before the wallet was asked. */
const UNASKED: VaultError = { code: "aborted", message: "You did not sign." };
/** What a request says whose dialog could not be loaded. */
const NOT_SHOWN: VaultError = {
  code: "unavailable",
  message: "The dialog that asks your wallet could not be loaded. Check your connection and try again.",
};

function movesMoney({ signature }: AskedSignature): boolean {
  return signature.kind === "transaction" && signature.call.value !== undefined && signature.call.value > 0n;
}

interface Run {
  method: MethodName;
  resolve(output: unknown): void;
  reject(error: Error): void;
  onProgress?: RunOptions["onProgress"];
  onPending?: RunOptions["onPending"];
  onBatch?: RunOptions["onBatch"];
  /** The record of a transaction for which the wallet has not been asked yet, or may be asked again. */
  unasked?: PendingPayment;
  /** Whether it has asked for a signature. */
  hasAsked?: true;
}

/** Returns whether a record is of a transaction that the wallet is about to be asked for. */
function isUnasked({ documents }: PendingPayment): boolean {
  const last = documents.at(-1);
  return last?.deadline === 0 && last.tx_hash === undefined;
}

const NOT_LOADED = "The program that decrypts could not be loaded. Check your connection and try again.";
const NOT_STARTED =
  "The program that decrypts does not start in this browser. Reload the page. If that does not help, update the browser.";

const LOCKED: VaultSnapshot = {
  status: "locked",
  reads: false,
  shown: null,
  prompting: false,
  loading: false,
  request: null,
};

/**
 * How long a silent worker may take before the page checks whether its script can be loaded, and again afterwards for
 * it to start.
 */
const START_MS = 20_000;

/** How a client reaches its worker. */
interface VaultWorkers {
  open(owner: VaultOwner): VaultPort;
  /** Returns whether the worker's script can be loaded. Resolves once it is. */
  loads(): Promise<boolean>;
  /** Resolves once the worker with this id has ended. Resolves with false at once if that can't be known. */
  ended(instance: string): Promise<boolean>;
}

/** The page's side of a vault: connects to the worker, sends runs and signatures, and locks. */
export class VaultClient {
  private now = LOCKED;
  private port: VaultPort | null = null;
  /** The connection to the worker; ready once the worker has reported its state. */
  private connection: { ready: Promise<void>; resolve(): void; reject(error: Error): void } | null = null;
  private power: VaultPower = "locked";
  private opening: AbortController | null = null;
  /** When another page had its last input. */
  lastInput = 0;
  private instance: string | null = null;
  private shown: ShownFunds | null = null;
  private ending: Promise<unknown> = Promise.resolve();
  private readonly listeners = new Set<() => void>();
  private readonly runs = new Map<number, Run>();
  private requests: AskedSignature[] = [];
  private lastRequest = 0;
  private prompt: { unlocked: Promise<boolean>; settle(unlocked: boolean): void } | null = null;
  private lastRun = 0;
  private described: NetworkDocument | undefined;
  /** Why this vault stays locked until someone signs in again: the session has ended. */
  private over: Error | null = null;

  /** @param onSignedOut called with the service's error when it rejects the session */
  constructor(
    readonly owner: VaultOwner,
    private readonly workers: VaultWorkers,
    private readonly onSignedOut: (error: unknown) => void,
  ) {}

  readonly snapshot = (): VaultSnapshot => this.now;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  private change(part: Partial<VaultSnapshot> = {}): void {
    const status = this.opening ? "unlocking" : this.power;
    const loading = this.connection !== null && this.instance === null;
    const reads = this.power === "reading" || this.power === "unlocked";
    const shown = this.power !== "locked" ? this.shown : null;
    this.now = { ...this.now, ...part, status, reads, shown, loading, request: this.requests[0] ?? null };
    for (const listener of this.listeners) listener();
  }

  /**
   * Asks the person to unlock. Resolves with false if they don't, and at once if the session has ended, when unlocking
   * would fail. Never rejects: the prompt shows errors and stays open.
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
      void this.prepare();
    }
    return this.prompt.unlocked;
  }

  /** Starts to load what unlocking needs, while the prompt is on screen. */
  async prepare(): Promise<void> {
    // A failure shows when the button is pressed.
    await this.connected().catch(() => {});
  }

  /**
   * Takes over the state of another page of this browser, or of this one before its reload.
   *
   * @returns whether that state is known; false if this page left first, or the worker did not start
   */
  async resume(): Promise<boolean> {
    if (this.over) return false;
    const isKnown = await this.connected().then(
      () => true,
      () => false,
    );
    if (isKnown && this.power === "locked" && !this.opening && !this.prompt) this.leave();
    return isKnown;
  }

  /** Closes the prompt without unlocking. */
  giveUp(): void {
    const refusal: VaultError = { code: "invalid_request", message: "You did not unlock." };
    const { opening } = this;
    // Before the refusal, which would fail another page that waits for the same keys.
    opening?.abort(new VaultLocked());
    if (opening) for (const { id } of this.requests) this.refused(id, refusal);
    this.settlePrompt(false);
    if (this.power === "locked") this.leave();
  }

  /** Called when the dialogs could not be loaded: ends what they were to ask for. */
  notShown(): void {
    for (const { id, signature } of this.requests) {
      // Of a transaction, that says that it has certainly not been sent.
      const code = signature.kind === "transaction" ? "aborted" : NOT_SHOWN.code;
      this.refused(id, { ...NOT_SHOWN, code });
    }
    this.giveUp();
  }

  private settlePrompt(unlocked: boolean): void {
    this.prompt?.settle(unlocked);
    this.prompt = null;
    this.change({ prompting: false });
  }

  /** Decrypts the keys, on the prompt's button. With an opener the account's wallet is not asked. */
  async open(opener?: UnlockDecrypter): Promise<void> {
    await this.perform("unlock", opener);
    this.settlePrompt(true);
  }

  /** Erases every key, for every page of this browser. Runs are rejected with `VaultLocked`. */
  lock(): void {
    this.port?.postMessage({ kind: "lock" });
    this.end(() => new VaultLocked(), { ends: true });
    this.settlePrompt(false);
  }

  /** Disconnects this page. Other pages may stay connected. */
  leave(): void {
    this.port?.close();
    this.end(() => new VaultLocked());
  }

  /** Reports that this page is in use. */
  touch(): void {
    this.port?.postMessage({ kind: "touch" });
  }

  /** Called when the wallet has signed in again. */
  sessionIsBack(): void {
    this.over = null;
  }

  /** Sets the network's description, so that a new worker need not request it. */
  setNetwork(described: NetworkDocument): void {
    this.described = described;
  }

  /**
   * Ends the connection. Of a change that was already sent to the worker, its error says that it may have been made.
   *
   * @param options.ends whether the worker ends as well; a new one is not opened before it has
   */
  private end(reasonOf: () => HalcyonError, options: { ends?: true } = {}): void {
    if (options.ends && this.instance) this.ending = this.workers.ended(this.instance).catch(() => {});
    this.port = null;
    this.connection?.reject(reasonOf());
    this.connection = null;
    this.instance = null;
    this.power = "locked";
    this.shown = null;
    this.opening = null;
    this.requests = [];
    const runs = [...this.runs.values()];
    this.runs.clear();
    this.change();
    for (const { method, reject } of runs) {
      const reason = reasonOf();
      if (leavesOpen(method)) reason.mayHaveHappened = true;
      reject(reason);
    }
  }

  /**
   * Runs a method. Asks to unlock first if the method needs it. Rejects with `VaultLocked` if the person does not, and
   * with the service's own error if the session has ended, when unlocking would fail too.
   */
  async run<M extends MethodName>(method: M, input: InputOf<M>, options: RunOptions = {}): Promise<OutputOf<M>> {
    if (this.over) throw this.over;
    const open = OPENING.includes(method) || allows(this.power, method);
    if (!open && !(await this.unlock())) throw new VaultLocked();
    return this.perform(method, input, options);
  }

  /** Runs a method without asking. Rejects with `VaultLocked` if locked. */
  async perform<M extends MethodName>(method: M, input: InputOf<M>, options: RunOptions = {}): Promise<OutputOf<M>> {
    options.signal?.throwIfAborted();
    const opens = OPENING.includes(method) && this.power !== "unlocked";
    if (!opens && !allows(this.power, method)) throw new VaultLocked();
    try {
      if (KEYLESS.includes(method)) return (await this.sendLocked(method, input, options)) as OutputOf<M>;
      return (await (opens ? this.openBy(method, input, options) : this.send(method, input, options))) as OutputOf<M>;
    } catch (error) {
      if (isSignedOut(error)) {
        if (!isSessionExpired(error)) {
          this.over = error as Error;
          this.lock();
        }
        this.onSignedOut(error);
      }
      throw error;
    }
  }

  /** Runs what needs no keys, and lets go of the worker afterwards if nothing else needs it. */
  private async sendLocked(method: MethodName, input: unknown, options: RunOptions): Promise<unknown> {
    await this.connected();
    try {
      return await this.send(method, input, options);
    } finally {
      if (this.power === "locked" && this.runs.size === 0 && !this.opening && !this.prompt) this.leave();
    }
  }

  private async openBy(method: MethodName, input: unknown, options: RunOptions): Promise<unknown> {
    const opening = new AbortController();
    this.opening?.abort(new VaultLocked());
    this.opening = opening;
    this.change();
    try {
      await this.connected();
      opening.signal.throwIfAborted();
      return await this.send(method, input, { ...options, signal: opening.signal });
    } finally {
      if (this.opening === opening) {
        this.opening = null;
        this.change();
      }
    }
  }

  /** Connects to the worker. Resolves once it has reported its state. */
  private connected(): Promise<void> {
    if (this.connection) return this.connection.ready;
    let resolve = () => {};
    let reject = (_: Error) => {};
    const ready = new Promise<void>((done, failed) => {
      resolve = done;
      reject = failed;
    });
    ready.catch(() => {});
    const connection = { ready, resolve, reject };
    this.connection = connection;
    void this.ending.then(() => {
      // Unless the page has left in the meantime.
      if (this.connection === connection) this.begin();
    });
    return ready;
  }

  private begin(): void {
    const port = this.workers.open(this.owner);
    this.port = port;
    port.onmessage = ({ data }) => {
      if (this.port === port) this.receive(data);
    };
    port.onerror = () => {
      if (this.port !== port) return;
      if (this.instance === null) this.failed(NOT_LOADED);
      else this.broke("The vault stopped working. Reload the page and unlock again.");
    };
    void this.watchStart(port);
    port.postMessage({ kind: "start", ...this.owner, restore: true, described: this.described });
  }

  /** Detects that the browser killed the worker to free memory. Pages get no event for that and would wait forever. */
  private async watch(instance: string): Promise<void> {
    const ended = await this.workers.ended(instance).catch(() => false);
    if (ended && this.instance === instance) this.broke("Your browser stopped the vault. Unlock and try again.");
  }

  /** Detects a script that does not arrive or does not run in this browser, for which the page gets no event. */
  private async watchStart(port: VaultPort): Promise<void> {
    const waits = () => this.port === port && this.instance === null;
    const pause = () => new Promise((resolve) => setTimeout(resolve, START_MS));
    await pause();
    if (!waits()) return;
    const loads = await this.workers.loads();
    if (loads) await pause();
    if (waits()) this.failed(loads ? NOT_STARTED : NOT_LOADED);
  }

  /** The worker did not start. Rejects what waits for it; the prompt stays, and its button tries again. */
  private failed(message: string): void {
    const port = this.port;
    this.end(() => new HalcyonError("unavailable", message));
    port?.close();
  }

  /** The worker has ended. While it was unlocking, the prompt stays and shows why. */
  private broke(message: string): void {
    const isUnlocking = this.opening !== null;
    this.end(() => new HalcyonError("internal", message));
    if (!isUnlocking) this.settlePrompt(false);
  }

  private hearState({ power, lastInput, instance, shown }: Extract<FromVault, { kind: "state" }>): void {
    this.lastInput = lastInput;
    // Each message brings the same ones again.
    const isNew = shown?.at !== this.shown?.at;
    if (isNew) this.shown = shown ?? null;
    if (this.instance === null) void this.watch(instance);
    this.instance = instance;
    const before = this.power;
    this.power = power;
    const wasLoading = this.now.loading;
    this.connection?.resolve();
    if (power !== before || wasLoading || isNew) this.change();
    // Unlocked in another page while this one was asking.
    if (power === "unlocked" && !this.opening) this.settlePrompt(true);
  }

  private send(
    method: MethodName,
    input: unknown,
    { onProgress, onPending, onBatch, signal }: RunOptions,
  ): Promise<unknown> {
    const id = ++this.lastRun;
    const cancel = () => {
      this.port?.postMessage({ kind: "cancel", id });
      const run = this.runs.get(id);
      this.runs.delete(id);
      run?.reject(signal?.reason as Error);
      for (const asked of this.requests) {
        // Other transactions may be with the wallet already.
        const over = asked.signature.kind !== "transaction" || (movesMoney(asked) && run?.unasked);
        if (asked.run === id && over) this.refused(asked.id, UNASKED);
      }
    };
    const output = new Promise<unknown>((resolve, reject) => {
      this.runs.set(id, { method, resolve, reject, onProgress, onPending, onBatch });
      this.port?.postMessage({ kind: "run", id, method, input });
    });
    signal?.addEventListener("abort", cancel, { once: true });
    return output.finally(() => signal?.removeEventListener("abort", cancel));
  }

  private receive(message: FromVault): void {
    if (message.kind === "state") {
      this.hearState(message);
      return;
    }
    if (message.kind === "ended") {
      this.end(() => new VaultLocked(), { ends: true });
      this.settlePrompt(false);
      return;
    }
    if (message.kind === "sign-request") {
      const run = this.runs.get(message.run);
      const { id: ordinal, request: signature } = message;
      const again = run?.hasAsked === true;
      if (run) run.hasAsked = true;
      const rotates = run?.method === "rotateSecret";
      const asked = { id: ++this.lastRequest, ordinal, run: message.run, again, rotates, signature };
      this.requests = [...this.requests, asked];
      // Its run was cancelled meanwhile.
      if (!run || (movesMoney(asked) && !run.unasked)) this.refused(asked.id, UNASKED);
      this.change();
      return;
    }
    const run = this.runs.get(message.id);
    if (message.kind === "progress") {
      run?.onProgress?.(message.done, message.total);
      return;
    }
    if (message.kind === "batch") {
      run?.onBatch?.(message.batch);
      return;
    }
    if (message.kind === "pending") {
      this.keep(message.id, message.pending);
      return;
    }
    this.runs.delete(message.id);
    // What it still asks for would be shown with the figures of the next act.
    for (const { id, run: asking, signature } of this.requests) {
      if (asking === message.id && signature.kind !== "transaction") this.refused(id, UNASKED);
    }
    if (message.kind === "result") run?.resolve(message.output);
    else run?.reject(fromVaultError(message.error));
  }

  /**
   * Stores the record of a pending document. If that fails, cancels the run before the document leaves, so nothing has
   * happened. The record of a transaction is stored when the wallet is asked for it ({@link asks}).
   */
  private keep(id: number, pending: PendingPayment): void {
    // A cancelled run ends in the worker.
    const run = this.runs.get(id);
    if (!run) return;
    try {
      run.unasked = isUnasked(pending) ? pending : undefined;
      if (!run.unasked) run.onPending?.(pending);
      this.port?.postMessage({ kind: "kept", id });
    } catch (error) {
      this.runs.delete(id);
      this.port?.postMessage({ kind: "cancel", id });
      run.reject(error as Error);
    }
  }

  /**
   * Call before the wallet is asked. Stores the record of a transaction that moves money, which the wallet may send at
   * any time from then on, whatever it reports.
   *
   * @throws if the browser can't store it; then do not ask the wallet
   */
  asks(id: number): void {
    const asked = this.requests.find((one) => one.id === id);
    const run = asked && this.runs.get(asked.run);
    if (asked && run?.unasked && movesMoney(asked)) run.onPending?.(run.unasked);
  }

  /** Returns whether a request still waits for the wallet. */
  isAsked(id: number): boolean {
    return this.requests.some((one) => one.id === id);
  }

  /** Sends the wallet's signature (or transaction hash) to the worker. */
  signed(id: number, signature: Hex): void {
    this.settleRequest(id, { kind: "sign-answer", signature });
  }

  /** Reports that the wallet or the person did not sign. */
  refused(id: number, error: VaultError): void {
    this.settleRequest(id, { kind: "sign-refusal", error });
  }

  private settleRequest(
    id: number,
    decision: { kind: "sign-answer"; signature: Hex } | { kind: "sign-refusal"; error: VaultError },
  ): void {
    const asked = this.requests.find((one) => one.id === id);
    // The wallet took longer than the connection that asked.
    if (!asked) return;
    this.requests = this.requests.filter((one) => one !== asked);
    this.port?.postMessage({ ...decision, id: asked.ordinal });
    this.change();
  }
}
