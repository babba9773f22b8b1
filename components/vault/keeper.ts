import type { TabMessage } from "@/components/browser/tabs";
import { lowerCase } from "@/lib/ledger/prepare/next-state";
import { listAgents } from "@/sdk/account/agents";
import { HalcyonError } from "@/sdk/api/errors";
import { Http } from "@/sdk/api/http";
import type { NetworkDocument } from "@/sdk/api/network-info";
import type { Shared } from "@/sdk/api/share";
import type { Wallet } from "@/sdk/chain/wallet";
import { Context, type ContextOptions } from "@/sdk/context/context";
import { Pins } from "@/sdk/context/pins";
import { BrowserPins } from "@/sdk/platform/browser-pins";
import { CookieSession } from "@/sdk/session/session-calls";
import { IDLE_MS } from "./idle-lock";
import type { LaterMethods } from "./methods/methods";
import type { FromVault, VaultOwner, VaultPower } from "./protocol";
import { ReloadCopy } from "./reload-copy";

const LOOK_MS = 5_000;
/** How long nothing runs before the rest of the vault is loaded: what is asked for now comes first on a slow line. */
const QUIET_MS = 1_000;

/** A page, as far as the keeper speaks to it. */
export interface Listener {
  say(message: FromVault): void;
}

/** What the keeper needs of the worker it lives in. */
export interface KeeperScope {
  origin: string;
  loadProver: ContextOptions["loadProver"];
  /** Loads all methods but the first ones. A failure is not remembered. */
  loadMethods(): Promise<LaterMethods>;
  /** Ends the worker, and with it all of its memory. */
  close(): void;
}

/**
 * Holds one account's keys for all of its pages in this browser. They are in this worker's memory and nowhere else; of
 * them the viewing key alone has a copy that outlives it (reload-copy.ts). To lock is to end the worker.
 */
export class Keeper {
  /** Names this worker, while it runs. */
  readonly instance = crypto.randomUUID();
  private readonly desks = new Set<Listener>();
  /** What the pages' contexts share: the keys, once they are decrypted. */
  private readonly made = new Map<string, Shared<unknown>>();
  private copy: ReloadCopy;
  private owner: VaultOwner | undefined;
  private power: VaultPower = "locked";
  private restoring: Promise<void> | undefined;
  private lastInput = Date.now();
  private ended = false;
  /** Pages that are unlocking now. */
  private opening = 0;
  /** Methods that run now, of all pages. */
  private runs = 0;
  private quiet: ReturnType<typeof setTimeout> | undefined;
  private later: Promise<LaterMethods> | undefined;

  constructor(
    private readonly scope: KeeperScope,
    private readonly newCopy = () => new ReloadCopy(),
  ) {
    this.copy = newCopy();
    // Clocks are compared: timers stand still while a machine sleeps.
    setInterval(() => this.look(), LOOK_MS);
  }

  /** Lets a page in, if it is of the account whose keys these are. */
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

  /** A page's view of the one account: its own wallet, the same keys. */
  contextFor({ network }: VaultOwner, wallet: Wallet, described: NetworkDocument | undefined): Context {
    const http = new Http(this.scope.origin);
    const session = new CookieSession(http, network);
    const { loadProver } = this.scope;
    const pins = new Pins(new BrowserPins());
    return new Context({ http, network, wallet, session, pins, loadProver, described }, http.call, this.made);
  }

  /** A page has gone. With the last one the keys go; what may be read after a reload stays. */
  dismiss(desk: Listener): void {
    this.desks.delete(desk);
    if (this.desks.size > 0) return;
    this.made.clear();
    this.copy = this.newCopy();
    this.power = "locked";
  }

  /**
   * Asks what unlocking needs of service and chain while the page's dialog is read: who are the account's agents takes
   * the longest. What fails is asked for again.
   */
  readAhead(context: Context): void {
    if (this.power === "unlocked") return;
    const agents = listAgents(context).then((list) =>
      Promise.all(list.agents.map(({ public_key, handle }) => context.requireOwnAgent(lowerCase(public_key), handle))),
    );
    Promise.all([context.scope(), context.isContract(), agents]).catch(() => {});
  }

