/*
 * The vault: a dedicated worker that runs the SDK for the signed-in wallet and holds the keys of its account in memory.
 * Nothing outside of it can read them; to lock, the page ends it.
 */
import type { Hex } from "viem";
import { messageOf } from "@/components/api/message-of";
import type { SignatureRequest } from "@/components/wallet/signature-request";
import { CHAIN_ID } from "@/lib/network";
import { createBrowserProver } from "@/lib/prover/create-browser-prover";
import { ApiCallError, HalcyonError } from "@/sdk/api/errors";
import { Http } from "@/sdk/api/http";
import { toHalcyonError } from "@/sdk/api/to-halcyon-error";
import { NothingMoved, OutcomeUnknown } from "@/sdk/attempts/outcome-unknown";
import type { PendingPayment } from "@/sdk/attempts/pending-payment";
import type { Wallet } from "@/sdk/chain/wallet";
import { Context } from "@/sdk/context/context";
import { Pins } from "@/sdk/context/pins";
import { BrowserPins } from "@/sdk/platform/browser-pins";
import { CookieSession } from "@/sdk/session/session-calls";
import type { Method } from "./methods/method";
import { methods } from "./methods/methods";
import type { FromVault, MethodName, ToVault, VaultError, VaultOwner } from "./protocol";

/** Where the prover of this release is; put in when this is built. */
declare const PROVER_PATH: string;

/** What a dedicated worker's global scope offers; the DOM's types describe a window's. */
interface WorkerScope {
  location: { origin: string };
  postMessage(message: FromVault): void;
  addEventListener(type: "message", listener: (event: MessageEvent<ToVault>) => void): void;
}
const scope = globalThis as unknown as WorkerScope;

const running = new Map<number, AbortController>();
const asked = new Map<number, { resolve(signature: Hex): void; reject(error: Error): void }>();
/** Runs whose page has yet to keep a record. */
const keeping = new Map<number, () => void>();
let lastAsked = 0;
let context: Context | undefined;

/** Asks the page's wallet. */
function ask(request: SignatureRequest): Promise<Hex> {
  const id = ++lastAsked;
  return new Promise((resolve, reject) => {
    asked.set(id, { resolve, reject });
    scope.postMessage({ kind: "sign-request", id, request });
  });
}

function start({ network, address }: VaultOwner): Context {
  const wallet: Wallet = {
    address,
    // Typed data is copied field by field: structured clone refuses what is not plain.
    signTypedData: async ({ domain, types, primaryType, message }) => {
      const byContract = await own.isContract();
      return ask({ kind: "typed-data", data: { domain, types, primaryType, message }, byContract });
    },
    signMessage: ({ message }) => ask({ kind: "message", message }),
    sendTransaction: ({ to, data, value }) =>
      ask({ kind: "transaction", call: { to, data, value }, chainId: CHAIN_ID[network] }),
  };
  const http = new Http(scope.location.origin);
  const own = new Context({
    http,
    network,
    wallet,
    session: new CookieSession(http, network),
    pins: new Pins(new BrowserPins()),
    loadProver: async () => createBrowserProver(() => new Worker(PROVER_PATH, { name: "prover" })),
  });
  return own;
}

function asVaultError(thrown: unknown): VaultError {
  if (thrown instanceof OutcomeUnknown || thrown instanceof NothingMoved) {
    const { pending, cause } = thrown;
    const why: VaultError = cause === undefined ? { code: thrown.code, message: "" } : asVaultError(cause);
    return { ...why, pending, ...(thrown instanceof NothingMoved && { nothingMoved: true }) };
  }
  const error = toHalcyonError(thrown);
  const { code } = error;
  const message = messageOf(error);
  if (!(error instanceof ApiCallError)) return { code, message };
  const { status, param, errors, reason, requestId, retryAfter } = error;
  return { code, message, status, param, errors, reason, requestId, retryAfter };
}

async function run(id: number, method: MethodName, input: unknown): Promise<void> {
  const controller = new AbortController();
  running.set(id, controller);
  const progress = (done: number, total: number) => scope.postMessage({ kind: "progress", id, done, total });
  const onPending = (pending: PendingPayment) =>
    new Promise<void>((resolve) => {
      keeping.set(id, resolve);
      scope.postMessage({ kind: "pending", id, pending });
    });
  try {
    if (!context) throw new HalcyonError("internal", "The vault was not started.");
    // What the page was typed to send is what the method was typed to take.
    const perform = methods[method] as Method<unknown, unknown>;
    const output = await perform(context, input, { progress, signal: controller.signal, ask, onPending });
    scope.postMessage({ kind: "result", id, output });
  } catch (thrown) {
    scope.postMessage({ kind: "error", id, error: asVaultError(thrown) });
  } finally {
    running.delete(id);
    keeping.delete(id);
  }
}

scope.addEventListener("message", ({ data }) => {
  switch (data.kind) {
    case "start":
      context = start(data);
      return;
    case "run":
      void run(data.id, data.method, data.input);
      return;
    case "cancel":
      running.get(data.id)?.abort();
      return;
    case "kept":
      keeping.get(data.id)?.();
      return;
    case "sign-answer":
      asked.get(data.id)?.resolve(data.signature);
      asked.delete(data.id);
      return;
    case "sign-refusal":
      asked.get(data.id)?.reject(new HalcyonError(data.error.code, data.error.message));
      asked.delete(data.id);
  }
});
