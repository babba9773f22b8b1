import { RoundRobin } from "@/lib/base/round-robin";

/** The account that sends, and the host that receives. */
export interface Sending {
  /** The root account whose endpoint it is. */
  account: string;
  /** Host of the endpoint's URL. */
  host: string;
}

export interface SlotsOptions {
  /** The most concurrent attempts in this process. */
  most?: number;
  /** The most of one account, and the most to one host across all accounts. */
  mostOfAccount?: number;
  mostToHost?: number;
  /** The most slow attempts, in addition to those. */
  mostSlow?: number;
  /** The most slow attempts of one account, and to one host. */
  mostSlowOfAccount?: number;
  mostSlowToHost?: number;
  slowAfterMs?: number;
}

interface Waiter extends Sending {
  start(): void;
}

/**
 * Limits the concurrent attempts of a process. They take turns by account, then by host, so that neither an account
 * with many endpoints nor a host with many subscriptions delays others, and no host is flooded. An attempt without a
 * response after a second costs little more than its connection, so it gives up its slot to others. So receivers that
 * hang don't delay those that respond.
 */
export class Slots {
  private active = 0;
  private slow = 0;
  private readonly ofAccount = new Map<string, number>();
  private readonly slowOfAccount = new Map<string, number>();
  private readonly toHost = new Map<string, number>();
  private readonly slowToHost = new Map<string, number>();
  /** Waiting attempts by account, then by host. */
  private readonly waiting = new Map<string, RoundRobin<Waiter>>();
  private readonly accounts = new RoundRobin<string>();
  private readonly options: Required<SlotsOptions>;

  constructor(options: SlotsOptions = {}) {
    const { most = 256, mostSlow = 4_000 } = options;
    this.options = {
      most,
      mostOfAccount: Math.ceil(most / 4),
      mostToHost: Math.ceil(most / 4),
      mostSlow,
      mostSlowOfAccount: Math.ceil(mostSlow / 4),
      mostSlowToHost: Math.ceil(mostSlow / 16),
      slowAfterMs: 1_000,
      ...options,
    };
  }

  /** Takes a slot, immediately if one is free, else in turn. Call the returned function once to release it. */
  take(sending: Sending): (() => void) | Promise<() => void> {
    if (this.active < this.options.most && this.mayGo(sending.account) && this.mayGoTo(sending.host)) {
      return this.taken(sending);
    }
    return new Promise((resolve) => this.wait({ ...sending, start: () => resolve(this.taken(sending)) }));
  }

  private mayGo(account: string): boolean {
    return (this.ofAccount.get(account) ?? 0) < this.options.mostOfAccount;
  }

  private mayGoTo(host: string): boolean {
    return (this.toHost.get(host) ?? 0) < this.options.mostToHost;
  }

  private wait(waiter: Waiter): void {
    const { account, host } = waiter;
    const mine = this.waiting.get(account) ?? new RoundRobin();
    mine.push(host, waiter);
    this.waiting.set(account, mine);
    if (this.accounts.size(account) === 0) this.accounts.push(account, account);
  }

  private taken(sending: Sending): () => void {
    this.count(sending, 1);
    let demoted = false;
    const timer = setTimeout(() => {
      if (!this.mayBeSlow(sending)) return;
      demoted = true;
      this.countSlow(sending, 1);
      this.count(sending, -1);
      this.pass();
    }, this.options.slowAfterMs);
    timer.unref();
    return () => {
      clearTimeout(timer);
      if (demoted) this.countSlow(sending, -1);
      else this.count(sending, -1);
      this.pass();
    };
  }

  private mayBeSlow({ account, host }: Sending): boolean {
    const { mostSlow, mostSlowOfAccount, mostSlowToHost } = this.options;
    const [mine, there] = [this.slowOfAccount.get(account) ?? 0, this.slowToHost.get(host) ?? 0];
    return this.slow < mostSlow && mine < mostSlowOfAccount && there < mostSlowToHost;
  }

  private count({ account, host }: Sending, by: 1 | -1): void {
    this.active += by;
    add(this.ofAccount, account, by);
    add(this.toHost, host, by);
  }

  private countSlow({ account, host }: Sending, by: 1 | -1): void {
    this.slow += by;
    add(this.slowOfAccount, account, by);
    add(this.slowToHost, host, by);
  }

  /** Gives free slots to the attempts whose turn it is. */
  private pass(): void {
    while (this.active < this.options.most) {
      const turn = this.accounts.next((account) => this.mayGo(account) && this.hasPlaceFor(account));
      if (!turn) return;
      const mine = this.waiting.get(turn.account);
      const next = mine?.next((host) => this.mayGoTo(host));
      if (mine && mine.size() > 0) this.accounts.push(turn.account, turn.account);
      else this.waiting.delete(turn.account);
      next?.item.start();
    }
  }

  private hasPlaceFor(account: string): boolean {
    return this.waiting.get(account)?.some((host) => this.mayGoTo(host)) === true;
  }
}

function add(counts: Map<string, number>, name: string, by: 1 | -1): void {
  const now = (counts.get(name) ?? 0) + by;
  if (now === 0) counts.delete(name);
  else counts.set(name, now);
}