  /** The methods that are a script of their own. */
  laterMethods(): Promise<LaterMethods> {
    const loading = this.later ?? this.scope.loadMethods();
    this.later = loading;
    loading.catch(() => {
      if (this.later === loading) this.later = undefined;
    });
    return loading;
  }

  /** A method begins to run; the returned function says that it has ended. */
  beginRun(): () => void {
    this.runs += 1;
    clearTimeout(this.quiet);
    return () => {
      this.runs -= 1;
      if (this.runs > 0 || this.power === "locked") return;
      this.quiet = setTimeout(() => void this.laterMethods().catch(() => {}), QUIET_MS);
    };
  }

  /** What another page, or this one, has said to all: also pages that a browser has frozen lock by it. */
  hear(message: TabMessage): void {
    if (message.kind !== "signed-in" || !this.owner) void this.lock();
    else if (message.address.toLowerCase() !== this.owner.address.toLowerCase()) void this.lock();
    // The same wallet with a new session: the copy for a reload is made again, with a share of that one.
    else this.copy.renewNext();
  }

  /** Reads again what may be read after a reload; every page hears what came of it. */
  async restore(context: Context): Promise<void> {
    if (this.power === "locked") {
      this.restoring ??= this.readCopy(context).finally(() => {
        this.restoring = undefined;
      });
      await this.restoring;
    }
    this.tellAll();
  }

  private async readCopy(context: Context): Promise<void> {
    if (!this.owner) return;
    const found = await this.copy.open(this.owner, context).catch(() => null);
    // Unlocked meanwhile, or no one is there any more.
    if (!found || this.ended || this.power !== "locked" || this.desks.size === 0) return;
    this.lastInput = found.lastInput;
    context.keepViewer(found.viewer);
    this.power = "reading";
  }

  /** A page begins to unlock; the returned function says that it no longer does. */
  beginOpening(): () => void {
    this.opening += 1;
    return () => {
      this.opening -= 1;
    };
  }

  /** The keys have been decrypted: every page hears it. What may be read after a reload is kept, and no one waits for it. */
  async opened(context: Context): Promise<void> {
    const { viewingKey } = await context.vault();
    if (this.ended || !this.owner) return;
    this.lastInput = Date.now();
    this.power = "unlocked";
    this.tellAll();
    void this.copy.keep(this.owner, context, viewingKey.secret, this.lastInput).catch(() => {});
  }

  /** An unlock that failed, or that no one wants any more, leaves nothing behind; another page may still wait for it. */
  forgetKeys(): void {
    if (this.power === "unlocked" || this.opening > 0) return;
    this.made.delete("vault");
    if (this.power === "locked") this.made.delete("viewer");
  }

  /** Someone uses a page. Input after the time is over comes too late: who sits there now may be someone else. */
  touch(): void {
    this.look();
    if (this.power === "locked") return;
    this.lastInput = Date.now();
    this.tellAll();
    void this.copy.touch(this.lastInput).catch(() => {});
  }

  private look(): void {
    const idle = Date.now() - this.lastInput;
    // A clock that was set back must not lengthen it.
    if (this.power !== "locked" && (idle >= IDLE_MS || idle < -LOOK_MS)) void this.lock();
  }

  /** Ends the worker and with it every key, and what may be read after a reload: in every page. */
  async lock(): Promise<void> {
    if (this.ended) return;
    this.ended = true;
    this.power = "locked";
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
    return { kind: "state", power: this.power, lastInput: this.lastInput, instance: this.instance };
  }
}

/** Nothing can be proven here. */
export function noProver(): never {
  throw new HalcyonError("internal", "The prover could not be loaded. Reload the page and try again.");
}
