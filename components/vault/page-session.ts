import type { Hex } from "viem";
import { isSessionExpired, isSignedOut } from "@/components/api/session-errors";
import type { SignatureRequest } from "@/components/wallet/signature-request";
import { CHAIN_ID } from "@/lib/base/network";
import { CallAborted } from "@/sdk/api/call-aborted";
import { HalcyonError } from "@/sdk/api/errors";
import type { NetworkDocument } from "@/sdk/api/network-info";
import type { Wallet } from "@/sdk/chain/wallet";
import type { Context } from "@/sdk/context/context";
import type { PendingPayment } from "@/sdk/payments/attempts/pending-payment";
import type { PayoutBatch } from "@/sdk/payments/payouts/pay-by-wallet";
import type { KeyStore } from "./key-store";
import { firstMethods } from "./methods/first-methods";
import type { FundsInput, FundsOutput } from "./methods/funds";
import type { Method } from "./methods/method";
import type { FromVault, MethodName, ToVault, VaultOwner } from "./protocol";
import { asVaultError } from "./shown-error";
import { isReadOnly, OPENING } from "./unlock-levels";

interface AskedOfPage {
  run: number;
  request: SignatureRequest;
  resolve(signature: Hex): void;
  reject(error: Error): void;
}

/** In place of a run's number: what only reads asks for no signature. */
const NO_RUN = 0;

/** As of an aborted call: what other runs share with it begins again for them. */
function cancelled(): HalcyonError {
  return new CallAborted("The page no longer wants it.");
}

/**
 * One page's connection to the vault: its runs, and the signatures requested from it. A page only signs for its own
 * runs.
 */
export class PageSession {
  private readonly running = new Map<number, AbortController>();
  private readonly asked = new Map<number, AskedOfPage>();
  /** Runs that wait for the page to store a record. */
  private readonly keeping = new Map<number, { resolve(): void; reject(error: Error): void }>();
  private lastAsked = 0;
  /** The context of all runs that only read. They share what they have decrypted. */
  private context: Context | undefined;
  /** Returns the context of a run, whose signatures are asked for in its name. */
  private contextOf: ((run: number) => Context) | undefined;

  constructor(
    private readonly keeper: KeyStore,
    readonly say: (message: FromVault) => void,
  ) {}

  hear(message: ToVault): void {
    switch (message.kind) {
      case "start":
        this.start(message, message.restore, message.described);
        return;
      case "touch":
        this.keeper.touch();
        return;
      case "lock":
        void this.keeper.lock();
        return;
      case "leave":
        this.leave();
        return;
      case "run":
        void this.run(message.id, message.method, message.input);
        return;
      case "cancel":
        this.cancel(message.id);
        return;
      case "kept":
        this.keeping.get(message.id)?.resolve();
        return;
      case "sign-answer":
        this.asked.get(message.id)?.resolve(message.signature);
        this.asked.delete(message.id);
        return;
      case "sign-refusal":
        this.asked.get(message.id)?.reject(new HalcyonError(message.error.code, message.error.message));
        this.asked.delete(message.id);
    }
  }

  private start(owner: VaultOwner, restore: boolean, described: NetworkDocument | undefined): void {
    if (!this.keeper.admit(owner, this)) return;
    const { network, address } = owner;
    const walletOf = (run: number): Wallet => ({
      address,
      // Copied field by field, because structured clone rejects anything but plain data.
      signTypedData: async ({ domain, types, primaryType, message }) => {
        const byContract = await context.isContract();
        return this.ask(run, { kind: "typed-data", data: { domain, types, primaryType, message }, byContract });
      },
      signMessage: ({ message }) => this.ask(run, { kind: "message", message }),
      sendTransaction: async ({ to, data, value }, _, { leaving } = {}) => {
        await leaving?.();
        return this.ask(run, { kind: "transaction", call: { to, data, value }, chainId: CHAIN_ID[network] });
      },
    });
    this.contextOf = (run) => this.keeper.contextFor(owner, walletOf(run), described);
    const context = this.contextOf(NO_RUN);
    this.context = context;
    this.keeper.readAhead(context);
    if (restore) void this.keeper.restore(context);
    else this.keeper.tell(this);
  }

