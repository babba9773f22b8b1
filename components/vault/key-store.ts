import type { TabMessage } from "@/components/api/browser/tabs";
import { lowerCase } from "@/lib/ledger/prepare/next-state";
import { listAgents } from "@/sdk/account/agents";
import { HalcyonError } from "@/sdk/api/errors";
import { Http } from "@/sdk/api/http";
import type { NetworkDocument } from "@/sdk/api/network-info";
import type { Shared } from "@/sdk/api/share";
import type { Wallet } from "@/sdk/chain/wallet";
import { Context, type ContextOptions } from "@/sdk/context/context";
import { Pins } from "@/sdk/context/pins";
import { BrowserPins } from "@/sdk/context/platform/browser-pins";
import { CookieSession } from "@/sdk/context/session/session-calls";
import { IDLE_MS } from "./idle-lock";
import type { FundsOutput } from "./methods/funds";
import type { LaterMethods } from "./methods/methods";
import type { FromVault, ShownFunds, VaultOwner, VaultPower } from "./protocol";
import { ReloadCopy } from "./reload-copy";

const LOOK_MS = 5_000;
/**
 * How long to wait without runs before loading the rest of the vault, so that on a slow connection the current work
 * goes first.
 */
const QUIET_MS = 1_000;
/** How long the chain may take to respond before a page shows the balances of the copy without it. */
const CHAIN_MS = 2_000;

/** A page, as far as the keeper sends to it. */
export interface Listener {
  say(message: FromVault): void;
}

/** What the keeper needs from its worker. */
interface KeeperScope {
  origin: string;
  loadProver: ContextOptions["loadProver"];
  /** Loads all methods except the first ones. A failure is not cached. */
  loadMethods(): Promise<LaterMethods>;
  /** Ends the worker, which erases its memory. */
  close(): void;
}

/**
 * Holds one account's keys for all of its pages in this browser. The keys exist only in this worker's memory, except
 * for a copy of the viewing key that outlives it (reload-copy.ts). Locking ends the worker.
 */
export class KeyStore {
  /** Identifies this worker while it runs. */
  readonly instance = crypto.randomUUID();
  private readonly http: Http;
  private readonly pins = new Pins(new BrowserPins());
  private readonly desks = new Set<Listener>();
  /** What the pages' contexts share: the keys, once decrypted. */
  private readonly made = new Map<string, Shared<unknown>>();
  private copy: ReloadCopy;
  private owner: VaultOwner | undefined;
  private power: VaultPower = "locked";
  /** The balances that were decrypted last. */
  private shown: ShownFunds | undefined;
  private restoring: Promise<void> | undefined;
  /** Reads the copy again, while the chain does not respond. */
  private again: (() => Promise<void>) | undefined;
  private lastInput = Date.now();
  private ended = false;
  /** How many pages are unlocking now. */
  private opening = 0;
  /** How many methods are running, for all pages. */
  private runs = 0;
  private quiet: ReturnType<typeof setTimeout> | undefined;
  private later: Promise<LaterMethods> | undefined;

  constructor(
    private readonly scope: KeeperScope,
    private readonly newCopy = () => new ReloadCopy(),
  ) {
    this.http = new Http(scope.origin);
    this.copy = newCopy();
    // Compares clock times, because timers stop while the machine sleeps.
    setInterval(() => this.look(), LOOK_MS);
  }

  /** Admits a page if it belongs to the account whose keys these are. Returns whether it does. */
  admit(owner: VaultOwner, desk: Listener): boolean {
    this.owner ??= owner;
    const same = this.owner.network === owner.network && this.owner.address === owner.address;
    if (!same || this.ended) {
      desk.say({ kind: "ended" });
      return false;
    }
    this.look();
    this.desks.add(desk);
    return true;
  }

  /** Returns a context for a page's run: its own wallet, with the shared keys. */
  contextFor({ network }: VaultOwner, wallet: Wallet, described: NetworkDocument | undefined): Context {
    const { http, pins } = this;
    const session = new CookieSession(http, network);
    const { loadProver } = this.scope;
    return new Context({ http, network, wallet, session, pins, loadProver, described }, http.call, this.made);
  }

  /** Removes a page. After the last one the keys are dropped; what may be read after a reload stays. */
  dismiss(desk: Listener): void {
    this.desks.delete(desk);
    if (this.desks.size > 0) return;
    this.made.clear();
    this.copy = this.newCopy();
    this.power = "locked";
    this.shown = undefined;
    this.again = undefined;
  }

  /**
   * Starts reading what unlocking needs from service and chain while the person reads the dialog. Listing the account's
   * agents takes the longest. What fails is read again later.
   */
  readAhead(context: Context): void {
    if (this.power === "unlocked") return;
    const agents = listAgents(context).then((list) =>
      Promise.all(list.agents.map(({ public_key, handle }) => context.requireOwnAgent(lowerCase(public_key), handle))),
    );
    Promise.all([context.scope(), context.isContract(), agents]).catch(() => {});
  }

  /** Returns the methods that are in a script of their own. */
  laterMethods(): Promise<LaterMethods> {
    const loading = this.later ?? this.scope.loadMethods();
    this.later = loading;
    loading.catch(() => {
      if (this.later === loading) this.later = undefined;
    });
    return loading;
  }

