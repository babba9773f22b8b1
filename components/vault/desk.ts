import type { Hex } from "viem";
import { isSessionExpired, isSignedOut } from "@/components/api/session-errors";
import type { SignatureRequest } from "@/components/wallet/signature-request";
import { CHAIN_ID } from "@/lib/network";
import { HalcyonError } from "@/sdk/api/errors";
import type { NetworkDocument } from "@/sdk/api/network-info";
import type { PendingPayment } from "@/sdk/attempts/pending-payment";
import type { Wallet } from "@/sdk/chain/wallet";
import type { Context } from "@/sdk/context/context";
import type { PayoutBatch } from "@/sdk/payouts/pay-by-wallet";
import type { Keeper } from "./keeper";
import { firstMethods } from "./methods/first-methods";
import type { Method } from "./methods/method";
import { OPENING } from "./powers";
import type { FromVault, MethodName, ToVault, VaultOwner } from "./protocol";
import { asVaultError } from "./shown-error";

/**
 * One page's connection to the vault: its runs, and the signatures requested from it. A page only signs for its own
 * runs.
 */
export class Desk {
  private readonly running = new Map<number, AbortController>();
  private readonly asked = new Map<number, { resolve(signature: Hex): void; reject(error: Error): void }>();
  /** Runs that wait for the page to store a record. */
  private readonly keeping = new Map<number, () => void>();
  private lastAsked = 0;
  private context: Context | undefined;

  constructor(
    private readonly keeper: Keeper,
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
        this.running.get(message.id)?.abort();
        return;
      case "kept":
        this.keeping.get(message.id)?.();
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
    const wallet: Wallet = {
      address,
      // Copied field by field, because structured clone rejects anything but plain data.
      signTypedData: async ({ domain, types, primaryType, message }) => {
        const byContract = await context.isContract();
        return this.ask({ kind: "typed-data", data: { domain, types, primaryType, message }, byContract });
      },
      signMessage: ({ message }) => this.ask({ kind: "message", message }),
      sendTransaction: async ({ to, data, value }, _, { leaving } = {}) => {
        await leaving?.();
        return this.ask({ kind: "transaction", call: { to, data, value }, chainId: CHAIN_ID[network] });
      },
    };
    const context = this.keeper.contextFor(owner, wallet, described);
    this.context = context;
    this.keeper.readAhead(context);
    if (restore) void this.keeper.restore(context);
    else this.keeper.tell(this);
  }

  /** The page is gone: cancels its runs and signature requests. Work continues only as far as it needs no page. */
  private leave(): void {
    for (const run of this.running.values()) run.abort();
    const gone = new HalcyonError("unauthorized", "The page was closed.");
    for (const { reject } of this.asked.values()) reject(gone);
    this.asked.clear();
    // Drops everything the page has decrypted.
    this.context = undefined;
    this.keeper.dismiss(this);
  }

  private readonly ask = (request: SignatureRequest): Promise<Hex> => {
    const id = ++this.lastAsked;
    return new Promise((resolve, reject) => {
      this.asked.set(id, { resolve, reject });
      this.say({ kind: "sign-request", id, request });
    });
  };

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
      new Promise<void>((resolve) => {
        this.keeping.set(id, resolve);
        this.say({ kind: "pending", id, pending });
      });
    const onBatch = (batch: PayoutBatch) => this.say({ kind: "batch", id, batch });
    try {
      if (!this.context) throw new HalcyonError("internal", "The vault was not started.");
      const perform = await this.methodOf(method);
      signal.throwIfAborted();
      const output = await perform(this.context, input, { progress, signal, ask: this.ask, onPending, onBatch });
      // If the person cancelled in the meantime, don't unlock.
      if (opens && !signal.aborted) await this.keeper.opened(this.context);
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