  /**
   * The page no longer wants a run. Ends what the run waits for, so that it lets go of what it holds. A transaction that
   * the wallet was asked for may still be sent, so its run continues.
   */
  private cancel(id: number): void {
    this.running.get(id)?.abort();
    for (const [ordinal, { run, request, reject }] of this.asked) {
      if (run !== id || request.kind === "transaction") continue;
      this.asked.delete(ordinal);
      reject(cancelled());
    }
    this.keeping.get(id)?.reject(cancelled());
  }

  /** The page is gone: cancels its runs and signature requests. Work continues only as far as it needs no page. */
  private leave(): void {
    for (const run of this.running.values()) run.abort();
    const gone = new HalcyonError("unauthorized", "The page was closed.");
    for (const { request, reject } of this.asked.values()) reject(request.kind === "transaction" ? gone : cancelled());
    this.asked.clear();
    for (const { reject } of this.keeping.values()) reject(gone);
    // Drops everything the page has decrypted.
    this.context = undefined;
    this.contextOf = undefined;
    this.keeper.dismiss(this);
  }

  private async ask(run: number, request: SignatureRequest): Promise<Hex> {
    if (this.running.get(run)?.signal.aborted !== false) throw cancelled();
    const id = ++this.lastAsked;
    return new Promise((resolve, reject) => {
      this.asked.set(id, { run, request, resolve, reject });
      this.say({ kind: "sign-request", id, run, request });
    });
  }

  /** Returns a method without its input type. The page's call was type-checked against it. */
  private async methodOf(method: MethodName): Promise<Method<unknown, unknown>> {
    const methods = method in firstMethods ? firstMethods : await this.keeper.laterMethods();
    return (methods as unknown as Record<MethodName, Method<unknown, unknown>>)[method];
  }

  private async run(id: number, method: MethodName, input: unknown): Promise<void> {
    const controller = new AbortController();
    const { signal } = controller;
    this.running.set(id, controller);
    const opens = OPENING.includes(method);
    const endOpening = opens ? this.keeper.beginOpening() : undefined;
    const endRun = this.keeper.beginRun();
    const progress = (done: number, total: number) => this.say({ kind: "progress", id, done, total });
    const onPending = (pending: PendingPayment) =>
      new Promise<void>((resolve, reject) => {
        if (signal.aborted) throw cancelled();
        this.keeping.set(id, { resolve, reject });
        this.say({ kind: "pending", id, pending });
      });
    const ask = (request: SignatureRequest) => this.ask(id, request);
    const onBatch = (batch: PayoutBatch) => this.say({ kind: "batch", id, batch });
    try {
      const context = isReadOnly(method) ? this.context : this.contextOf?.(id);
      if (!context) throw new HalcyonError("internal", "The vault was not started.");
      const perform = await this.methodOf(method);
      signal.throwIfAborted();
      const output = await perform(context, input, { progress, signal, ask, onPending, onBatch });
      // If the person cancelled in the meantime, don't unlock.
      if (opens && !signal.aborted) await this.keeper.opened(context);
      // Without agents it is not all that a page shows.
      if (method === "funds" && (input as FundsInput).agents) this.keeper.fundsShown(output as FundsOutput);
      this.say({ kind: "result", id, output });
    } catch (thrown) {
      this.say({ kind: "error", id, error: asVaultError(thrown) });
      // If the session was ended, no key may outlive it. If it timed out, a signature continues it and nothing is lost.
      if (isSignedOut(thrown) && !isSessionExpired(thrown)) void this.keeper.lock();
    } finally {
      endOpening?.();
      if (opens) this.keeper.forgetKeys();
      this.running.delete(id);
      this.keeping.delete(id);
      endRun();
    }
  }
}