  /** Marks the start of a run. Returns a function that marks its end. */
  beginRun(): () => void {
    this.runs += 1;
    clearTimeout(this.quiet);
    return () => {
      this.runs -= 1;
      if (this.runs > 0 || this.power === "locked") return;
      this.quiet = setTimeout(() => void this.laterMethods().catch(() => {}), QUIET_MS);
    };
  }

  /** Handles a message between tabs. Runs in the worker too, so that pages frozen by the browser are also locked. */
  hear(message: TabMessage): void {
    if (message.kind !== "signed-in" || !this.owner) void this.lock();
    else if (message.address.toLowerCase() !== this.owner.address.toLowerCase()) void this.lock();
    // The same wallet has a new session: the reload copy must be written again with that session's share.
    else this.copy.renewNext();
  }

  /** Restores what may be read after a reload. All pages are notified of the result. */
  async restore(context: Context): Promise<void> {
    this.again = () => this.restore(context);
    if (this.power === "locked" || this.power === "showing") {
      this.restoring ??= this.readCopy(context).finally(() => {
        this.restoring = undefined;
      });
      await this.restoring;
    }
    this.tellAll();
  }

  private async readCopy(context: Context): Promise<void> {
    if (!this.owner) return;
    const { copy } = this;
    // Unlocked in the meantime, or no page is left.
    const isOver = () => this.ended || this.copy !== copy || this.power === "unlocked" || this.desks.size === 0;
    let late: ReturnType<typeof setTimeout> | undefined;
    const show = (shown: ShownFunds | undefined, lastInput: number) => {
      if (!shown || isOver() || this.power === "showing") return;
      this.lastInput = lastInput;
      this.shown = shown;
      this.power = "showing";
      this.tellAll();
    };
    let kept: (() => void) | undefined;
    const found = await copy
      .open(this.owner, context, ({ shown, lastInput }) => {
        kept = () => show(shown, lastInput);
        late = setTimeout(kept, CHAIN_MS);
      })
      .catch((error: unknown) => {
        const isSilent = error instanceof Error && "code" in error && error.code === "unavailable";
        if (isSilent) kept?.();
        return isSilent ? ("silent" as const) : null;
      });
    clearTimeout(late);
    if (isOver() || found === "silent") return;
    this.shown = found?.shown;
    this.power = found ? "reading" : "locked";
    if (!found) return;
    this.lastInput = found.lastInput;
    context.keepViewer(found.viewer);
  }

  /** Marks that a page starts unlocking. Returns a function that marks the end. */
  beginOpening(): () => void {
    this.opening += 1;
    return () => {
      this.opening -= 1;
    };
  }

  /** Called once the keys are decrypted. Notifies every page. Stores the reload copy without anyone waiting for it. */
  async opened(context: Context): Promise<void> {
    const { viewingKey } = await context.vault();
    if (this.ended || !this.owner) return;
    this.lastInput = Date.now();
    this.power = "unlocked";
    this.tellAll();
    void this.copy.keep(this.owner, context, viewingKey.secret, this.lastInput).catch(() => {});
  }

  /** Keeps the balances that a page is about to show, for the pages that open after it and after a reload. */
  fundsShown({ assets, agents }: FundsOutput): void {
    if (this.power !== "unlocked") return;
    // The sums are enough. An account can have hundreds of received payments.
    const sums = <P extends { assets: FundsOutput["assets"] }>(party: P): P => ({
      ...party,
      assets: party.assets.map((asset) => ("notes" in asset ? { ...asset, notes: [] } : asset)),
    });
    this.shown = { at: Date.now(), funds: sums({ assets, agents: agents.map(sums) }) };
    void this.copy.keepFunds(this.shown, this.lastInput).catch(() => {});
  }

  /** Drops the keys after an unlock that failed or was cancelled, unless another page is still unlocking. */
  forgetKeys(): void {
    if (this.power === "unlocked" || this.opening > 0) return;
    this.made.delete("vault");
    if (this.power !== "reading") this.made.delete("viewer");
  }

  /** Restarts the idle time. Input after the time-out comes too late: it may be from someone else. */
  touch(): void {
    this.look();
    if (this.power === "locked") return;
    this.lastInput = Date.now();
    this.tellAll();
    void this.copy.touch(this.lastInput).catch(() => {});
  }

  private look(): void {
    const idle = Date.now() - this.lastInput;
    // Setting the clock back must not extend the time.
    if (this.power !== "locked" && (idle >= IDLE_MS || idle < -LOOK_MS)) void this.lock();
    else if (this.power === "showing" && !this.restoring) void this.again?.();
  }

  /** Locks every page: ends the worker, which erases all keys, and deletes the reload copy. */
  async lock(): Promise<void> {
    if (this.ended) return;
    this.ended = true;
    this.power = "locked";
    this.shown = undefined;
    this.made.clear();
    for (const desk of this.desks) desk.say({ kind: "ended" });
    try {
      if (this.owner) await this.copy.forget(this.owner);
    } finally {
      this.scope.close();
    }
  }

  tell(desk: Listener): void {
    desk.say(this.state());
  }

  private tellAll(): void {
    for (const desk of this.desks) desk.say(this.state());
  }

  private state(): FromVault {
    const { power, lastInput, instance, shown } = this;
    return { kind: "state", power, lastInput, instance, ...(power !== "locked" && shown && { shown }) };
  }
}

/** Throws: the prover is not available. */
export function noProver(): never {
  throw new HalcyonError("internal", "The prover could not be loaded. Reload the page and try again.");
}
